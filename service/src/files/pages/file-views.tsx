import { isVinColumnName } from '@marque/catalog/tables';

import { Confirm } from '../../kernel/ui/confirm.tsx';
import { Notice, PostButton } from '../../kernel/ui/fields.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import { Stats } from '../../kernel/ui/stats.tsx';
import { type Column, Table } from '../../kernel/ui/table.tsx';
import { Moment } from '../../kernel/ui/times.tsx';
import { VinText } from '../../kernel/ui/vin-plate.tsx';
import { titleLine } from '../../report/index.ts';
import { RESULT_FORM_NAMES, type ResultForm } from '../export.ts';
import type { FilePreview, FirstRow, Sample } from '../preview.ts';
import type { VinFile } from '../store.ts';

interface FileListProps {
  files: readonly VinFile[];
  /** Path of the workspace's pages. */
  home: string;
  /** The last of these files, if there are older ones. */
  olderThan: string | undefined;
}

/** A workspace's files. */
export function FileList({ files, home, olderThan }: FileListProps) {
  return (
    <Table
      rows={files}
      empty="No files yet. Your files appear here."
      more={olderThan === undefined ? undefined : { href: `${home}/files?before=${olderThan}`, text: 'Older files' }}
      columns={[
        { head: 'File', kind: 'name', cell: ({ id, name }) => <a href={`${home}/files/${id}`}>{name}</a> },
        { head: 'State', cell: (file) => <FileTag file={file} /> },
        { head: 'Rows', kind: 'figure', cell: ({ rows }) => count(rows) },
        { head: 'Decoded', kind: 'figure', cell: ({ delivered }) => count(delivered) },
        { head: 'Sent', cell: ({ createdAtMs }) => <Moment ms={createdAtMs} /> },
      ]}
    />
  );
}

const TONES = { queued: '', running: 'warn', stopped: 'bad', completed: 'good' } as const;

function FileTag({ file }: { file: VinFile }) {
  if (isHeld(file)) return <span class="tag">not decoded yet</span>;
  return <span class={`tag ${TONES[file.state]}`}>{file.state}</span>;
}

/** The data of a file's page. */
export interface FileView {
  file: VinFile;
  /** Path of the workspace's pages. */
  home: string;
  limit: number | null;
  /** True if it stopped because its key was revoked. */
  isKeyRevoked?: boolean;
  /** Rows that are still being looked up. */
  pending: number;
  /** Its first rows that were dealt with. */
  first: readonly FirstRow[];
  /** Before its first row: what decoding it would do. */
  preview?: FilePreview | undefined;
  /** Decodes that are left this month; null: no limit. */
  remaining?: number | null;
}

/** Returns true if nothing of a file was decoded, and a member has to confirm it. */
export function isHeld({ state, done }: VinFile): boolean {
  return state === 'stopped' && done === 0;
}

/** The page of one file. */
export function FilePage({ keptDays, maker, ...view }: FileView & { keptDays: number; maker: string }) {
  const { file, home } = view;
  return (
    <>
      <FilePart {...view} />
      <p class="hint">
        {view.preview === undefined ? `${understood(file)} ` : ''}
        {maker}. The file and its result are kept for {keptDays} days.
      </p>
      <Confirm
        id="remove-file"
        label="Remove the file"
        act="Remove the file"
        says="The file and its result are deleted at once. What was charged stays charged; the decodes themselves are kept as usual."
        action={`${home}/files/${file.id}/remove`}
      />
      <p>
        <a href={`${home}/files`}>All files</a>
      </p>
    </>
  );
}

/** Describes what was understood of a file. */
function understood(file: VinFile): string {
  return `${readAs(file)}; VINs from ${columnText(file.columnName)}.`;
}

/** Names a column for its reader: by its name, or by its number if the file has no header. */
function columnText(name: string): string {
  return /^column \d+$/.test(name) ? name : `the column “${name}”`;
}

/** Describes the interpretation of a file: its form, and the sheet or the encoding if it could have been another. */
function readAs({ form, sheet, encoding }: Pick<VinFile, 'form' | 'sheet' | 'encoding'>): string {
  if (sheet !== undefined) return `${form}, sheet “${sheet}”`;
  return encoding === undefined ? form : `${form} in ${encoding.startsWith('utf') ? encoding.toUpperCase() : encoding}`;
}

