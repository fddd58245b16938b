import { HINT_NAMES, type Hints } from '@marque/decoder';

import type { Narrowed } from '../searches/questions.ts';
import { NoticeText } from '../../kernel/ui/fields.tsx';
import { Day, Moment, waitText } from '../../kernel/ui/times.tsx';
import { type Why, fieldLabel, FIELDS, type ReportRow } from '../../report/index.ts';
import { Json, ReportView } from '../../report/pages/index.ts';
import type { CorrectedReport } from '../../corrections/index.ts';
import { Questions } from './questions.tsx';
import { PostForm } from '../../kernel/ui/post-form.tsx';

/** The data of a decode's page. The report is cut to the fields that its reader may see. */
export interface DecodePartProps {
  id: string;
  vin: string;
  /** With which key, or where. */
  how: string;
  createdAtMs: number;
  path: string;
  /** The workspace's pages. */
  home: string;
  baseUrl: string;
  report: Record<string, unknown>;
  body: unknown;
  moreFields: string;
  why: ReadonlyMap<string, Why>;
  /** The answer at the time of decoding. */
  original: Record<string, unknown>;
  /** Changes by later corrections. */
  changes: CorrectedReport['changes'];
  /** The answers that were given. */
  hints: Hints;
  faults: readonly string[];
  /** Open fields of the VIN; `charged`: asking costs a decode again; `later`: the limit of questions is reached. */
  open:
    | { kind: 'nothing' }
    | { kind: 'questions'; narrowed: Narrowed }
    | { kind: 'charged'; count: number }
    | { kind: 'later'; retryAfterSeconds: number };
}

/** Shows a decode: its actions, its open fields, and the report. */
export function DecodePart(props: DecodePartProps) {
  const { id, vin, how, createdAtMs, path, home, baseUrl, report, body, moreFields, why, hints, open } = props;
  const query = queryOf(hints);
  return (
    <>
      <div class="toolbar">
        <p class="hint">
          Decoded on <Moment ms={createdAtMs} /> {how}, ID <code>{id}</code>.{' '}
          <span class="no-print">Opening this page again is free.</span>
        </p>
        <Actions path={path} query={query} vin={vin} link={`${baseUrl}${path}${query}`} />
      </div>
      <h2 class="unseen">Report</h2>
      <Corrected changes={props.changes} original={props.original} />
      <ReportView
        report={report}
        body={body}
        moreFields={moreFields}
        plans={`${home}/plan`}
        why={why}
        beside={(row) => <Beside row={row} home={home} vin={vin} changes={props.changes} />}
      >
        {open.kind === 'questions' ? <Questions {...props} narrowed={open.narrowed} target="#content" /> : null}
        {open.kind === 'charged' ? <AskAgain path={path} count={open.count} /> : null}
        {open.kind === 'later' ? <NoticeText tone="warn" text={laterText(open.retryAfterSeconds)} /> : null}
      </ReportView>
      <p class="no-print">
        <a href={`${home}/reports?vin=${encodeURIComponent(vin)}#wrong`}>Report this decode as wrong</a>
      </p>
    </>
  );
}

interface BesideProps extends Pick<DecodePartProps, 'home' | 'vin' | 'changes'> {
  row: ReportRow;
}

/** Shows beside a row's value the earlier one, and a link to report it as wrong. */
function Beside({ row: { path, label }, home, vin, changes }: BesideProps) {
  const query = new URLSearchParams({ vin, field: path });
  return (
    <>
      <CorrectedFrom path={path} changes={changes} />
      <a class="says-wrong no-print" href={`${home}/reports?${query.toString()}`}>
        Wrong? <span class="unseen">{label}</span>
      </a>
    </>
  );
}

/** Shows when a correction changed a field of a row, and its earlier value; nothing without one. */
export function CorrectedFrom({ path, changes }: { path: string } & Pick<DecodePartProps, 'changes'>) {
  const change = changes.find(({ field }) => field === path);
  if (change === undefined) return null;
  return (
    <span class="hint">
      Corrected on <Day ms={change.atMs} /> {wasText(change)}
    </span>
  );
}

function wasText({ field, was }: DecodePartProps['changes'][number]): string {
  const unit = FIELDS.get(field)?.unit;
  return was === undefined ? '(was empty)' : `(was ${was}${unit === undefined ? '' : `\u00a0${unit}`})`;
}

/** Shows the changes by corrections, and the original answer: a program that stored it has that one. */
export function Corrected({ changes, original }: Pick<DecodePartProps, 'changes' | 'original'>) {
  if (changes.length === 0) return null;
  const texts = changes.map((change) => `${fieldLabel(change.field)} ${wasText(change)}`);
  return (
    <div class="notice">
      <p>
        Corrected on <Day ms={Math.max(...changes.map(({ atMs }) => atMs))} />: {texts.join(', ')}.
      </p>
      <details>
        <summary>The answer that you got</summary>
        <Json value={{ report: original }} label="The answer as it was given" />
      </details>
    </div>
  );
}

/** Returns the refusal for a workspace that narrows decodes down faster than its limit allows. */
export function laterText(retryAfterSeconds: number): string {
  return `Too many decodes are being narrowed down at once. Nothing was charged. Load this page again in ${waitText(retryAfterSeconds)}.`;
}

function queryOf(hints: Hints): string {
  const given = HINT_NAMES.flatMap((name) => (hints[name] === undefined ? [] : [[name, String(hints[name])]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

interface ActionsProps {
  path: string;
  query: string;
  vin: string;
  link: string;
}

/** Shows the actions on a decode: copy, print, save. */
export function Actions({ path, query, vin, link }: ActionsProps) {
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
      <a class="button small" href={`${path}/json${query}`}>
        Download JSON
      </a>
    </div>
  );
}

/** Asks before a charge, with its price and its purpose. */
function AskAgain({ path, count }: { path: string; count: number }) {
  return (
    <PostForm class="notice no-print" action={`${path}/narrow`}>
      <p>
        The VIN leaves {fieldsText(count)} open. Answering questions about {count === 1 ? 'it' : 'them'} is free for 24
        hours after a decode, which have passed. Asking now charges one decode and is free again for 24 hours.
      </p>
      <button>Decode again and narrow it down</button>
    </PostForm>
  );
}

function fieldsText(count: number): string {
  return count === 1 ? 'one field' : `${count} fields`;
}
