import type { Database, Plan } from '../kernel/db/index.ts';
import { csvLine, delimiterIn, harmless } from '../kernel/csv/csv.ts';
import { readRows } from '../kernel/csv/read.ts';
import { cellsOf, REPORT_COLUMNS } from '../report/cells.ts';
import { project, depthOf, isBasic } from '../decode/depth.ts';
import { SEGMENT_FIELDS } from '../report/schema.ts';
import { PAGE, problemOf, storedRows } from './rows.ts';

/** What the file's own column of VINs does not say already; what anyone sees first. */
const COLUMNS = REPORT_COLUMNS.filter((path) => !SEGMENT_FIELDS.has(path)).toSorted(
  (left, right) => Number(isBasic(right)) - Number(isBasic(left)),
);

/** The result of a file: its own columns, then what was decoded, as lines of CSV. Reports are cut to the plan. */
export async function* exportFile(database: Database, id: string, plan: Plan): AsyncGenerator<string> {
  const file = await database.kysely
    .selectFrom('vin_files')
    .select(['source', 'has_header', 'width', 'vin_column', 'done'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (file === undefined) return;
  const depth = depthOf(plan);
  const columns = depth === 'full' ? COLUMNS : COLUMNS.filter(isBasic);
  const delimiter = delimiterIn(file.source);
  const linesOf = async (page: readonly string[][], from: number): Promise<string> => {
    const decoded = await storedRows(database, id, from, from + page.length);
    const lines = page.map((cells, offset) => {
      const stored = decoded.get(from + offset);
      const problem = problemOf(cells[file.vin_column] ?? '', from + offset < file.done, stored);
      const added = cellsOf(stored?.report === undefined ? {} : project(depth, stored.report), columns);
      return csvLine([...padded(cells, file.width).map(harmless), ...added, problem], delimiter);
    });
    return lines.join('');
  };

  let own = file.has_header === 1 ? undefined : Array.from({ length: file.width }, (_, index) => `column ${index + 1}`);
  // The mark tells spreadsheets that this is UTF-8.
  const head = (names: string[]): string =>
    `\uFEFF${csvLine([...padded(names, file.width).map(harmless), ...columns, 'problem'], delimiter)}`;
  if (own !== undefined) yield head(own);
  let page: string[][] = [];
  let from = 0;
  for await (const row of readRows(file.source)) {
    if (own === undefined) {
      own = row;
      yield head(own);
      continue;
    }
    page.push(row);
    if (page.length < PAGE) continue;
    yield await linesOf(page, from);
    from += page.length;
    page = [];
  }
  if (page.length > 0) yield await linesOf(page, from);
}

/** A short row would shift what is added into the file's own columns. `CSV_BOUNDS` keeps the width small. */
function padded(cells: readonly string[], width: number): string[] {
  return Array.from({ length: width }, (_, index) => cells[index] ?? '');
}
