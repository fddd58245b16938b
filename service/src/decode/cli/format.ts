import type { Paint } from '../../kernel/cli/paint.ts';
import { cellsOf } from '../../report/cells.ts';
import { CSV_COLUMNS, fieldsOf, valueOf } from './result.ts';
import type { ReportResult, Result } from './result-types.ts';
import { csvLine } from '../../kernel/csv/csv.ts';
import { rowHeader, rowLine, sheet, widthsIn } from './table.ts';

export const FORMATS = ['table', 'json', 'jsonl', 'csv', 'vpic'] as const;

export type FormatName = (typeof FORMATS)[number];

/** How results become text: `begin`, then each result with `between` in between, then `end`. */
export interface Format {
  begin: string;
  between: string;
  end: string;
  textOf(result: Result): string;
  /** The same of a report that is JSON already; absent: the format shows its fields otherwise. */
  ofJson?: (json: string) => string;
}

/** What is printed. */
export interface Scope {
  /** Exactly one VIN was asked for: it is printed as one object or one sheet, not as a list. */
  single: boolean;
  /** With evidence, which needs a sheet. */
  explain: boolean;
}

/**
 * The named format.
 *
 * @param width columns of the terminal that a table must fit; undefined: not a terminal.
 */
export function formatOf(name: FormatName, { single, explain }: Scope, paint: Paint, width?: number): Format {
  if (name === 'table') return single || explain ? sheetsIn(paint) : rowsIn(paint, width);
  if (name === 'json') return single ? JSON_OBJECT : JSON_LIST;
  return name === 'csv' ? CSV : JSONL;
}

function sheetsIn(paint: Paint): Format {
  return { begin: '', between: '\n', end: '', textOf: ofReports((result) => sheet(result, paint)) };
}

function rowsIn(paint: Paint, width: number | undefined): Format {
  const widths = widthsIn(width);
  return {
    begin: rowHeader(paint, widths),
    between: '',
    end: '',
    textOf: ofReports((result) => rowLine(result, paint, widths)),
  };
}

const JSONL: Format = {
  begin: '',
  between: '',
  end: '',
  textOf: (result) => `${JSON.stringify(valueOf(result))}\n`,
  ofJson: (json) => `${json}\n`,
};

/** vPIC's elements have no place in a table of fields: they are printed as a line of JSON. */
function ofReports(textOf: (result: ReportResult) => string): (result: Result) => string {
  return (result) => (result.kind === 'vpic' ? JSONL.textOf(result) : textOf(result));
}

const CSV: Format = {
  begin: csvLine(CSV_COLUMNS, ','),
  between: '',
  end: '',
  textOf: ofReports((result) => csvLine(cellsOf(fieldsOf(result), CSV_COLUMNS), ',')),
};

const JSON_OBJECT: Format = {
  begin: '',
  between: '',
  end: '\n',
  textOf: (result) => JSON.stringify(valueOf(result), null, 2),
};

const JSON_LIST: Format = {
  begin: '[\n',
  between: ',\n',
  end: '\n]\n',
  textOf: (result) => JSON.stringify(valueOf(result)),
  ofJson: (json) => json,
};
