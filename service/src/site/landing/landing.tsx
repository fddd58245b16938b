import type { ComponentProps } from 'preact';

import type { SiteParts } from '../slice.ts';
import { AnswerRegion, DecodeAnswer, FaultText, DecodeForm } from '../../decode/pages/index.ts';
import { PlanTable } from '../../workspaces/pages/index.ts';
import { withCode } from '../reference/parts.tsx';
import { AccuracyInBrief, AccuracySection } from './accuracy.tsx';
import { AskOperator } from '../../kernel/ui/contact.tsx';
import { CodeBlock, Copyable } from '../../kernel/ui/copyable.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import { Stats } from '../../kernel/ui/stats.tsx';
import type { PageKit } from '../../kernel/ui/page-kit.ts';

interface LandingProps {
  deps: Pick<SiteParts & PageKit, 'config' | 'latency' | 'baseUrl'>;
  isSignedIn: boolean;
  /** The content of the box. */
  vin: string;
  /** The content below the box: an answer, or an example. */
  answer: LandingAnswer;
}

/** An answer, with the actions on it. */
export type LandingAnswer = Pick<ComponentProps<typeof DecodeAnswer>, 'view' | 'tools' | 'address'>;

export const LANDING_DESCRIPTION =
  'Marque turns a vehicle identification number into make, model, year, body, and technical data. What the VIN does not say is left out.';

/** The landing page. */
export function Landing({ deps, isSignedIn, vin, answer }: LandingProps) {
  const { config, latency } = deps;
  return (
    <>
      <section class="hero">
        <h1>Decode any VIN.</h1>
        <p class="lede">Any make, worldwide. What the VIN does not say, we leave out.</p>
        <DecodeForm
          action="/decode"
          vin={vin}
          fault={<FaultText view={answer.view} />}
          hint={`A report costs one decode, even if it shows only the maker's region. A VIN that is not well-formed is free. Without an account you get basic fields and ${count(config.publicMonthlyLimit)} decodes a month.`}
        />
        <Examples />
        <AccuracyInBrief />
        {isSignedIn ? (
          <p>
            You are signed in. <a href="/portal">Open the portal</a> to decode with your own plan.
          </p>
        ) : null}
      </section>
      <AnswerRegion>
        <DecodeAnswer {...answer} />
      </AnswerRegion>
      <Offer />
      <AccuracySection />
      <Speed latency={latency} />
      <Plans config={config} isSignedIn={isSignedIn} />
      <FirstCall baseUrl={deps.baseUrl()} />
      <RunYourOwn />
    </>
  );
}

/** VINs of the examples named in the address, decoded for everyone and free of charge. */
export const EXAMPLES = {
  european: { vin: 'WVWZZZ1KZCW000001', text: 'European car' },
  american: { vin: '1HGCM82633A004352', text: 'American car' },
  motorcycle: { vin: 'WB10A0103EZ000001', text: 'Motorcycle' },
} as const;

export type ExampleName = keyof typeof EXAMPLES;

function Examples() {
  return (
    <p class="suggestions">
      <span>Free examples:</span>
      {Object.entries(EXAMPLES).map(([name, { text }]) => (
        <a key={name} href={`/?example=${name}#answer`}>
          {text}
        </a>
      ))}
    </p>
  );
}

/** Offers of the service, each with a link to begin. */
const OFFER: readonly (readonly [name: string, says: string, href: string, link: string])[] = [
  [
    'An API, and clients for it',
    'One request, one answer in milliseconds. A repeated request is charged once. Values such as `wagon` never change.',
    '/docs',
    'API reference',
  ],
  [
    'A drop-in for vPIC',
    "NHTSA's API, for vehicles worldwide. Change the host and keep your code.",
    '/docs/vpic',
    'vPIC compatibility',
  ],
  [
    'A library',
    'The same decoder without a service, in Node and in the browser: npm install @marque/decoder.',
    '#run-your-own',
    'Run it yourself',
  ],
  [
    'Tools for assistants',
    'An MCP server at /mcp: an assistant decodes, asks what is open, and reports what is wrong.',
    '/docs#assistants',
    'Connect an assistant',
  ],
  ['Webhooks', 'Signed events when a job ends, a limit nears, or a report is decided.', '/docs/webhooks', 'Events'],
  [
    'Whole files',
    'CSV, Excel, JSON Lines, or Parquet with thousands of VINs, decoded in the background or on your own machine.',
    '/docs/jobs',
    'Jobs',
  ],
  [
    'Corrections',
    'Report a wrong answer. Once we accept it, the next decode is right, for every VIN like it.',
    '/docs/corrections',
    'Reports',
  ],
];

