import type { FieldEvidence } from '@marque/decoder';

import { Notice, NoticeText } from '../../kernel/ui/fields.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import { ReportStateTag } from './report-state.tsx';
import { vehicleTitle } from '../../report/report-rows.ts';
import { Moment } from '../../kernel/ui/times.tsx';
import { VinPlate, VinText } from '../../kernel/ui/vin-plate.tsx';
import type { DiffLine, Review } from '../index.ts';
import { AuditTable } from '../../kernel/audit/audit-table.tsx';
import { DecisionForms } from './decision.tsx';
import { Faults, type ReviewOutcome } from './impact.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import { ruleSetText } from '../../report/rule-set.ts';

interface ReviewPageProps {
  review: Review;
  /** The next report; undefined: there is none. */
  nextId: string | undefined;
  result: ReviewOutcome;
  /** Names for the ids in the history. */
  names: ReadonlyMap<string, string>;
}

/** Everything an administrator needs to decide on a report. */
export function ReviewPage({ review, nextId, result, names }: ReviewPageProps) {
  const { report, now } = review;
  return (
    <>
      <NoticeText tone="good" text={result.done} />
      {result.faults === undefined ? null : <Faults faults={result.faults} />}
      <div class="heading">
        <p>
          <ReportStateTag state={report.state} /> from {report.source}, sent <Moment ms={report.createdAtMs} />
          {report.duplicates === 0 ? '' : `, with ${duplicatesText(report.duplicates)}`}
        </p>
        <p class="hint">
          {nextId === undefined ? (
            'This is the last report in the queue.'
          ) : (
            <a href={`/admin/reports/${nextId}`} data-key="n">
              Next report <kbd>Alt+N</kbd>
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
        <VinPlate vin={report.vin} report={now?.report ?? {}} />
      )}
      <section>
        <h2>What was reported</h2>
        <blockquote class="notice">
          <p>{report.claim.note}</p>
        </blockquote>
        <Diff lines={review.diff} />
      </section>
      <div class="beside">
        <div class="stack">
          <DecisionForms review={review} result={result} />
        </div>
        {now === null ? null : (
          <section class="evidence">
            <h2>Evidence for the answer</h2>
            <p class="hint">{ruleSetText(now.reading, now.report.manufacturer)}</p>
            {now.fields.map((field) => (
              <Evidence key={field.field} evidence={field} />
            ))}
          </section>
        )}
      </div>
      <Similar review={review} />
      <section>
        <h2>History</h2>
        <AuditTable entries={review.history} names={names} />
      </section>
    </>
  );
}

/** The number of duplicates. */
export function duplicatesText(duplicates: number): string {
  return duplicates === 1 ? 'one duplicate' : `${count(duplicates)} duplicates`;
}

function Diff({ lines }: { lines: readonly DiffLine[] }) {
  const inQuestion = lines.filter(isInQuestion);
  const others = lines.filter((line) => !isInQuestion(line));
  return (
    <>
      <DiffTable lines={inQuestion} />
      {others.length === 0 ? null : (
        <details>
          <summary>{count(others.length)} undisputed fields</summary>
          <DiffTable lines={others} />
        </details>
      )}
    </>
  );
}

/** Whether the field is claimed, or its answers differ. */
function isInQuestion({ claimed, reported, answeredThen, answersNow }: DiffLine): boolean {
  const isReported = reported !== undefined && reported !== answeredThen;
  return claimed !== undefined || isReported || answeredThen !== answersNow;
}

function DiffTable({ lines }: { lines: readonly DiffLine[] }) {
  return (
    <Table
      rows={lines}
      columns={[
        {
          head: 'Field',
          kind: 'name',
          cell: ({ field, agrees }) => (
            <>
              {field}{' '}
              {agrees === undefined ? null : (
                <span class={`tag ${agrees ? 'good' : 'bad'}`}>{agrees ? 'agrees' : 'differs'}</span>
              )}
            </>
          ),
        },
        {
          head: 'Reported',
          cell: ({ claimed, agrees }) => (agrees === false ? <ins>{claimed}</ins> : (claimed ?? '–')),
        },
        { head: 'Client received', cell: ({ reported }) => reported ?? '–' },
        { head: 'Decoded then', cell: ({ answeredThen }) => answeredThen ?? '–' },
        {
          head: 'Decodes now',
          cell: ({ agrees, answersNow }) =>
            agrees === false && answersNow !== undefined ? <del>{answersNow}</del> : (answersNow ?? '–'),
        },
      ]}
    />
  );
}

function Evidence({ evidence: { field, value, rows, alternatives, note } }: { evidence: FieldEvidence }) {
  return (
    <details>
      <summary>
        {field}: {value ?? 'left out'}
        {rows.length + alternatives.length === 0
          ? ''
          : ` (${count(rows.length)} supporting, ${count(alternatives.length)} conflicting)`}
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
