/** A column of a table that is written for others. */
export interface Column {
  name: string;
  /** Whether its cells are numbers, or empty. */
  isNumber: boolean;
}

/** Rows that are written together; an empty cell is none. */
export type Page = readonly (readonly string[])[];
