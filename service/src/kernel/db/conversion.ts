/** A value as both engines take it: times are ISO 8601 texts, flags 0 and 1. */
export type Value = string | number | null;

/** A row of a backup, by the names of its columns. */
export type BackupRow = Readonly<Record<string, Value>>;

/** A row as the tables of the first release take it. */
export interface ConvertedRow {
  table: string;
  row: BackupRow;
}

/**
 * Makes rows of today's tables from a row that any earlier program wrote; one that is as it should be comes back
 * unchanged.
 *
 * @param leaveOut notes in a sentence, for the operator, what cannot be carried over.
 */
export type Conversion = (row: BackupRow, leaveOut: (sentence: string) => void) => Promise<readonly ConvertedRow[]>;

/** The conversions of a slice, by the table that the rows were backed up from. */
export type Conversions = Readonly<Record<string, Conversion>>;
