import { readVinCell } from '@marque/catalog/tables';
import type { VehicleReport } from '@marque/decoder';

import type { Database } from '../kernel/db/index.ts';

/** The stored decode of a row. */
export interface StoredRow {
  /** Null: it waits for enrichment. */
  decodeId: string | null;
  /** At full depth; undefined: there is none, or it is no longer kept. */
  report: VehicleReport | undefined;
}

/** Returns the decodes of some rows, by row. */
export async function storedRows(
  { kysely }: Database,
  fileId: string,
  from: number,
  to: number,
): Promise<ReadonlyMap<number, StoredRow>> {
  const rows = await kysely
    .selectFrom('vin_file_rows')
    .leftJoin('decodes', 'decodes.id', 'vin_file_rows.decode_id')
    .select(['row', 'decode_id as decodeId', 'report'])
    .where('file_id', '=', fileId)
    .where('row', '>=', from)
    .where('row', '<', to)
    .execute();
  return new Map(
    rows.map(({ row, decodeId, report }) => [
      row,
      { decodeId, report: report === null ? undefined : JSON.parse(report) },
    ]),
  );
}

/** Returns true if a row without a VIN in its cell was decoded: it had one then, which was erased since. */
export function isErased(isDone: boolean, stored: StoredRow | undefined): boolean {
  return isDone && typeof stored?.decodeId === 'string';
}

/** Returns the reason why a row has no report; empty if it has one. */
export function problemOf(cell: string, isDone: boolean, stored: StoredRow | undefined): string {
  const form = readVinCell(cell);
  if (form.kind === 'malformed' && !isErased(isDone, stored)) return form.message;
  if (form.kind === 'vin' && stored?.report !== undefined) return '';
  if (stored?.decodeId === null) return 'Still being looked up. Send it again later. Not charged.';
  return isDone ? 'The result is no longer stored.' : 'Not decoded.';
}
