import { HINT_NAMES, type Hints } from '@marque/decoder';

import type { Narrowed, Question } from '../candidates/questions.ts';
import { Field, Notice } from '../../kernel/ui/fields.tsx';
import { dayText } from '../../kernel/ui/times.tsx';
import { bodyText, FIELDS } from '../../report/report-rows.ts';
import { ReportView } from '../../report/report-view.tsx';
import { EngineChoice } from './engine-choice.tsx';

/** What the page of a decode shows. The report is cut to what its reader may see. */
export interface DecodePartProps {
  vin: string;
  createdAtMs: number;
  path: string;
  /** The workspace's pages. */
  home: string;
  baseUrl: string;
  report: Record<string, unknown>;
  body: unknown;
  moreFields: number;
  /** The answers that were given. */
  hints: Hints;
  faults: readonly string[];
  /** What the VIN leaves open; `charged`: asking costs a decode again. */
  open: { kind: 'nothing' } | { kind: 'questions'; narrowed: Narrowed } | { kind: 'charged'; count: number };
}

/** A decode: what can be done with it, what it leaves open, and the report. */
export function DecodePart(props: DecodePartProps) {
  const { vin, createdAtMs, path, home, baseUrl, report, body, moreFields, hints, open } = props;
  const query = queryOf(hints);
  return (
    <>
      <div class="toolbar">
        <p class="hint">
          Decoded on {dayText(createdAtMs)} (UTC). <span class="no-print">Opening this page again is free.</span>
        </p>
        <Actions path={path} query={query} vin={vin} link={`${baseUrl}${path}${query}`} />
      </div>
      <h2 class="unseen">Report</h2>
      <ReportView report={report} body={body} moreFields={moreFields} plans={`${home}/plan`}>
        {open.kind === 'questions' ? <Questions {...props} narrowed={open.narrowed} /> : null}
        {open.kind === 'charged' ? <AskAgain path={path} count={open.count} /> : null}
      </ReportView>
      <p class="no-print">
        <a href={`${home}/reports?vin=${encodeURIComponent(vin)}#wrong`}>Report this decode as wrong</a>
      </p>
    </>
  );
}

