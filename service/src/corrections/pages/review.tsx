import type { Explanation, FieldEvidence } from '@marque/decoder';

import { Notice } from '../../kernel/ui/fields.tsx';
import { andList } from '../../kernel/lists.ts';
import { unusualIn } from '../suggest.ts';
import { count } from '../../kernel/ui/numbers.ts';
import { ReportStateTag } from './report-state.tsx';
import { fieldLabel, vehicleTitle, ruleSetText } from '../../report/index.ts';
import { Moment } from '../../kernel/ui/times.tsx';
import { VinText } from '../../kernel/ui/vin-plate.tsx';
import type { DiffLine, Review } from '../index.ts';
import { AuditTable } from '../../kernel/audit/audit-table.tsx';
import { Decision } from './decision.tsx';
import { Faults, type ReviewOutcome } from './impact.tsx';
import { type Column, Table } from '../../kernel/ui/table.tsx';

interface ReviewPageProps {
  review: Review;
  /** The next report; undefined: there is none. */
  nextId: string | undefined;
  result: ReviewOutcome;
  /** Names for the ids in the history. */
  names: ReadonlyMap<string, string>;
}

/** Shows everything an administrator needs to decide on a report: the claim, its effect, and the decision. */
export function ReviewPage({ review, nextId, result, names }: ReviewPageProps) {
  const { report, now } = review;
  return (
    <>
      {result.done === undefined ? null : (
        <Notice tone="good">
          <p>
            {result.done}{' '}
            {nextId === undefined ? null : <a href={`/admin/reports/${nextId}`}>Review the next report</a>}
          </p>
        </Notice>
      )}
      {result.faults === undefined ? null : <Faults faults={result.faults} />}
      <div class="heading">
        <p>
          <ReportStateTag state={report.state} /> {SOURCES[report.source]}
          {report.byTestKey ? ' with a test key' : ''}, sent{' '}
          <Moment ms={report.createdAtMs} isAgo={report.state === 'queued'} />
          {report.duplicates === 0 ? '' : `, with ${duplicatesText(report.duplicates)}`}
        </p>
        <p class="hint">
          {nextId === undefined ? (
            'No other report is waiting for review.'
          ) : (
            <a href={`/admin/reports/${nextId}`} data-key="j">
              Next report <kbd>Alt+J</kbd>
            </a>
          )}
        </p>
      </div>
      {report.vin === null ? (
        <Notice tone="warn">
          <p>
            <code>{report.claim.vin}</code> is not a VIN, so there is nothing to correct. Reject the report.
          </p>
        </Notice>
      ) : (
        <p class="reviewed">
          <VinText vin={report.vin} /> <span>{vehicleTitle({ ...now?.report })}</span>{' '}
          <a href={decodePath(report.id)}>Open the decode</a>
        </p>
      )}
      <blockquote class="notice">
        <p>{report.claim.note}</p>
      </blockquote>
      <Diff lines={review.diff} />
      <Decision review={review} result={result} names={names} />
      {now === null ? null : <EvidenceFor now={now} diff={review.diff} />}
      <Similar review={review} />
      <section>
        <h2>History</h2>
        <AuditTable entries={review.history} names={names} />
      </section>
    </>
  );
}

/** Returns the page with the full decode of a report's VIN. */
function decodePath(id: string): string {
  return `/admin/reports/${id}/decode`;
}

/** Origins of reports. */
const SOURCES: Readonly<Record<Review['report']['source'], string>> = {
  public: 'From the public',
  subscriber: 'From a subscriber, by the API',
  portal: 'From a subscriber, in the portal',
};

/** The evidence for the fields in question; that for the others is one click away. */
function EvidenceFor({ now, diff }: { now: Explanation; diff: readonly DiffLine[] }) {
  const disputed = new Set(diff.filter(isInQuestion).map(({ field }) => field));
  const [first, others] = [true, false].map((isDisputed) =>
    now.fields.filter(({ field }) => disputed.has(field) === isDisputed),
  );
  return (
    <section class="evidence">
      <h2>Evidence for the answer</h2>
      <p class="hint">{ruleSetText(now.reading, now.report.manufacturer)}</p>
      {first?.map((field) => (
        <Evidence key={field.field} evidence={field} />
      ))}
      {others === undefined || others.length === 0 ? null : (
        <details>
          <summary>
            Evidence for {others.length === 1 ? 'one other field' : `${count(others.length)} other fields`}
          </summary>
          {others.map((field) => (
            <Evidence key={field.field} evidence={field} />
          ))}
        </details>
      )}
    </section>
  );
}

/** Returns the number of duplicates. */
export function duplicatesText(duplicates: number): string {
  return duplicates === 1 ? 'one duplicate' : `${count(duplicates)} duplicates`;
}

