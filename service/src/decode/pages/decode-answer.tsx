import type { ComponentChildren, ComponentProps } from 'preact';

import type { Usage } from '../../metering/index.ts';
import { type Why, titleDetails, vehicleTitle } from '../../report/index.ts';
import { ReportView } from '../../report/pages/index.ts';
import { count } from '../../kernel/ui/numbers.ts';
import { DecodeFault } from './decode-form.tsx';
import { type ReportToDraw, VinPlate } from '../../kernel/ui/vin-plate.tsx';
import { Questions } from './questions.tsx';

/** The open fields of an example's VIN. */
type ExampleQuestions = Pick<ComponentProps<typeof Questions>, 'hints' | 'faults' | 'narrowed'>;

/** The content below a decode box. Reports are cut to the fields that their reader may see. */
export type DecodeView =
  | {
      kind: 'example';
      why: ReadonlyMap<string, Why>;
      name: string;
      /** The time of the decode, milliseconds. */
      tookMs: number;
      report: Record<string, unknown>;
      open: ExampleQuestions;
    }
  | {
      kind: 'report';
      why: ReadonlyMap<string, Why>;
      /** The stored decode's. */
      id: string;
      /** The time from the request to the stored charge, milliseconds. */
      tookMs: number;
      report: Record<string, unknown>;
      body: unknown;
      usage: Usage;
      suggestions: readonly string[];
      /** Fields that a higher plan would show, in words; empty: none. */
      moreFields: string;
    }
  /** A VIN that was shared: the result of the free check. */
  | { kind: 'checked'; vin: string; says: ReportToDraw }
  | { kind: 'malformed'; message: string; suggestions: readonly string[] }
  | { kind: 'pending'; vin: string; retryAfterSeconds: number }
  | { kind: 'exhausted'; message: string }
  | { kind: 'overloaded'; retryAfterSeconds: number };

interface AnswerProps {
  view: DecodeView;
  /** The page whose box gets a likely VIN when it is chosen. */
  page?: string;
  /** The workspace's pages, where it decodes; undefined: outside a workspace. */
  home?: string;
  /** True if it replaces a part of a page. */
  isPart?: boolean;
  /** Address of the decode, where it can be opened again. */
  address?: string | undefined;
  /** Actions on it. */
  tools?: ComponentChildren;
}

/** The region for the answers of a decode box. The focus goes to their heading. */
export function AnswerRegion({ children }: { children?: ComponentChildren }) {
  return (
    <section id="answer" class="answer" aria-label="Decoded vehicle">
      {children}
    </section>
  );
}

/** Replaces the answer and the fault of the last try: one of the two is empty. */
export function DecodePartAnswer(props: AnswerProps) {
  return (
    <>
      <DecodeAnswer {...props} isPart />
      <DecodeFault isPart>
        <FaultText {...props} isPart />
      </DecodeFault>
    </>
  );
}

