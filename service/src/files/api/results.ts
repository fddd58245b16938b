import { readVinCell } from '@marque/catalog/tables';

import type { Database } from '../../kernel/db/index.ts';
import { answerOfReport, lineOf, depthOf, type Item } from '../../decode/index.ts';
import { jsonValueOf } from '../../kernel/csv/cells.ts';
import { uniqueNames } from '../../kernel/csv/parquet.ts';
import type { NextTurn } from '../../kernel/limits/loop-turns.ts';
import { namesOf } from '../export.ts';
import { IS_THERE, pagesTo, removedError } from '../file-pages.ts';
import { isErased, type StoredRow, storedRows } from '../rows.ts';
import { READING, readingOf } from '../reading.ts';
import type { FileTables } from '../tables.ts';
import type { Plan } from '../../workspaces/index.ts';

/** When a VIN that is looked up outside is worth sending again, seconds. */
const LOOK_AGAIN_SECONDS = 60;

/** Characters after which others get their turn: each line has the names of all columns. */
const PIECE = 65_536;

/**
 * Yields the results of a file as lines of JSON, as in a batch: the processed rows and, if it stopped, the rest.
 *
 * @param turn waits for the turn of each page.
 */
export async function* resultLines(database: Database, id: string, plan: Plan, turn: NextTurn): AsyncGenerator<string> {
  const file = await database.kysely
    .selectFrom('vin_files')
    .select(['header', 'width', READING, 'vin_column', 'row_count', 'done', 'state'])
    .where('id', '=', id)
    .where(IS_THERE)
    .executeTakeFirst();
  if (file === undefined) throw removedError();
  const end = file.state === 'stopped' ? file.row_count : file.done;
  const depth = depthOf(plan);
  const ownRow = rowMaker(file);
  for await (const { from, rows } of pagesTo(database, id, end, turn)) {
    const stored = await storedRows(database, id, from, from + rows.length);
    await turn();
    let piece = '';
    for (const [offset, cells] of rows.slice(0, end - from).entries()) {
      const cell = cells[file.vin_column] ?? '';
      const row = from + offset;
      const item = itemOf(cell, row < file.done, stored.get(row));
      const line = item === undefined ? noLongerKept(cell) : lineOf(cell, item, depth, true);
      piece += `${JSON.stringify({ ...line, ...ownRow(cells) })}\n`;
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
    if (piece !== '') yield piece;
  }
}

/** Returns what a line says of its row: all its columns, where the table has others than that of VINs. */
function rowMaker(
  file: Pick<FileTables['vin_files'], 'header' | 'width' | 'reading'>,
): (cells: readonly string[]) => object {
  if (file.width < 2) return () => ({});
  const { kinds = [] } = readingOf(file);
  const columns = uniqueNames(namesOf(file).map((name, place) => ({ name, kind: kinds[place] ?? 'text' })));
  return (cells) => ({
    row: Object.fromEntries(
      columns.map((name, place) => [name, jsonValueOf(cells[place] ?? '', kinds[place] ?? 'text')]),
    ),
  });
}

/** Returns the result of a row; undefined: its decode is no longer stored. */
function itemOf(cell: string, isDone: boolean, stored: StoredRow | undefined): Item | undefined {
  // First: the cell of a row that was decoded and then erased no longer has a VIN.
  if (typeof stored?.decodeId === 'string' && stored.report !== undefined) {
    return { kind: 'decoded', id: stored.decodeId, answer: answerOfReport(stored.report) };
  }
  const form = readVinCell(cell);
  if (form.kind === 'malformed') return isErased(isDone, stored) ? undefined : form;
  if (!isDone) return { kind: 'exhausted' };
  return stored?.decodeId === null ? { kind: 'pending', id: '', retryAfterSeconds: LOOK_AGAIN_SECONDS } : undefined;
}

function noLongerKept(vin: string): object {
  return { vin, status: 'invalid', error: 'The result is no longer stored.' };
}
