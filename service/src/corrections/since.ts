import { type Decoder, readVin, type VehicleReport } from '@marque/decoder';

import type { Database } from '../kernel/db/index.ts';
import { valueAt } from '../kernel/records.ts';
import { applyFields, mergeFields } from './apply.ts';
import { changesBetween } from './impact.ts';
import type { LiveOverrides } from './live-overrides.ts';
import type { CorrectedReport } from './types.ts';

/** What corrections since a decode need. */
interface SinceDeps {
  database: Database;
  /** Without overrides. */
  decoder: Decoder;
  live: Pick<LiveOverrides, 'current'>;
}

/** The corrections of fields that one of the reports has, cut to what their reader may see. Pure. */
export function correctionsIn(
  changes: CorrectedReport['changes'],
  reports: readonly Record<string, unknown>[],
): CorrectedReport['changes'] {
  return changes.filter(({ field }) => reports.some((report) => valueAt(report, field) !== undefined));
}

/** A stored report as corrections have changed it since, with what it said before. The stored one stays as it was. */
export async function correctedSince(
  { database, decoder, live }: SinceDeps,
  stored: VehicleReport,
): Promise<CorrectedReport> {
  const { vin } = stored;
  // A masked VIN is covered by none.
  const isWhole = readVin(vin).kind === 'vin';
  const covering = isWhole ? live.current().covering(vin, decoder.decode(vin).modelYear) : [];
  const report = applyFields(stored, mergeFields(covering.map(({ fields }) => fields)));
  const changes = covering.length === 0 ? [] : changesBetween(stored, report, undefined);
  if (changes.length === 0) return { report: stored, changes: [] };
  const ids = covering.map(({ id }) => id);
  const rows = await database.kysely
    .selectFrom('overrides')
    .select(['id', 'created_at'])
    .where('id', 'in', ids)
    .execute();
  const madeAt = new Map(rows.map(({ id, created_at: atMs }) => [id, atMs]));
  return {
    report,
    changes: changes.map(({ field, before: was }) => {
      // What goes with another field, such as the possible body styles, goes with the strongest override.
      const by = covering.find(({ fields }) => Object.hasOwn(fields, field)) ?? covering[0];
      return { field, was, atMs: madeAt.get(by?.id ?? '') ?? 0 };
    }),
  };
}