/** Shows the answer below a decode box; nothing without one. */
export function DecodeAnswer({ view, page = '/', home, isPart = false, address, tools }: AnswerProps) {
  if (view.kind === 'checked') return <Checked {...view} />;
  if (view.kind !== 'example' && view.kind !== 'report') {
    // htmx leaves a target alone for which a part has nothing: the answer before would stay.
    return isPart ? <span hidden /> : null;
  }
  return (
    <>
      <Answer isPart={isPart} address={address} tools={tools} view={view} page={page} plans={plansOf(home)} />
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

function Answer(props: {
  view: Extract<DecodeView, { kind: 'example' | 'report' }>;
  page: string;
  plans: string;
  isPart: boolean;
  address: string | undefined;
  tools: ComponentChildren;
}) {
  const { view, page, plans, isPart, address, tools } = props;
  const { report } = view;
  if (view.kind === 'example') {
    const hasQuestions = view.open.narrowed.questions.length > 0 || view.open.narrowed.engine.chosen !== undefined;
    return (
      <Vehicle
        report={report}
        body={{ report }}
        note={`${EXAMPLE_NOTE}, decoded in ${tookText(view.tookMs)}`}
        moreFields=""
        plans={plans}
        why={view.why}
      >
        {hasQuestions ? (
          <Questions
            {...view.open}
            path="/"
            sends={['example', view.name]}
            target="#answer"
            note="Each plan above Free asks these questions for your own VINs."
            isDemonstration
          />
        ) : null}
      </Vehicle>
    );
  }
  return (
    <Vehicle
      report={report}
      body={view.body}
      note={`Answered in ${tookText(view.tookMs)}. ${usageText(view.usage)}`}
      moreFields={view.moreFields}
      why={view.why}
      plans={plans}
      hasFocus={isPart}
      address={address}
      lead={<Suggestions vins={view.suggestions} page={page} lead="This VIN may be mistyped. Did you mean" />}
    >
      {tools}
    </Vehicle>
  );
}

/** The note on examples, which charge nothing, and show the fields of paid plans. */
const EXAMPLE_NOTE = 'An example, with every field of a paid plan';

/**
 * Shows the fault of a try, and its remedy; nothing if there is an answer. `isPart`: the focus goes back to the box.
 */
export function FaultText({ view, page = '/', home, isPart = false }: AnswerProps) {
  const text = faultText(view);
  if (text === undefined) return null;
  return (
    <>
      <p class="fault" data-focus={isPart ? 'vin-box' : undefined}>
        {text}
      </p>
      {view.kind === 'exhausted' ? <a href={plansOf(home)}>Compare plans</a> : null}
      {view.kind === 'malformed' ? <Suggestions vins={view.suggestions} page={page} lead="Did you mean" /> : null}
    </>
  );
}

/** Before it is decoded: the plate, and what its own characters say. */
function Checked({ vin, says }: { vin: string; says: ReportToDraw }) {
  return (
    <>
      <div class="heading">
        <h2>A free check</h2>
        <p class="hint">Nothing was charged. Choose Decode to see the vehicle.</p>
      </div>
      <VinPlate vin={vin} report={says} />
      <p>
        <button class="first" form="decode-form">
          Decode this VIN
        </button>
      </p>
    </>
  );
}

function plansOf(home: string | undefined): string {
  return home === undefined ? '/#plans' : `${home}/plan`;
}

function faultText(view: DecodeView): string | undefined {
  switch (view.kind) {
    case 'example':
    case 'report':
    case 'checked':
      return undefined;
    case 'malformed':
      return `${view.message} Nothing was charged.`;
    case 'pending':
      return `${view.vin} is still being looked up. Try again in ${view.retryAfterSeconds} seconds. Nothing was charged.`;
    case 'exhausted':
      return view.message;
    case 'overloaded':
      return `The service is busy. Try again in ${view.retryAfterSeconds} seconds. Nothing was charged.`;
    default:
      return view satisfies never;
  }
}

/** Returns a time as people read it: tenths below ten milliseconds, never zero. */
function tookText(ms: number): string {
  if (ms < 0.1) return 'under 0.1\u00a0ms';
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)}\u00a0ms`;
}

function Vehicle(props: {
  report: Record<string, unknown>;
  body: unknown;
  note: string;
  moreFields: string;
  plans: string;
  why: ReadonlyMap<string, Why>;
  children?: ComponentChildren;
  /** Between the heading and the report. */
  lead?: ComponentChildren;
  /** True if the heading gets the focus when the answer is put in place. */
  hasFocus?: boolean;
  address?: string | undefined;
}) {
  const { report, note, lead, hasFocus = false, address, ...rest } = props;
  return (
    <>
      <div class="heading">
        <h2 tabindex={-1} data-focus={hasFocus ? '' : undefined} data-at={hasFocus ? address : undefined}>
          {vehicleTitle(report)}
        </h2>
        <p class="hint no-print">{note}</p>
      </div>
      <Details text={titleDetails(report)} />
      {lead}
      <ReportView report={report} {...rest} />
    </>
  );
}

/** Shows the details of a vehicle that its title leaves out. */
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
