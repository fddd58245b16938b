import type { Usage } from '../../features/usage/index.ts';
import { Json, ReportList, vehicleTitle } from './report-view.tsx';
import { count } from '../../platform/ui/numbers.ts';
import { VinPlate } from '../../platform/ui/vin-plate.tsx';

/** What a decode box shows below itself. Reports are cut to what their reader may see. */
export type DecodeView =
  | { kind: 'example'; report: Record<string, unknown> }
  | { kind: 'report'; report: Record<string, unknown>; body: unknown; usage: Usage; suggestions: readonly string[] }
  | { kind: 'malformed'; message: string; suggestions: readonly string[] }
  | { kind: 'pending'; vin: string; retryAfterSeconds: number }
  | { kind: 'exhausted'; message: string }
  | { kind: 'overloaded'; retryAfterSeconds: number };

/**
 * The answer below a decode box. `action` is where likely VINs are sent when they are chosen, `reports` where a wrong
 * decode is reported.
 */
export function DecodeAnswer({
  view,
  action = '/decode',
  reports,
}: {
  view: DecodeView;
  action?: string;
  reports?: string;
}) {
  return (
    <section id="answer" class="answer" aria-live="polite" aria-label="Decoded vehicle">
      <Answer view={view} action={action} />
      {view.kind === 'report' && reports !== undefined ? (
        <p>
          <a href={`${reports}?vin=${encodeURIComponent(String(view.report['vin']))}`}>Report this decode as wrong</a>
        </p>
      ) : null}
    </section>
  );
}

function Answer({ view, action }: { view: DecodeView; action: string }) {
  switch (view.kind) {
    case 'example':
      return <Vehicle report={view.report} body={{ report: view.report }} note="An example" />;
    case 'report':
      return (
        <>
          <Suggestions vins={view.suggestions} action={action} lead="This VIN may be mistyped. Did you mean" />
          <Vehicle report={view.report} body={view.body} note={usageText(view.usage)} />
        </>
      );
    case 'malformed':
      return (
        <div class="notice bad" role="alert">
          <p>{view.message} Nothing was charged.</p>
          <Suggestions vins={view.suggestions} action={action} lead="Did you mean" />
        </div>
      );
    case 'pending':
      return (
        <div class="notice">
          <p>
            <code>{view.vin}</code> needs a slower look. Decode it again in {view.retryAfterSeconds} seconds. Nothing
            was charged.
          </p>
        </div>
      );
    case 'exhausted':
      return (
        <div class="notice bad" role="alert">
          <p>{view.message}</p>
        </div>
      );
    case 'overloaded':
    // The last one.
  }
  return (
    <div class="notice bad" role="alert">
      <p>The service is busy. Try again in {view.retryAfterSeconds} seconds. Nothing was charged.</p>
    </div>
  );
}

function Vehicle({ report, body, note }: { report: Record<string, unknown>; body: unknown; note: string }) {
  return (
    <>
      <div class="heading">
        <h2>{vehicleTitle(report)}</h2>
        <p class="hint">{note}</p>
      </div>
      <VinPlate vin={String(report['vin'])} report={report} />
      <div class="split">
        <div>
          <h3>Report</h3>
          {report['manufacturer'] === undefined ? (
            <p>The catalog does not know this vehicle. The report holds the parts of the VIN only.</p>
          ) : null}
          <ReportList report={report} />
        </div>
        <div>
          <h3>The same as JSON</h3>
          <Json value={body} label="The answer as JSON" />
        </div>
      </div>
    </>
  );
}

function Suggestions({ vins, action, lead }: { vins: readonly string[]; action: string; lead: string }) {
  if (vins.length === 0) return null;
  return (
    <form method="post" action={action} hx-post={action} hx-target="#answer" hx-swap="outerHTML" class="suggestions">
      <span>{lead}</span>
      {vins.map((vin) => (
        <button key={vin} name="vin" value={vin} class="plain mono">
          {vin}
        </button>
      ))}
    </form>
  );
}

function usageText({ limit, remaining }: Usage): string {
  if (limit === null || remaining === null) return 'One decode was charged. There is no monthly limit.';
  return `One decode was charged. ${count(remaining)} of ${count(limit)} are left this month.`;
}
