import type { PlanLimits } from '../../features/access/index.ts';
import type { Plan } from '../../platform/db/index.ts';
import { AnswerRegion, DecodeAnswer, type DecodeView } from '../shared/decode-answer.tsx';
import { DecodeForm } from '../shared/decode-form.tsx';
import { AccuracySection } from './accuracy-section.tsx';
import { PlanTable } from '../shared/plan-table.tsx';
import { count } from '../../platform/ui/numbers.ts';

export interface LandingProps {
  planLimits: PlanLimits;
  publicMonthlyLimit: number;
  /** Where the service is reached, for the command to copy. */
  baseUrl: string;
  /** Where to ask about plans; undefined: whoever runs the service said nothing. */
  contact: string | undefined;
  isSignedIn: boolean;
  /** What the box holds. */
  vin: string;
  /** What stands below the box: an answer, or an example. */
  view: DecodeView;
}

export const LANDING_DESCRIPTION =
  'Marque turns a vehicle identification number into make, model, year, body and technical data, and leaves out what the evidence does not settle.';

/** The landing page. */
export function Landing(props: LandingProps) {
  return (
    <>
      <section class="hero">
        <h1>Decode any VIN.</h1>
        <p class="lede">
          Type the 17 characters and get make, model, year, body and technical data, for cars, trucks, buses and
          motorcycles from around the world. What the evidence does not settle is left out, never guessed.
        </p>
        <DecodeBox vin={props.vin} limit={props.publicMonthlyLimit} />
        <Examples />
        {props.isSignedIn ? (
          <p>
            You are signed in. <a href="/portal">Go to your workspace</a> to decode at full depth.
          </p>
        ) : null}
      </section>
      <AnswerRegion>
        <DecodeAnswer view={props.view} />
      </AnswerRegion>
      <ForWhom />
      <AccuracySection />
      <Plans planLimits={props.planLimits} contact={props.contact} />
      <FirstCall baseUrl={props.baseUrl} />
    </>
  );
}

function DecodeBox({ vin, limit }: { vin: string; limit: number }) {
  return (
    <DecodeForm
      action="/decode"
      vin={vin}
      hint={`Lower case, blanks and hyphens are fine. Without an account: basic fields, ${count(limit)} decodes a month.`}
      beside={
        <button type="button" class="second" data-scan="vin-box" hidden>
          Scan
        </button>
      }
    >
      <div class="scanner" data-scanner hidden>
        <video muted playsinline aria-label="Camera picture" />
        <p class="hint" role="status" data-scan-status>
          Hold the VIN's bar code before the camera.
        </p>
        <button type="button" class="second" data-scan-stop>
          Stop the camera
        </button>
      </div>
    </DecodeForm>
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
      <span>See an example, free of charge:</span>
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
      <h2 id="for-whom">For whom</h2>
      <div class="columns">
        <div>
          <h3>Marketplaces and dealers</h3>
          <p>Fill a listing from one field. The body category is a stable value that a search can filter on.</p>
        </div>
        <div>
          <h3>Insurers, lenders and fleets</h3>
          <p>
            Check what was declared against what the VIN says, one by one or ten thousand at a time from a CSV file.
          </p>
        </div>
        <div>
          <h3>Developers</h3>
          <p>
            One request, one answer in milliseconds. Each charge is counted once and is durable before you hear of it.
          </p>
        </div>
      </div>
    </section>
  );
}

function Plans({ planLimits, contact }: { planLimits: PlanLimits; contact: string | undefined }) {
  const plans: Plan[] = ['free', 'starter', 'business', 'enterprise'];
  return (
    <section id="plans" aria-labelledby="plans-title">
      <h2 id="plans-title">Plans</h2>
      <PlanTable plans={plans} planLimits={planLimits} />
      <p>
        <a href="/sign-up">Create an account</a> and make a key in a minute. Invalid VINs are never charged.
      </p>
      <p>
        For a larger plan, {contact === undefined ? 'ask whoever runs this service' : `write to ${contact}`}, or take it
        in your workspace under Plan.
      </p>
    </section>
  );
}

function FirstCall({ baseUrl }: { baseUrl: string }) {
  const command = `curl ${baseUrl}/api/decode -d '{"vin":"1HGCM82633A004352"}'`;
  return (
    <section aria-labelledby="first-call">
      <h2 id="first-call">Your first call</h2>
      <div class="copyable">
        <pre class="json" tabindex={0} role="region" aria-label="Command">
          <code id="first-command">{command}</code>
        </pre>
        <button type="button" class="second" data-copy="first-command" hidden>
          Copy
        </button>
      </div>
      <p>
        The <a href="/docs">API reference</a> has every operation with examples in curl, TypeScript and Python.
      </p>
    </section>
  );
}
