import type { SitePageDeps } from '../slice.ts';
import { AnswerRegion, DecodeAnswer, type DecodeView, FaultText } from '../../decode/pages/decode-answer.tsx';
import { DecodeForm } from '../../decode/pages/decode-form.tsx';
import { AccuracyInBrief, AccuracySection } from './accuracy-section.tsx';
import { AskOperator } from '../../kernel/ui/contact.tsx';
import { PlanTable } from '../../workspaces/pages/plan-table.tsx';
import { CodeBlock, Copyable } from '../../kernel/ui/copyable.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import { Stats } from '../../kernel/ui/stats.tsx';

interface LandingProps {
  deps: Pick<SitePageDeps, 'config' | 'latency' | 'baseUrl'>;
  isSignedIn: boolean;
  /** What the box holds. */
  vin: string;
  /** What is below the box: an answer, or an example. */
  view: DecodeView;
}

export const LANDING_DESCRIPTION =
  'Marque turns a vehicle identification number into make, model, year, body, and technical data, and leaves out what the evidence does not settle.';

/** The landing page. */
export function Landing({ deps, isSignedIn, vin, view }: LandingProps) {
  const { config, latency } = deps;
  return (
    <>
      <section class="hero">
        <h1>Decode any VIN.</h1>
        <p class="lede">Any make, worldwide. If the VIN does not prove it, we leave it out.</p>
        <DecodeForm
          action="/decode"
          vin={vin}
          fault={<FaultText view={view} />}
          hint={`Lower case, spaces, and hyphens are fine. Without an account you get basic fields and ${count(config.publicMonthlyLimit)} decodes a month.`}
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
        <DecodeAnswer view={view} />
      </AnswerRegion>
      <ForWhom />
      <AccuracySection />
      <Speed latency={latency} />
      <Plans config={config} isSignedIn={isSignedIn} />
      <FirstCall baseUrl={deps.baseUrl()} />
    </>
  );
}

/** Decoded for everyone and free of charge: what the examples' names in the address stand for. */
export const EXAMPLES = {
  european: { vin: 'WVGZZZ5NZ8W000001', text: 'European car' },
  american: { vin: '1HGCM82633A004352', text: 'American car' },
  motorcycle: { vin: 'WB10A0103EZ000001', text: 'Motorcycle' },
} as const;

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

function ForWhom() {
  return (
    <section aria-labelledby="for-whom">
      <h2 id="for-whom">What people use it for</h2>
      <div class="columns">
        <div>
          <h3>Marketplaces and dealers</h3>
          <p>Fill a whole listing from one field. Body styles are stable values that your search can filter on.</p>
        </div>
        <div>
          <h3>Insurers, lenders, and fleets</h3>
          <p>Check what was declared against what the VIN says, one vehicle at a time or 10,000 from a CSV file.</p>
        </div>
        <div>
          <h3>Developers</h3>
          <p>
            One request, one answer in milliseconds. Retry safely: a repeated request with the same idempotency key is
            charged once.
          </p>
        </div>
      </div>
    </section>
  );
}

/** So few answers say nothing of the next one. */
const LEAST_ANSWERS = 100;

/** What this instance took for its last answers; nothing where there were too few. */
function Speed({ latency }: Pick<SitePageDeps, 'latency'>) {
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

function Plans({ config, isSignedIn }: Pick<SitePageDeps, 'config'> & { isSignedIn: boolean }) {
  return (
    <section id="plans" aria-labelledby="plans-title">
      <h2 id="plans-title">Plans</h2>
      <PlanTable config={config} plans={['free', 'starter', 'business', 'enterprise']} />
      <p>Only successful decodes are charged. Invalid VINs and errors are free.</p>
      <p>
        <a class="button first" href={isSignedIn ? '/portal' : '/sign-up'}>
          {isSignedIn ? 'Open the portal' : 'Create an account'}
        </a>
      </p>
      <p class="hint">
        For a larger plan, <AskOperator contact={config.contact} />, or open Plan in your workspace.
      </p>
    </section>
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