function Offer() {
  return (
    <section aria-labelledby="offer-title">
      <h2 id="offer-title">What you can use</h2>
      <div class="columns">
        {OFFER.map(([name, says, href, link]) => (
          <div key={name}>
            <h3>{name}</h3>
            <p>
              {withCode(says)} <a href={href}>{link}</a>
            </p>
          </div>
        ))}
      </div>
    </section>
  );
}

function RunYourOwn() {
  return (
    <section id="run-your-own" aria-labelledby="own-title">
      <h2 id="own-title">Run your own</h2>
      <p>
        Marque is open source. With Node 24 or newer, the first command starts this whole service on your machine, and
        the second decodes without one.
      </p>
      <Copyable id="own-command">
        <CodeBlock
          label="Commands"
          id="own-command"
          code={'npx @marque/service serve\nnpx @marque/service decode 1HGCM82633A004352'}
        />
      </Copyable>
    </section>
  );
}

/** Too few answers do not predict the next one. */
const LEAST_ANSWERS = 100;

/** Shows this instance's time for its last answers; nothing if there were too few. */
function Speed({ latency }: Pick<SiteParts & PageKit, 'latency'>) {
  const [half, most] = [latency.quantile(0.5), latency.quantile(0.99)];
  if (latency.samples < LEAST_ANSWERS || half === undefined || most === undefined) return null;
  return (
    <section aria-labelledby="speed-title">
      <h2 id="speed-title">How fast it answers</h2>
      <Stats
        figures={[
          { label: 'Half of all decodes', value: `${half.toFixed(1)}\u00a0ms`, note: 'or less' },
          { label: '99% of decodes', value: `${most.toFixed(1)}\u00a0ms`, note: 'or less' },
        ]}
      />
      <p class="hint">
        Measured on this instance, over its last {count(latency.samples)} decodes: from the request's arrival to the end
        of the answer, the charge stored on disk.
      </p>
    </section>
  );
}

function Plans({ config, isSignedIn }: Pick<SiteParts & PageKit, 'config'> & { isSignedIn: boolean }) {
  return (
    <section id="plans" aria-labelledby="plans-title">
      <h2 id="plans-title">Plans</h2>
      <PlanTable config={config} plans={['free', 'starter', 'business', 'enterprise']} />
      <p>
        Every report costs one decode, even if we know only the maker's region. Invalid VINs, errors, and VINs that are
        still being looked up are free.
      </p>
      <p>
        <a class="button first" href={isSignedIn ? '/portal' : '/sign-up'}>
          {isSignedIn ? 'Open the portal' : 'Create an account'}
        </a>
      </p>
      <Upgrade config={config} isSignedIn={isSignedIn} />
    </section>
  );
}

/** Shows the way to a larger plan: online or from the operator; nothing if neither is possible. */
function Upgrade({ config, isSignedIn }: Pick<SiteParts & PageKit, 'config'> & { isSignedIn: boolean }) {
  const plan = isSignedIn ? <a href="/portal">Plan</a> : 'Plan';
  if (config.billing !== undefined) {
    return (
      <p class="hint">
        To upgrade, open {plan}
        {isSignedIn ? '' : ' in your workspace'}.
      </p>
    );
  }
  if (config.contact === undefined) return null;
  return (
    <p class="hint">
      To upgrade, <AskOperator contact={config.contact} />.
    </p>
  );
}

function FirstCall({ baseUrl }: { baseUrl: string }) {
  const command = `curl ${baseUrl}/api/decode -d '{"vin":"1HGCM82633A004352"}'`;
  return (
    <section aria-labelledby="first-call">
      <h2 id="first-call">Your first call</h2>
      <Copyable id="first-command">
        <CodeBlock label="Command" id="first-command" code={command} isJson />
      </Copyable>
      <p>
        The <a href="/docs">API reference</a> has every operation, with examples in curl, TypeScript, and Python.
      </p>
    </section>
  );
}
