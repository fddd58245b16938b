import type { JobColumns } from '../kernel/db/job-columns.ts';

/**
 * The state of a file of VINs. `stopped`: at the limit, while its workspace is suspended, or before its
 * first row until a member has seen what it costs.
 */
export type FileState = 'queued' | 'running' | 'stopped' | 'completed';

/** The tables of files. */
export interface FileTables {
  /** Files of VINs: see `files/`. */
  vin_files: JobColumns & {
    id: string;
    workspace_id: string;
    created_by: string;
    name: string;
    /** The names of its columns, as JSON; null: its first row is data. */
    header: string | null;
    /** What its results are written with between cells. */
    delimiter: string;
    /** The column of VINs, from 0. */
    vin_column: number;
    column_name: string;
    /** Columns of its widest row. */
    width: number;
    /** Size of its pages, UTF-8. */
    bytes: number;
    state: FileState;
    row_count: number;
    done: number;
    delivered: number;
    created_at: number;
    finished_at: number | null;
  };
  /** Some rows of a file, one after the other, so that none has to be read whole. */
  vin_file_pages: {
    file_id: string;
    /** The number of its first row, from 0, without the header. */
    first_row: number;
    /** The cells of each row, as JSON. */
    rows: string;
  };
  /** The decode of each row that is a VIN, noted before it is charged. */
  vin_file_rows: {
    file_id: string;
    /** From 0, without the header. */
    row: number;
    /** Null: it waits for a slower look, and was not charged. */
    decode_id: string | null;
  };
}

declare module '../kernel/db/schema.ts' {
  interface Schema extends FileTables {}
}