function queryOf(hints: Hints): string {
  const given = HINT_NAMES.flatMap((name) => (hints[name] === undefined ? [] : [[name, String(hints[name])]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

function Actions({ path, query, vin, link }: { path: string; query: string; vin: string; link: string }) {
  return (
    <div class="tools no-print">
      <span hidden id="decode-link">
        {link}
      </span>
      <span hidden id="decode-vin">
        {vin}
      </span>
      <button type="button" class="small" data-copy="decode-link" hidden>
        Copy link
      </button>
      <button type="button" class="small" data-copy="decode-vin" hidden>
        Copy VIN
      </button>
      <button type="button" class="small" data-print hidden>
        Print
      </button>
      <a class="button small" href={`${path}/csv${query}`}>
        Download CSV
      </a>
    </div>
  );
}

/** Before a charge: what it costs, and what for. */
function AskAgain({ path, count }: { path: string; count: number }) {
  return (
    <form class="notice no-print" method="post" action={`${path}/narrow`}>
      <p>
        The VIN leaves {fieldsText(count)} open. Answering questions about {count === 1 ? 'it' : 'them'} is free for 24
        hours after a decode, which have passed. Asking now charges one decode and is free again for 24 hours.
      </p>
      <button>Decode again and narrow it down</button>
    </form>
  );
}

function fieldsText(count: number): string {
  return count === 1 ? 'one field' : `${count} fields`;
}

/** What the VIN leaves open, as a form that narrows the report: at once with JavaScript, else by its button. */
function Questions(props: DecodePartProps & { narrowed: Narrowed }) {
  const { path, hints, faults, narrowed } = props;
  const { questions, engine, conflicts } = narrowed;
  const left = questions.filter(({ chosen }) => chosen === undefined).length;
  const isBegun = HINT_NAMES.some((name) => hints[name] !== undefined) || faults.length > 0;
  return (
    <details class="questions no-print" open={isBegun}>
      <summary>
        {left === 0 ? 'Your answers settle every field' : `The VIN leaves ${fieldsText(left)} open: narrow it down`}
      </summary>
      <form
        class="stack"
        method="get"
        action={path}
        hx-get={path}
        hx-trigger="change, submit"
        hx-target="#content"
        hx-select="#content"
        hx-swap="outerHTML"
        data-address
      >
        <p class="hint">
          Choose what you know. Each answer narrows the others, and settles more of the report. It is free: this decode
          was charged, and for 24 hours questions about its VIN are part of it.
        </p>
        <div aria-live="polite">
          {[...faults, ...conflicts.map(conflictText)].map((text) => (
            <Notice key={text} tone="warn">
              <p>{text}</p>
            </Notice>
          ))}
        </div>
        <QuestionGrid questions={questions} engine={engine} hints={hints} />
        <p class="acts">
          <button>Narrow it down</button>
          {isBegun ? <a href={path}>Clear the answers</a> : null}
        </p>
      </form>
    </details>
  );
}

function QuestionGrid({ questions, engine, hints }: Pick<Narrowed, 'questions' | 'engine'> & { hints: Hints }) {
  const { registrationYear } = hints;
  const asksYear = questions.some(({ field }) => ['model', 'generation', 'modelYear'].includes(field));
  return (
    <div class="question-grid">
      {engine.choices.length > 1 || engine.chosen !== undefined ? <EngineChoice {...engine} /> : null}
      {questions.map((question) =>
        question.hint === undefined ? (
          <Possible key={question.field} question={question} />
        ) : (
          <Choices key={question.field} question={question} name={question.hint} />
        ),
      )}
      {asksYear || registrationYear !== undefined ? (
        <Field
          label="Year of first registration"
          name="registrationYear"
          value={registrationYear === undefined ? '' : String(registrationYear)}
          inputMode="numeric"
          maxLength={4}
          isOptional
          hint="In the registration document."
        />
      ) : null}
    </div>
  );
}

function conflictText(name: string): string {
  const label = [...FIELDS].find(([path]) => path === name || path.endsWith(`.${name}`))?.[1].label ?? name;
  return `${label}: your answer contradicts what the VIN settles, so it is left out.`;
}

function labelOf(field: string): string {
  return field === 'bodyStyleNormalized' ? 'Body style' : (FIELDS.get(field)?.label ?? 'Plant');
}

/** A value as people read it. */
function valueText(field: string, value: string | number): string {
  const unit = FIELDS.get(field)?.unit;
  if (typeof value === 'number') return `${value.toLocaleString('en-US')}${unit === undefined ? '' : `\u00a0${unit}`}`;
  return field === 'bodyStyleNormalized' ? bodyText(value) : value;
}

/** Numbers from small to large, so that one is found among twenty; words stay as they are, the likeliest first. */
function inOrder(values: readonly (string | number)[]): readonly (string | number)[] {
  return values.every((value) => typeof value === 'number') ? values.toSorted((a, b) => a - b) : values;
}

function Choices({ question: { field, choices, chosen, settledBy }, name }: { question: Question; name: string }) {
  // An answer that is only near a possibility is listed beside them.
  const offered = inOrder(chosen === undefined || choices.includes(chosen) ? choices : [chosen, ...choices]);
  return (
    <fieldset>
      <legend>{labelOf(field)}</legend>
      <div class="chips">
        {offered.map((value) => (
          <label key={value} class="chip">
            <input type="radio" id={`${name}-${value}`} name={name} value={value} checked={value === chosen} />
            {valueText(field, value)}
          </label>
        ))}
        <label class="chip">
          <input type="radio" id={`${name}-none`} name={name} value="" checked={chosen === undefined} />
          Not known
        </label>
      </div>
      <Look settledBy={settledBy} />
    </fieldset>
  );
}

/** What no answer names, but others settle. */
function Possible({ question: { field, choices, settledBy } }: { question: Question }) {
  return (
    <div>
      <p class="question">{labelOf(field)}</p>
      <p>
        {inOrder(choices)
          .map((value) => valueText(field, value))
          .join(', ')}
      </p>
      <Look settledBy={settledBy} />
    </div>
  );
}

function Look({ settledBy }: { settledBy: readonly string[] }) {
  return settledBy.length === 0 ? null : <p class="hint">To find out: {settledBy.join('; ')}.</p>;
}
