import { csvLine, harmless } from '../kernel/csv/csv.ts';
import type { LedgerRow } from './report.ts';
import { isoDay } from '../kernel/clock.ts';

/** Returns charged decodes as lines of CSV, one a day and key. Pure. */
export function usageCsv(rows: readonly LedgerRow[], keyNames: ReadonlyMap<string, string>): string {
  const lines = rows.map(({ day_start: dayMs, key_id: keyId, charged }) =>
    csvLine([isoDay(dayMs), keyId, harmless(keyNames.get(keyId) ?? ''), String(charged)], ','),
  );
  // The byte-order mark makes spreadsheets read the file as UTF-8.
  return `\uFEFF${csvLine(['day', 'keyId', 'key', 'decodes'], ',')}${lines.join('')}`;
}
