import type { Database, Plan } from '../kernel/db/index.ts';
import { csvLine, harmless } from '../kernel/csv/csv.ts';
import { cellsOf, REPORT_COLUMNS } from '../report/cells.ts';
import { project, depthOf, isBasic } from '../decode/depth.ts';
import { SEGMENT_FIELDS } from '../report/schema.ts';
import { pagesOf } from './file-pages.ts';
import { problemOf, storedRows } from './rows.ts';

/** What the file's own column of VINs does not say already; what anyone sees first. */
const COLUMNS = REPORT_COLUMNS.filter((path) => !SEGMENT_FIELDS.has(path)).toSorted(
  (left, right) => Number(isBasic(right)) - Number(isBasic(left)),
);

/** The result of a file: its own columns, then what was decoded, as lines of CSV. Reports are cut to the plan. */
export async function* exportFile(database: Database, id: string, plan: Plan): AsyncGenerator<string> {
  const file = await database.kysely
    .selectFrom('vin_files')
    .select(['header', 'delimiter', 'width', 'vin_column', 'done'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (file === undefined) return;
  const depth = depthOf(plan);
  const columns = depth === 'full' ? COLUMNS : COLUMNS.filter(isBasic);
  const line = (own: readonly string[], added: readonly string[]): string =>
    csvLine([...padded(own, file.width).map(harmless), ...added], file.delimiter);

  // The mark tells spreadsheets that this is UTF-8.
  yield `\uFEFF${line(namesOf(file), [...columns, 'problem'])}`;
  for await (const { from, rows } of pagesOf(database, id)) {
    const decoded = await storedRows(database, id, from, from + rows.length);
    const lines = rows.map((cells, offset) => {
      const stored = decoded.get(from + offset);
      const problem = problemOf(cells[file.vin_column] ?? '', from + offset < file.done, stored);
      const added = cellsOf(stored?.report === undefined ? {} : project(depth, stored.report), columns);
      return line(cells, [...added, problem]);
    });
    yield lines.join('');
  }
}

/** The names of a file's own columns. */
function namesOf({ header, width }: { header: string | null; width: number }): string[] {
  if (header === null) return Array.from({ length: width }, (_, index) => `column ${index + 1}`);
  const names: string[] = JSON.parse(header);
  return names;
}

/** A short row would shift what is added into the file's own columns. `CSV_BOUNDS` keeps the width small. */
function padded(cells: readonly string[], width: number): string[] {
  return Array.from({ length: width }, (_, index) => cells[index] ?? '');
}
