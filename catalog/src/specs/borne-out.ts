import { couldBeBody } from '@marque/decoder/format';

import type { SpecColumn, SpecRow } from './columns.ts';
import type { SpecSource } from './load.ts';

/** What is written from general knowledge and measured by others: outside dimensions, ground clearance, luggage. */
const HELD = [
  'lengthMm',
  'widthMm',
  'heightMm',
  'wheelbaseMm',
  'clearanceMm',
  'cargoL',
] as const satisfies SpecColumn[];

const TOLERANCE = 0.03;

/** How many values of a column measured lists bear out, contradict, and do not have. */
export interface Bearing {
  borneOut: number;
  contradicted: string[];
  unknown: number;
}

/**
 * Holds the dimensions and luggage of a table that was written from general knowledge against the tables of others: of
 * the same family, in years in common, of a body and fuel that agree. A value within 3 % of one of theirs is borne out.
 * Luggage is held against lists of its own market alone, since markets measure it by different standards.
 */
export function bearingOf(known: SpecSource, others: readonly SpecSource[]): Map<SpecColumn, Bearing> {
  const byFamily = new Map<string, { row: SpecRow; market: string }[]>();
  for (const { rows, market } of others) {
    for (const row of rows) {
      const family = `${row.make}|${row.model}`;
      byFamily.set(family, [...(byFamily.get(family) ?? []), { row, market }]);
    }
  }
  return new Map(
    HELD.map((column) => {
      const bearing: Bearing = { borneOut: 0, contradicted: [], unknown: 0 };
      for (const row of known.rows) {
        const value = row[column];
        if (value === undefined) continue;
        const measured = (byFamily.get(`${row.make}|${row.model}`) ?? [])
          .filter(({ market }) => market === known.market || column.endsWith('Mm'))
          .filter(({ row: other }) => isSameCar(row, other))
          .flatMap(({ row: other }) => other[column] ?? []);
        if (measured.length === 0) bearing.unknown++;
        else if (measured.some((other) => Math.abs(other - value) <= value * TOLERANCE)) bearing.borneOut++;
        else
          bearing.contradicted.push(
            `${row.make} ${row.model} ${row.from}-${row.to} ${row.body ?? ''}: ${value}, not ${measured.join(', ')}`,
          );
      }
      return [column, bearing];
    }),
  );
}

function isSameCar(row: SpecRow, other: SpecRow): boolean {
  if (other.from > row.to || other.to < row.from) return false;
  if (!couldBeBody(other.body ?? '', row.body ?? '')) return false;
  return row.fuel === undefined || other.fuel === undefined || row.fuel === other.fuel;
}
