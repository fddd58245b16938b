import type { ComponentChildren } from 'preact';

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

interface AnswerProps {
  view: DecodeView;
  /** Where a likely VIN is put into the box when it is chosen. */
  page?: string;
  /** Where a wrong decode is reported. */
  reports?: string;
}

/** Where the answers of a decode box go: a live region that stays while they come and go. */
export function AnswerRegion({ children }: { children?: ComponentChildren }) {
  return (
    <section id="answer" class="answer" aria-live="polite" aria-label="Decoded vehicle">
      {children}
    </section>
  );
}

/** The answer below a decode box. */
export function DecodeAnswer({ view, page = '/', reports }: AnswerProps) {
  return (
    <>
      <Answer view={view} page={page} />
      {view.kind === 'report' && reports !== undefined ? (
        <p>
          <a href={`${reports}?vin=${encodeURIComponent(String(view.report['vin']))}`}>Report this decode as wrong</a>
        </p>
      ) : null}
    </>
  );
}

function Answer({ view, page }: { view: DecodeView; page: string }) {
  switch (view.kind) {
    case 'example':
      return <Vehicle report={view.report} body={{ report: view.report }} note="An example" />;
    case 'report':
      return (
        <>
          <Suggestions vins={view.suggestions} page={page} lead="This VIN may be mistyped. Did you mean" />
          <Vehicle report={view.report} body={view.body} note={usageText(view.usage)} />
        </>
      );
    case 'malformed':
      return (
        <div class="notice bad" role="alert">
          <p>{view.message} Nothing was charged.</p>
          <Suggestions vins={view.suggestions} page={page} lead="Did you mean" />
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

/** Choosing one fills the box and decodes nothing: only the button beside the box charges. */
function Suggestions({ vins, page, lead }: { vins: readonly string[]; page: string; lead: string }) {
  if (vins.length === 0) return null;
  return (
    <p class="suggestions">
      <span>{lead}</span>
      {vins.map((vin) => (
        <a key={vin} class="mono" href={`${page}?vin=${vin}`} data-fill="vin-box" data-value={vin}>
          {vin}
        </a>
      ))}
      <span class="hint">Choosing one fills the box. Decode then charges one decode.</span>
    </p>
  );
}

function usageText({ limit, remaining }: Usage): string {
  if (limit === null || remaining === null) return 'One decode was charged. There is no monthly limit.';
  return `One decode was charged. ${count(remaining)} of ${count(limit)} are left this month.`;
}
