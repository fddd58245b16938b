import { readVinCell, StepLength, TableError } from '@marque/catalog/tables';
import type { Static } from 'typebox';

import { HttpError } from '../../kernel/http/http-error.ts';
import type { NextTurn } from '../../kernel/limits/loop-turns.ts';
import { rowsText } from '../file-pages.ts';
import { type FileContent, readFile } from '../read-file.ts';
import { lineOf, type Lines } from '../reading.ts';
import { type JobPreview, MOST_JOB_VINS, understanding } from './schemas.ts';

/** Rows and problems that a preview shows, and characters of a cell. */
const SHOWN = 20;
const SAMPLED = 5;
const SHOWN_CHARACTERS = 100;

/**
 * Returns the effect of a job, without storing anything.
 *
 * @param turn waits for the turn of each piece of it, and throws when the sender has disconnected.
 * @throws HttpError 400 when it would be refused.
 */
export async function previewTable(
  { content, column, mostBytes }: { content: FileContent; column: string; mostBytes: number },
  turn: NextTurn,
): Promise<Static<typeof JobPreview>> {
  const read = await readFile(content, column, { rows: MOST_JOB_VINS, bytes: mostBytes }, turn).catch(refused);
  if (read.kind === 'refused') throw new HttpError(400, read.message);
  const { layout, reading, pages, count, width } = read;
  const preview: Static<typeof JobPreview> = {
    vins: count,
    valid: 0,
    ...understanding({ ...reading, columnName: layout.columnName }),
    columns: Array.from({ length: width }, (_, place) => layout.names?.[place] || `column ${place + 1}`),
    problems: [],
    sample: [],
  };
  const piece = new StepLength();
  for (const page of pages) {
    await turn();
    const rows: string[][] = JSON.parse(rowsText(page));
    const lines: Lines = JSON.parse(page.lines);
    for (const [index, cells] of rows.entries()) {
      if (preview.sample.length < SAMPLED) preview.sample.push(cells.map((cell) => cell.slice(0, SHOWN_CHARACTERS)));
      const text = cells[layout.column] ?? '';
      if (piece.add(text)) await turn();
      const form = readVinCell(text);
      if (form.kind === 'vin') preview.valid += 1;
      else if (preview.problems.length < SHOWN) {
        preview.problems.push({
          line: lineOf(lines, index),
          text: text.slice(0, SHOWN_CHARACTERS),
          problem: form.message,
        });
      }
    }
  }
  return preview;
}

/** Returns what is wrong with a table that is too large. */
function refused(error: unknown): { kind: 'refused'; message: string } {
  if (error instanceof TableError) return { kind: 'refused', message: error.message };
  throw error;
}
