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

/** Reads comma-separated values (RFC 4180: fields with commas, quotes or line ends stand in quotes). */
export function parseCsv(text: string): CsvTable {
  const rows: CsvRow[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const start = line;
    const cells: string[] = [];
    let open = true;
    while (open) {
      const cell = text.charAt(at) === '"' ? quoted(text, at + 1) : bare(text, at);
      cells.push(cell.value);
      line += cell.lines;
      at = cell.next;
      open = text.charAt(at) === ',';
      if (open) at++;
    }
    if (text.charAt(at) === '\r') at++;
    at++;
    line++;
    if (cells.length > 1 || cells[0] !== '') rows.push({ line: start, cells });
  }
  const [header, ...body] = rows;
  return { header: header?.cells ?? [], rows: body };
}

const BARE = /[^,\r\n]*/y;

function bare(text: string, from: number): { value: string; next: number; lines: number } {
  BARE.lastIndex = from;
  const [cell = ''] = BARE.exec(text) ?? [];
  return { value: cell.trim(), next: from + cell.length, lines: 0 };
}

function quoted(text: string, from: number): { value: string; next: number; lines: number } {
  let value = '';
  let at = from;
  for (;;) {
    const end = text.indexOf('"', at);
    if (end < 0) return { value: value + text.slice(at), next: text.length, lines: 0 };
    value += text.slice(at, end);
    if (text.charAt(end + 1) !== '"') return { value, next: end + 1, lines: value.split('\n').length - 1 };
    value += '"';
    at = end + 2;
  }
}
