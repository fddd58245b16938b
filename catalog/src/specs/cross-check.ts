import { couldBeBody } from '@marque/decoder/format';

import type { SpecColumn, SpecRow } from './columns.ts';
import type { SpecSource } from './load.ts';

/** Fields written from general knowledge and measured by others: outside dimensions, ground clearance, luggage. */
const HELD = [
  'lengthMm',
  'widthMm',
  'heightMm',
  'wheelbaseMm',
  'clearanceMm',
  'cargoL',
] as const satisfies SpecColumn[];

const TOLERANCE = 0.03;

/** Lists round to a centimeter, and some measure between the axles' other points. */
const ONE_WHEELBASE_MM = 30;

/** Counts the values of a column that measured lists confirm, contradict, and do not have. */
export interface CrossCheck {
  confirmed: number;
  contradicted: string[];
  unknown: number;
}

/**
 * Compares the dimensions and luggage of a table that was written from general knowledge with the tables of others: of
 * the same family, in years in common, of a body and fuel that agree. A value within 3 % of one of theirs is confirmed.
 * It is contradicted if they have the very body and none is near: a body like it, or a car of the same name on another
 * wheelbase, is another car. Cargo volume is compared only with lists of the same market, since markets measure it by
 * different standards.
 */
export function crossCheckDimensions(known: SpecSource, others: readonly SpecSource[]): Map<SpecColumn, CrossCheck> {
  const byFamily = new Map<string, { row: SpecRow; market: string }[]>();
  for (const { rows, market } of others) {
    for (const row of rows) {
      const family = `${row.make}|${row.model}`;
      byFamily.set(family, [...(byFamily.get(family) ?? []), { row, market }]);
    }
  }
  return new Map(
    HELD.map((column) => {
      const check: CrossCheck = { confirmed: 0, contradicted: [], unknown: 0 };
      for (const row of known.rows) {
        const value = row[column];
        if (value === undefined) continue;
        const cars = (byFamily.get(`${row.make}|${row.model}`) ?? [])
          .filter(({ market }) => market === known.market || column.endsWith('Mm'))
          .filter(({ row: other }) => isSameCar(row, other));
        const measured = valuesOf(cars, column);
        const ofBody = valuesOf(
          cars.filter(({ row: other, market }) => market === known.market || isVeryBody(row, other)),
          column,
        );
        if (measured.some((other) => Math.abs(other - value) <= value * TOLERANCE)) check.confirmed++;
        else if (ofBody.length === 0) check.unknown++;
        else
          check.contradicted.push(
            `${row.make} ${row.model} ${row.from}-${row.to} ${row.body ?? ''}: ${value}, not ${ofBody.join(', ')}`,
          );
      }
      return [column, check];
    }),
  );
}

function valuesOf(cars: readonly { row: SpecRow }[], column: (typeof HELD)[number]): number[] {
  return cars.flatMap(({ row }) => row[column] ?? []);
}

/** Returns true if both name the same body, on one wheelbase as far as both give it. */
function isVeryBody(row: SpecRow, other: SpecRow): boolean {
  if (row.body !== other.body) return false;
  const [one, two] = [row.wheelbaseMm, other.wheelbaseMm];
  return one === undefined || two === undefined || Math.abs(one - two) <= ONE_WHEELBASE_MM;
}

function isSameCar(row: SpecRow, other: SpecRow): boolean {
  if (other.from > row.to || other.to < row.from) return false;
  if (!couldBeBody(other.body ?? '', row.body ?? '')) return false;
  return row.fuel === undefined || other.fuel === undefined || row.fuel === other.fuel;
}