/** The progress of a file; refreshes itself until it is finished. */
export function FilePart({
  file,
  home,
  limit,
  isKeyRevoked = false,
  pending,
  first,
  preview,
  remaining = null,
}: FileView) {
  const path = `${home}/files/${file.id}`;
  if (preview !== undefined) return <Preview file={file} preview={preview} remaining={remaining} path={path} />;
  const isOver = file.state === 'completed' || file.state === 'stopped';
  const again = isOver ? {} : { 'hx-get': path, 'hx-trigger': 'every 1s', 'hx-swap': 'outerHTML' };
  return (
    <section id="file" class="stack" aria-live="polite" {...again}>
      <p>
        {file.state === 'completed' ? (
          <>Done: {rowsText(file.rows)}</>
        ) : (
          <>
            <FileTag file={file} /> {count(file.done)} of {count(file.rows)} rows
          </>
        )}
      </p>
      <progress max={file.rows} value={file.done} aria-label="Rows processed" />
      {file.state === 'stopped' ? <Stopped file={file} path={path} limit={limit} isKeyRevoked={isKeyRevoked} /> : null}
      <Stats
        figures={[
          { label: 'Decoded and charged', value: count(file.delivered) },
          { label: 'Without a valid VIN', value: count(file.done - file.delivered - pending), note: 'not charged' },
          ...(pending === 0 ? [] : [{ label: 'Still being looked up', value: count(pending), note: 'not charged' }]),
          { label: 'Remaining', value: count(file.rows - file.done) },
        ]}
      />
      {file.done === 0 ? null : <Downloads file={file} path={path} />}
      <FirstResults first={first} home={home} />
    </section>
  );
}

const FORM_LABELS = { csv: 'CSV', xlsx: 'Excel', parquet: 'Parquet' } as const satisfies Record<ResultForm, string>;

/** The result in each form; first of all in that of the file itself. */
function Downloads({ file: { name, state }, path }: { file: VinFile; path: string }) {
  const own = RESULT_FORM_NAMES.find((form) => name.toLowerCase().endsWith(`.${form}`)) ?? 'csv';
  return (
    <p class="row">
      {RESULT_FORM_NAMES.map((form) => (
        <a
          key={form}
          class={state === 'completed' && form === own ? 'button first' : 'button'}
          href={`${path}/result.${form}`}
          download
        >
          Download {FORM_LABELS[form]}
        </a>
      ))}
    </p>
  );
}

function Stopped({
  file,
  path,
  limit,
  isKeyRevoked,
}: { path: string } & Required<Pick<FileView, 'file' | 'limit' | 'isKeyRevoked'>>) {
  const atLimit = limit === null ? 'the workspace is suspended' : `the month's ${count(limit)} decodes are used up`;
  return (
    <Notice tone="bad">
      <p>
        Stopped before row {count(file.done + 1)}: {isKeyRevoked ? 'the key that sent it was revoked' : atLimit}. The
        result has every row before it.
      </p>
      <PostButton action={`${path}/resume`} label={`Continue from row ${count(file.done + 1)}`} />
    </Notice>
  );
}

interface PreviewProps {
  file: VinFile;
  preview: FilePreview;
  /** Decodes that are left this month; null: no limit. */
  remaining: number | null;
  /** The file's page. */
  path: string;
}

/** Shows the effect and the cost of decoding a file, before anything is charged. */
function Preview({ file, preview: { rows, bad, firstBad, sample }, remaining, path }: PreviewProps) {
  const decodes = rows - bad;
  const isTooMuch = remaining !== null && decodes > remaining;
  return (
    <section id="file" class="stack">
      <p>
        <strong>
          {rowsText(rows)}, {count(bad)} without a valid VIN, up to {count(decodes)}{' '}
          {decodes === 1 ? 'decode' : 'decodes'}
          {remaining === null ? '' : `, ${count(remaining)} left this month`}.
        </strong>{' '}
        Nothing has been charged yet.
      </p>
      <p>{understood(file)}</p>
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
      <FirstRows sample={sample} />
      {bad === 0 ? null : (
        <>
          <h2>Rows without a valid VIN</h2>
          <Table
            rows={firstBad}
            caption={
              bad > firstBad.length
                ? `The first ${firstBad.length} of ${count(bad)}; the result has them all.`
                : undefined
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

/** Shows the first rows of a file, so that its columns can be checked. */
function FirstRows({ sample: { columns, rows, more } }: { sample: Sample }) {
  return (
    <>
      <h2>First rows</h2>
      <Table
        rows={rows}
        caption={
          more === 0
            ? undefined
            : `${count(more)} more ${more === 1 ? 'column' : 'columns'} in the file and its result.`
        }
        columns={[
          { head: 'Line', kind: 'figure', cell: ({ line }) => count(line) },
          ...columns.map(({ name, isVin }, place): Column<Sample['rows'][number]> => ({
            head: isVin && !isVinColumnName(name) ? `${name} (VINs)` : name,
            kind: isVin ? 'code' : 'text',
            cell: ({ cells }) => cells[place] || '–',
          })),
        ]}
      />
    </>
  );
}

function rowsText(rows: number): string {
  return rows === 1 ? 'One row' : `${count(rows)} rows`;
}

/** The first results of a file, each with its decode. */
function FirstResults({ first, home }: { first: readonly FirstRow[]; home: string }) {
  if (first.length === 0) return null;
  return (
    <>
      <h2>First results</h2>
      <Table
        rows={first}
        columns={[
          { head: 'Line', kind: 'figure', cell: ({ line }) => count(line) },
          { head: 'In the file', kind: 'code', cell: ({ text }) => (text === '' ? '–' : <VinText vin={text} />) },
          {
            head: 'Vehicle',
            cell: ({ decodeId, report, problem }) =>
              report === undefined ? problem : <a href={`${home}/decodes/${decodeId}`}>{titleLine(report)}</a>,
          },
        ]}
      />
    </>
  );
}
