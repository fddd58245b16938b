import type { PlanLimits } from '../../features/access/index.ts';
import type { Plan } from '../../platform/db/index.ts';
import { AnswerRegion, DecodeAnswer, type DecodeView } from '../shared/decode-answer.tsx';
import { DecodeForm } from '../shared/decode-form.tsx';
import { PlanTable } from '../shared/plan-table.tsx';
import { count } from '../../platform/ui/numbers.ts';

export interface LandingProps {
  planLimits: PlanLimits;
  publicMonthlyLimit: number;
  /** Where the service is reached, for the command to copy. */
  baseUrl: string;
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
        <h1>What a vehicle is, from its VIN</h1>
        <p class="lede">
          Seventeen characters say who built a vehicle, what it is, when and where. Marque reads them and answers with a
          report. It leaves out what the evidence does not settle.
        </p>
        <DecodeBox vin={props.vin} limit={props.publicMonthlyLimit} />
      </section>
      <AnswerRegion>
        <DecodeAnswer view={props.view} />
      </AnswerRegion>
      <ForWhom />
      <Plans planLimits={props.planLimits} />
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

function Plans({ planLimits }: { planLimits: PlanLimits }) {
  const plans: Plan[] = ['free', 'starter', 'business', 'enterprise'];
  return (
    <section aria-labelledby="plans">
      <h2 id="plans">Plans</h2>
      <PlanTable plans={plans} planLimits={planLimits} />
      <p>
        <a href="/sign-up">Create an account</a> and make a key in a minute. Invalid VINs are never charged.
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
