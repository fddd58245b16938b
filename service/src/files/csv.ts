/** A read CSV text: rows of cells. */
export interface Csv {
  delimiter: string;
  rows: string[][];
}

const DELIMITERS = [',', ';', '\t'];

/** What a spreadsheet takes for the beginning of a formula, also behind the quote that it may stand in. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Reads CSV as RFC 4180 and spreadsheets write it: quoted cells, doubled quotes, line breaks within quotes, a byte order
 * mark; the delimiter is the one of comma, semicolon and tab that the first line has most of. Empty lines are left out.
 * Never throws: a quote that is never closed reaches to the end.
 */
export function readCsv(text: string): Csv {
  const content = text.replace(/^\uFEFF/, '');
  const firstLine = /^[^\r\n]*/.exec(content)?.[0] ?? '';
  const counts = DELIMITERS.map((delimiter) => firstLine.split(delimiter).length);
  const delimiter = DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = (): void => {
    row.push(cell);
    if (row.some((text) => text !== '')) rows.push(row);
    row = [];
    cell = '';
  };
  for (let index = 0; index < content.length; index++) {
    const character = content.charAt(index);
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (content.charAt(index + 1) === '"') {
        cell += '"';
        index++;
      } else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === delimiter) {
      row.push(cell);
      cell = '';
    } else if (character === '\n') endRow();
    else if (character !== '\r' || content.charAt(index + 1) !== '\n') cell += character;
  }
  endRow();
  return { delimiter, rows };
}

/** One line of CSV, with its end. A cell that a spreadsheet would run as a formula gets an apostrophe before it. */
export function csvLine(cells: readonly string[], delimiter: string): string {
  return `${cells.map((cell) => quoted(harmless(cell), delimiter)).join(delimiter)}\r\n`;
}

/** A cell that no spreadsheet runs as a formula. */
export function harmless(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** A cell as it stands in a line: in quotes where it needs them. */
export function quoted(cell: string, delimiter: string): string {
  const needsQuotes = cell.includes(delimiter) || /["\r\n]/.test(cell) || cell !== cell.trim();
  return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Bytes as text: UTF-8, or what Western spreadsheets wrote before it. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
