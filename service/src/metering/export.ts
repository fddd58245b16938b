import { isoDay } from '../kernel/clock.ts';
import { csvLine, harmless } from '../kernel/csv/csv.ts';
import type { NextTurn } from '../kernel/limits/loop-turns.ts';
import { type LedgerRow, ROWS_OF_A_TURN } from './report.ts';

/** Returns charged decodes as lines of CSV, one a day and key. @param turn waits for the turn of the next lines. */
export async function usageCsv(
  rows: readonly LedgerRow[],
  keyNames: ReadonlyMap<string, string>,
  turn: NextTurn,
): Promise<string> {
  // The byte-order mark makes spreadsheets read the file as UTF-8.
  const texts = [`\uFEFF${csvLine(['day', 'keyId', 'key', 'decodes'], ',')}`];
  for (let from = 0; from < rows.length; from += ROWS_OF_A_TURN) {
    await turn();
    texts.push(
      rows
        .slice(from, from + ROWS_OF_A_TURN)
        .map(lineOf)
        .join(''),
    );
  }
  return texts.join('');

  function lineOf({ day_start: dayMs, key_id: keyId, charged }: LedgerRow): string {
    return csvLine([isoDay(dayMs), keyId, harmless(keyNames.get(keyId) ?? ''), String(charged)], ',');
  }
}
