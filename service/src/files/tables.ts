import { JOB_COLUMNS } from '../kernel/db/job-columns.ts';
import { bigint, integer, key, oneOf, type Rows, table, text } from '../kernel/db/table.ts';

/**
 * The states of a file of VINs. `stopped`: at the limit, while its workspace is suspended, once its key is revoked, or before its first row
 * until a member has seen its cost.
 */
const FILE_STATES = ['queued', 'running', 'stopped', 'completed'] as const;
export type FileState = (typeof FILE_STATES)[number];

/** The tables of files. */
export const FILE_TABLES = {
  /** Files of VINs: see `files/`. */
  vin_files: table(
    {
      id: key().primary(),
      workspace_id: key().belongsTo('workspaces'),
      created_by: text(),
      name: text(),
      /** The names of its columns, as JSON; null: its first row is data. */
      header: text().nullable(),
      /** The delimiter of its results. */
      delimiter: text(),
      /** The column of VINs, from 0. */
      vin_column: integer(),
      column_name: text(),
      /** Columns of its widest row. */
      width: integer(),
      /** Size of its names, its pages and its reading, UTF-8. */
      bytes: integer(),
      state: oneOf(...FILE_STATES),
      row_count: integer(),
      done: integer(),
      delivered: integer(),
      created_at: bigint(),
      finished_at: bigint().nullable(),
      /** Its interpretation: a `Reading` as JSON; null: an earlier version stored the file. */
      reading: text().nullable().since(101),
      ...JOB_COLUMNS,
    },
    { indexes: { vin_files_workspace: '(workspace_id, id)', vin_files_state: '(state, workspace_id)' } },
  ),
  /** Some rows of a file, one after the other, so that none has to be read whole. */
  vin_file_pages: table(
    {
      file_id: key().belongsTo('vin_files'),
      /** The number of its first row, from 0, without the header. */
      first_row: integer(),
      /** The cells of each row, as JSON. */
      rows: text(),
      /** The lines of its rows: `Lines` as JSON; null: an earlier version stored the page. */
      lines: text().nullable().since(110),
    },
    { primaryKey: ['file_id', 'first_row'] },
  ),
  /** The decode of each row that is a VIN, noted before it is charged. */
  vin_file_rows: table(
    {
      file_id: key().belongsTo('vin_files'),
      /** The number of the row from 0, without the header. */
      row: integer(),
      /** Null: it waits for enrichment, and was not charged. */
      decode_id: key().nullable(),
    },
    { primaryKey: ['file_id', 'row'], withoutRowid: true },
  ),
};

export type FileTables = Rows<typeof FILE_TABLES>;

declare module '../kernel/db/schema.ts' {
  interface Schema extends FileTables {}
}
