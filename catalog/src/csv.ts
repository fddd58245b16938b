import { parse } from 'csv-parse/sync';

/** A row of a table with the line it starts on (1 = the header's line). */
export interface CsvRow {
  line: number;
  cells: readonly string[];
}

/** A table: its header and its rows. Blank lines are skipped. */
export interface CsvTable {
  header: readonly string[];
  rows: readonly CsvRow[];
}

/**
 * Reads comma-separated values (RFC 4180: fields with commas, quotes or line ends are in quotes).
 * @throws Error naming the line where a quote is out of place.
 */
export function readCsv(text: string): CsvTable {
  const [header, ...rows] = recordsOf(text);
  return { header: header?.cells ?? [], rows };
}

/** Returns the same as lines of fields, the header first. */
export function csvLines(text: string): string[][] {
  return parse(text, OPTIONS);
}

/**
 * Returns the same as one object a row, by the names of the header.
 *
 * @param file the name of the file, for the error
 * @throws Error naming the file and the line whose number of fields differs from the header's.
 */
export function csvRecords(text: string, file: string | URL): Record<string, string>[] {
  const { header, rows } = readCsv(text);
  return rows.map(({ line, cells }) => {
    if (cells.length !== header.length) {
      throw new Error(`${String(file)}:${line}: ${cells.length} fields; the header has ${header.length}`);
    }
    return Object.fromEntries(header.map((name, column) => [name, cells[column] ?? '']));
  });
}

/** Returns values as a line of comma-separated values, without its end; undefined is empty. */
export function csvLine(values: readonly (string | number | undefined)[]): string {
  return values.map((value) => quoted(String(value ?? ''))).join(',');
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const OPTIONS = { relax_column_count: true, skip_empty_lines: true, bom: true } as const;

function recordsOf(text: string): CsvRow[] {
  // The library's types omit the effect of `info`.
  const found = parse(text, { ...OPTIONS, info: true }) as unknown as { record: string[]; info: { lines: number } }[];
  // In quotes, the library counts CR LF as two ends of lines.
  let tooMany = 0;
  return found.map(({ record, info }) => {
    const text = record.join(',');
    const pairs = text.split('\r\n').length - 1;
    const line = info.lines - (text.split(/\r\n|\n|\r/).length - 1) - pairs - tooMany;
    tooMany += pairs;
    return { line, cells: record };
  });
}