function Diff({ lines }: { lines: readonly DiffLine[] }) {
  const inQuestion = lines.filter(isInQuestion);
  const others = lines.filter((line) => !isInQuestion(line));
  return (
    <section>
      <h2>What was reported</h2>
      <DiffTable lines={inQuestion} />
      {others.length === 0 ? null : (
        <details>
          <summary>
            {others.length === 1 ? 'One undisputed field' : `${count(others.length)} undisputed fields`}
          </summary>
          <DiffTable lines={others} />
        </details>
      )}
    </section>
  );
}

/** Returns true if the field is claimed, or its answers differ. */
function isInQuestion({ claimed, reported, answeredThen, answersNow }: DiffLine): boolean {
  const isReported = reported !== undefined && reported !== answeredThen;
  return claimed !== undefined || isReported || answeredThen !== answersNow;
}

/** Shows the comparison; columns without new values are left out. */
function DiffTable({ lines }: { lines: readonly DiffLine[] }) {
  const wasSent = lines.some(({ reported, answeredThen }) => reported !== undefined && reported !== answeredThen);
  const hasChanged = lines.some(({ answeredThen, answersNow }) => answeredThen !== answersNow);
  const isClaimed = lines.some(({ claimed }) => claimed !== undefined);
  const columns: (Column<DiffLine> | false)[] = [
    {
      head: 'Field',
      kind: 'name',
      cell: ({ field, agrees }) => (
        <>
          {fieldLabel(field)}{' '}
          {agrees === undefined ? null : (
            <span class={`tag ${agrees ? 'good' : 'bad'}`}>{agrees ? 'agrees' : 'differs'}</span>
          )}
        </>
      ),
    },
    isClaimed && {
      head: 'Reported',
      cell: ({ claimed, agrees }) => (
        <>
          {agrees === false ? <ins>{claimed}</ins> : (claimed ?? '–')}
          <Unusual text={claimed ?? ''} />
        </>
      ),
    },
    wasSent && { head: 'Client received', cell: ({ reported }) => reported ?? '–' },
    hasChanged && { head: 'Decoded then', cell: ({ answeredThen }) => answeredThen ?? '–' },
    {
      head: 'Decodes now',
      cell: ({ agrees, answersNow }) =>
        agrees === false && answersNow !== undefined ? <del>{answersNow}</del> : (answersNow ?? '–'),
    },
  ];
  return <Table rows={lines} columns={columns.filter((column) => column !== false)} />;
}

/** Says which letters and signs a text has that can look like others. */
function Unusual({ text }: { text: string }) {
  const unusual = unusualIn(text);
  if (unusual.length === 0) return null;
  return (
    <>
      {' '}
      <span class="tag bad">{andList(unusual)}</span>
    </>
  );
}

/** Counts the rows of data for an answer and against it: " (3 supporting, 1 conflicting)". */
function sidesText(supporting: number, conflicting: number): string {
  const sides = [
    ...(supporting === 0 ? [] : [`${count(supporting)} supporting`]),
    ...(conflicting === 0 ? [] : [`${count(conflicting)} conflicting`]),
  ];
  return sides.length === 0 ? '' : ` (${sides.join(', ')})`;
}

function Evidence({ evidence: { field, value, rows, alternatives, note } }: { evidence: FieldEvidence }) {
  return (
    <details>
      <summary>
        {fieldLabel(field)}: {value ?? 'left out'}
        {sidesText(rows.length, alternatives.length)}
      </summary>
      {note === undefined ? null : <p>{note}</p>}
      <Table
        rows={[
          ...rows.map((row) => ({ ...row, isFor: true })),
          ...alternatives.map((row) => ({ ...row, isFor: false })),
        ]}
        columns={[
          { head: 'Value', kind: 'name', cell: (row) => (row.isFor ? row.value : <del>{row.value}</del>) },
          { head: 'Source', cell: ({ source }) => source },
          { head: 'Row', kind: 'code', cell: ({ row }) => row },
          { head: 'Positions', cell: ({ positions }) => positions.join(' ') },
          { head: 'Confidence', cell: ({ confidence }) => confidence },
        ]}
      />
    </details>
  );
}

function Similar({ review: { similar, recent } }: { review: Review }) {
  return (
    <section>
      <h2>Similar reports and decodes</h2>
      {similar.length === 0 ? (
        <p>No other report has the same positions 1 to 8.</p>
      ) : (
        <ul>
          {similar.map(({ id, claim, state }) => (
            <li key={id}>
              <a href={`/admin/reports/${id}`}>
                <VinText vin={claim.vin} />
              </a>{' '}
              {[claim.expectedModelYear, claim.expectedManufacturer, claim.expectedModel].join(' ')}{' '}
              <ReportStateTag state={state} />
            </li>
          ))}
        </ul>
      )}
      {recent.length === 0 ? null : (
        <details>
          <summary>Recent decodes with the same positions 1 to 8: {count(recent.length)}</summary>
          <ul>
            {recent.map(({ id, vin, report, createdAtMs }) => (
              <li key={id}>
                <VinText vin={vin} /> {vehicleTitle({ ...report })}, <Moment ms={createdAtMs} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
