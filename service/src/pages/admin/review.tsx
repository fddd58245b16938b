import type { FieldEvidence, RowEvidence } from '@marque/decoder';

import { Notice } from '../../platform/ui/fields.tsx';
import { count } from '../../platform/ui/numbers.ts';
import { ReportStateTag } from '../shared/report-state.tsx';
import { vehicleTitle } from '../shared/report-rows.ts';
import { Moment } from '../../platform/ui/times.tsx';
import { VinPlate, VinText } from '../../platform/ui/vin-plate.tsx';
import type { DiffLine, Review } from '../../features/corrections/index.ts';
import { AuditTable } from './audit-table.tsx';
import { DecisionForms } from './decision.tsx';
import type { ReviewOutcome } from './impact.tsx';

interface ReviewPageProps {
  review: Review;
  /** The report to go on to; undefined: there is none. */
  nextId: string | undefined;
  result: ReviewOutcome;
}

/** All that an administrator needs to decide on a report. */
export function ReviewPage({ review, nextId, result }: ReviewPageProps) {
  const { report, now } = review;
  return (
    <>
      <ResultNotice result={result} />
      <div class="heading">
        <p>
          <ReportStateTag state={report.state} /> from {report.source}, sent <Moment ms={report.createdAtMs} /> UTC
          {report.duplicates === 0 ? '' : `, with ${count(report.duplicates)} that say the same`}
        </p>
        <p class="hint">
          {nextId === undefined ? (
            'This is the last one in the queue.'
          ) : (
            <a href={`/admin/reports/${nextId}`} data-key="n">
              Next report <kbd>Alt n</kbd>
            </a>
          )}
        </p>
      </div>
      {report.vin === null ? (
        <Notice tone="warn">
          <p>
            <code>{report.claim.vin}</code> is no VIN, so that nothing can be corrected. Reject the report.
          </p>
        </Notice>
      ) : (
        <VinPlate vin={report.vin} report={now?.report ?? {}} />
      )}
      <section>
        <h2>Claim and answer</h2>
        <blockquote class="notice">
          <p>{report.claim.note}</p>
        </blockquote>
        <Diff lines={review.diff} />
      </section>
      <DecisionForms review={review} result={result} />
      {now === null ? null : (
        <section>
          <h2>Why Marque answers so</h2>
          <p>{now.reading}</p>
          {now.fields.map((field) => (
            <Evidence key={field.field} evidence={field} />
          ))}
        </section>
      )}
      <Similar review={review} />
      <section>
        <h2>History</h2>
        <AuditTable entries={review.history} />
      </section>
    </>
  );
}

function ResultNotice({ result }: { result: ReviewOutcome }) {
  return (
    <>
      {result.done === undefined ? null : (
        <Notice tone="good">
          <p>{result.done}</p>
        </Notice>
      )}
      {result.faults === undefined ? null : (
        <Notice tone="bad">
          {result.faults.map((fault) => (
            <p key={fault}>{fault}</p>
          ))}
        </Notice>
      )}
    </>
  );
}

function Diff({ lines }: { lines: readonly DiffLine[] }) {
  const inQuestion = lines.filter(isInQuestion);
  const others = lines.filter((line) => !isInQuestion(line));
  return (
    <>
      <DiffTable lines={inQuestion} />
      {others.length === 0 ? null : (
        <details>
          <summary>{count(others.length)} fields that nobody questions</summary>
          <DiffTable lines={others} />
        </details>
      )}
    </>
  );
}

/** Whether somebody claims the field, or answers to it have differed. */
function isInQuestion({ claimed, reported, answeredThen, answersNow }: DiffLine): boolean {
  const isReported = reported !== undefined && reported !== answeredThen;
  return claimed !== undefined || isReported || answeredThen !== answersNow;
}

function DiffTable({ lines }: { lines: readonly DiffLine[] }) {
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Claimed</th>
          <th scope="col">Client got</th>
          <th scope="col">Answered then</th>
          <th scope="col">Answers now</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ field, claimed, reported, answeredThen, answersNow, agrees }) => (
          <tr key={field}>
            <th scope="row">
              {field}{' '}
              {agrees === undefined ? null : (
                <span class={`tag ${agrees ? 'good' : 'bad'}`}>{agrees ? 'agrees' : 'differs'}</span>
              )}
            </th>
            <td data-label="Claimed">{agrees === false ? <ins>{claimed}</ins> : (claimed ?? '–')}</td>
            <td data-label="Client got">{reported ?? '–'}</td>
            <td data-label="Answered then">{answeredThen ?? '–'}</td>
            <td data-label="Answers now">
              {agrees === false && answersNow !== undefined ? <del>{answersNow}</del> : (answersNow ?? '–')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Evidence({ evidence: { field, value, rows, alternatives, note } }: { evidence: FieldEvidence }) {
  return (
    <details>
      <summary>
        {field}: {value ?? 'left out'} ({count(rows.length)} for, {count(alternatives.length)} other)
      </summary>
      {note === undefined ? null : <p>{note}</p>}
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">Value</th>
            <th scope="col">Source</th>
            <th scope="col">Row</th>
            <th scope="col">Positions</th>
            <th scope="col">Confirm</th>
          </tr>
        </thead>
        <tbody>
          <EvidenceRows rows={rows} isFor />
          <EvidenceRows rows={alternatives} isFor={false} />
        </tbody>
      </table>
    </details>
  );
}

function EvidenceRows({ rows, isFor }: { rows: readonly RowEvidence[]; isFor: boolean }) {
  return (
    <>
      {rows.map(({ value, source, row, positions, confidence }) => (
        <tr key={`${source} ${row} ${value}`}>
          <th scope="row">{isFor ? value : <del>{value}</del>}</th>
          <td data-label="Source">{source}</td>
          <td data-label="Row">{row}</td>
          <td data-label="Positions">{positions.join(' ')}</td>
          <td data-label="Confirm">{confidence}</td>
        </tr>
      ))}
    </>
  );
}

function Similar({ review: { similar, recent } }: { review: Review }) {
  return (
    <section>
      <h2>Alike</h2>
      {similar.length === 0 ? (
        <p>No other report on the same positions 1 to 8.</p>
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
          <summary>{count(recent.length)} recent decodes of the same positions 1 to 8</summary>
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
