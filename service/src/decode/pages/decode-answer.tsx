import type { ComponentChildren } from 'preact';

import type { Usage } from '../../metering/index.ts';
import { titleDetails, vehicleTitle } from '../../report/report-rows.ts';
import { ReportView } from '../../report/report-view.tsx';
import { Notice, NoticeText } from '../../kernel/ui/fields.tsx';
import { count } from '../../kernel/ui/numbers.ts';

/** What a decode box shows below itself. Reports are cut to what their reader may see. */
export type DecodeView =
  | { kind: 'example'; report: Record<string, unknown>; moreFields: number }
  | {
      kind: 'report';
      /** The stored decode's. */
      id: string;
      report: Record<string, unknown>;
      body: unknown;
      usage: Usage;
      suggestions: readonly string[];
      /** Fields that a higher plan would show. */
      moreFields: number;
    }
  | { kind: 'malformed'; message: string; suggestions: readonly string[] }
  | { kind: 'pending'; vin: string; retryAfterSeconds: number }
  | { kind: 'exhausted'; message: string }
  | { kind: 'overloaded'; retryAfterSeconds: number };

interface AnswerProps {
  view: DecodeView;
  /** Where a likely VIN is put into the box when it is chosen. */
  page?: string;
  /** The workspace's pages, where it decodes; undefined: outside a workspace. */
  home?: string;
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
export function DecodeAnswer({ view, page = '/', home }: AnswerProps) {
  return (
    <>
      <Answer view={view} page={page} plans={home === undefined ? '/#plans' : `${home}/plan`} />
      {view.kind === 'report' && home !== undefined ? (
        <p class="row">
          <a href={`${home}/decodes/${view.id}`}>Page of this decode</a>
          <a href={`${home}/reports?vin=${encodeURIComponent(String(view.report['vin']))}#wrong`}>
            Report this decode as wrong
          </a>
        </p>
      ) : null}
    </>
  );
}

function Answer({ view, page, plans }: { view: DecodeView; page: string; plans: string }) {
  switch (view.kind) {
    case 'example':
      return (
        <Vehicle
          report={view.report}
          body={{ report: view.report }}
          note="An example"
          moreFields={view.moreFields}
          plans={plans}
        />
      );
    case 'report':
      return (
        <>
          <Suggestions vins={view.suggestions} page={page} lead="This VIN may be mistyped. Did you mean" />
          <Vehicle
            report={view.report}
            body={view.body}
            note={usageText(view.usage)}
            moreFields={view.moreFields}
            plans={plans}
          />
        </>
      );
    case 'malformed':
      return (
        <Notice tone="bad">
          <p>{view.message} Nothing was charged.</p>
          <Suggestions vins={view.suggestions} page={page} lead="Did you mean" />
        </Notice>
      );
    case 'pending':
      return (
        <div class="notice">
          <p>
            <code>{view.vin}</code> is still being looked up. Try again in {view.retryAfterSeconds} seconds. Nothing was
            charged.
          </p>
        </div>
      );
    case 'exhausted':
      return <NoticeText tone="bad" text={view.message} />;
    case 'overloaded':
      return (
        <NoticeText
          tone="bad"
          text={`The service is busy. Try again in ${view.retryAfterSeconds} seconds. Nothing was charged.`}
        />
      );
    default:
      return view satisfies never;
  }
}

function Vehicle(props: {
  report: Record<string, unknown>;
  body: unknown;
  note: string;
  moreFields: number;
  plans: string;
}) {
  const { report, note, ...rest } = props;
  return (
    <>
      <div class="heading">
        <h2>{vehicleTitle(report)}</h2>
        <p class="hint">{note}</p>
      </div>
      <Details text={titleDetails(report)} />
      <ReportView report={report} {...rest} />
    </>
  );
}

/** What the title leaves to say of a vehicle. */
export function Details({ text }: { text: string }) {
  return text === '' ? null : <p class="details">{text}</p>;
}

/** Choosing one fills the box and decodes nothing: only the button beside the box charges. */
export function Suggestions({ vins, page, lead }: { vins: readonly string[]; page: string; lead: string }) {
  if (vins.length === 0) return null;
  return (
    <p class="suggestions no-print">
      <span>{lead}</span>
      {vins.map((vin) => (
        <a key={vin} class="mono" href={`${page}?vin=${vin}`} data-fill="vin-box" data-value={vin}>
          {vin}
        </a>
      ))}
      <span class="hint">Nothing is charged until you choose Decode.</span>
    </p>
  );
}

function usageText({ limit, remaining }: Usage): string {
  if (limit === null || remaining === null) return 'One decode was charged. There is no monthly limit.';
  return `One decode was charged. ${count(remaining)} of ${count(limit)} are left this month.`;
}
