import type { Database } from '../kernel/db/index.ts';
import { type Column, csvLine, harmless, type Page } from '../kernel/csv/csv.ts';
import { parquetOf } from '../kernel/csv/parquet.ts';
import { CSV_BOUNDS } from '../kernel/csv/read.ts';
import { workbookOf } from '../kernel/csv/workbook.ts';
import { isNumberKind } from '../kernel/csv/kinds.ts';
import type { NextTurn } from '../kernel/limits/loop-turns.ts';
import { addedColumns, plainCellsOf, REPORT_COLUMNS, SEGMENT_FIELDS } from '../report/index.ts';
import { project, depthOf, isBasic } from '../decode/index.ts';
import { IS_THERE, pagesTo, removedError } from './file-pages.ts';
import { problemOf, storedRows } from './rows.ts';
import { READING, readingOf } from './reading.ts';
import type { Plan } from '../workspaces/index.ts';

/** Columns that the file's own column of VINs does not give; the basic fields come first. */
const COLUMNS = REPORT_COLUMNS.filter((path) => !SEGMENT_FIELDS.has(path)).toSorted(
  (left, right) => Number(isBasic(right)) - Number(isBasic(left)),
);

/** Rows of a row group of Parquet: requests wait while one is written. */
const GROUP_ROWS = 1_000;

/** A result that is being sent. */
interface ResultTable {
  columns: readonly Column[];
  pages: AsyncIterable<Page>;
  /** The delimiter of the uploaded file. */
  delimiter: string;
}

/** The forms of a result, by the ending of their files: their media type, and how they are written. */
export const RESULT_FORMS = {
  csv: { type: 'text/csv', write: csvOf },
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: ({ columns, pages }: ResultTable) => workbookOf(columns, pages),
  },
  parquet: {
    type: 'application/vnd.apache.parquet',
    write: ({ columns, pages }: ResultTable) => parquetOf(columns, pages, GROUP_ROWS),
  },
} as const;

export type ResultForm = keyof typeof RESULT_FORMS;

/** The first is the one that most spreadsheets and programs can read. */
export const RESULT_FORM_NAMES = ['csv', 'xlsx', 'parquet'] as const satisfies readonly ResultForm[];

/** Returns the media type of a result. */
export function contentTypeOf(form: ResultForm): string {
  const { type } = RESULT_FORMS[form];
  return form === 'csv' ? `${type}; charset=utf-8` : type;
}

/**
 * Writes the result of a file: its own columns, then the decoded fields. Reports are cut to the plan.
 *
 * @param turn waits for the turn of each page.
 */
export async function* exportFile(
  database: Database,
  id: string,
  plan: Plan,
  form: ResultForm,
  turn: NextTurn,
): AsyncGenerator<string | Uint8Array> {
  const file = await database.kysely
    .selectFrom('vin_files')
    .select(['header', 'delimiter', 'width', 'vin_column', 'row_count', 'done', READING])
    .where('id', '=', id)
    .where(IS_THERE)
    .executeTakeFirst();
  if (file === undefined) throw removedError();
  const depth = depthOf(plan);
  const paths = depth === 'full' ? COLUMNS : COLUMNS.filter(isBasic);
  async function* pages({
    width,
    vin_column: column,
    row_count: rowCount,
    done,
  }: NonNullable<typeof file>): AsyncGenerator<Page> {
    for await (const { from, rows } of pagesTo(database, id, rowCount, turn)) {
      const decoded = await storedRows(database, id, from, from + rows.length);
      await turn();
      yield rows.map((cells, offset) => {
        const stored = decoded.get(from + offset);
        const problem = problemOf(cells[column] ?? '', from + offset < done, stored);
        const added = plainCellsOf(stored?.report === undefined ? {} : project(depth, stored.report), paths);
        return padded(cells, width).concat(added, problem);
      });
    }
  }
  const names = namesOf(file);
  const { kinds = [] } = readingOf(file);
  const own = names.map((name, index): Column => ({ name, kind: kinds[index] ?? 'text' }));
  const columns = [...own, ...addedColumns([...paths, 'problem'], names)];
  yield* RESULT_FORMS[form].write({ columns, pages: pages(file), delimiter: file.delimiter });
}

/** Yields a table as CSV in which no cell is taken for a formula. */
async function* csvOf({ columns, pages, delimiter }: ResultTable): AsyncGenerator<string> {
  const names = columns.map(({ name }) => harmless(name));
  // The byte-order mark makes spreadsheets read the file as UTF-8.
  yield `\uFEFF${csvLine(names, delimiter)}`;
  for await (const page of pages) {
    const lines = page.map((row) =>
      csvLine(
        row.map((cell, index) => (isNumberKind(columns[index]?.kind ?? 'text') ? cell : harmless(cell))),
        delimiter,
      ),
    );
    yield lines.join('');
  }
}

/** Characters that are kept of names that are too long together. */
const CUT_NAME = 250;

/** Returns the names of a file's own columns. */
export function namesOf({ header, width }: { header: string | null; width: number }): string[] {
  const sent: string[] = header === null ? [] : JSON.parse(header);
  const characters = sent.reduce((sum, { length }) => sum + length, 0);
  // Earlier versions stored names of any length.
  const names = characters > CSV_BOUNDS.rowCharacters ? sent.map((name) => name.slice(0, CUT_NAME)) : sent;
  return Array.from({ length: width }, (_, index) => names[index] ?? (header === null ? `column ${index + 1}` : ''));
}

/** Pads a row: a short one would shift the added columns into the file's own. `CSV_BOUNDS` keeps the width small. */
function padded(cells: readonly string[], width: number): string[] {
  return Array.from({ length: width }, (_, index) => cells[index] ?? '');
}
