import type { FilePreview, FirstRow } from '../preview.ts';
import { PostButton } from '../../kernel/ui/fields.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import { Table } from '../../kernel/ui/table.tsx';
import { VinText } from '../../kernel/ui/vin-plate.tsx';
import { titleLine } from '../../report/report-rows.ts';

interface PreviewProps {
  preview: FilePreview;
  /** Decodes that are left this month; null: no limit. */
  remaining: number | null;
  /** The file's page. */
  path: string;
}

/** What decoding a file will do and cost, before anything is charged. */
export function Preview({ preview: { rows, bad, firstBad }, remaining, path }: PreviewProps) {
  const decodes = rows - bad;
  const isTooMuch = remaining !== null && decodes > remaining;
  return (
    <section id="file" class="stack">
      <p>
        <strong>
          {rowsText(rows)}, {count(bad)} without a valid VIN, about {count(decodes)}{' '}
          {decodes === 1 ? 'decode' : 'decodes'}
          {remaining === null ? '' : `, ${count(remaining)} left this month`}.
        </strong>{' '}
        Nothing has been charged yet.
      </p>
      {isTooMuch ? (
        <p class="notice warn">
          The file stops after {rowsText(remaining)}. You can continue from there after an upgrade, or next month.
        </p>
      ) : null}
      {decodes === 0 ? (
        <p>No row has a valid VIN. Choose another column, or remove the file.</p>
      ) : (
        <PostButton action={`${path}/resume`} label="Decode the file" look="first" />
      )}
      {bad === 0 ? null : (
        <>
          <h2>Rows without a valid VIN</h2>
          <Table
            rows={firstBad}
            caption={
              bad > firstBad.length ? `The first ${firstBad.length} of ${count(bad)}; the result has them all.` : ''
            }
            columns={[
              { head: 'Line', kind: 'figure', cell: ({ line }) => count(line) },
              { head: 'In the file', kind: 'code', cell: ({ text }) => (text === '' ? '–' : text) },
              { head: 'Reason', cell: ({ reason }) => reason },
            ]}
          />
        </>
      )}
    </section>
  );
}

function rowsText(rows: number): string {
  return rows === 1 ? 'One row' : `${count(rows)} rows`;
}

/** The first results of a file. */
export function FirstResults({ first }: { first: readonly FirstRow[] }) {
  if (first.length === 0) return null;
  return (
    <>
      <h2>First results</h2>
      <Table
        rows={first}
        columns={[
          { head: 'Line', kind: 'figure', cell: ({ line }) => count(line) },
          { head: 'In the file', kind: 'code', cell: ({ text }) => (text === '' ? '–' : <VinText vin={text} />) },
          { head: 'Vehicle', cell: ({ report, problem }) => (report === undefined ? problem : titleLine(report)) },
        ]}
      />
    </>
  );
}
