import { POWER_TOLERANCE } from './variants.ts';
import type { SpecTable, SpecTables } from './tables.ts';

type Values = Uint8Array | Uint16Array;

/**
 * Returns the rows of the very body where a list has it: a wagon is heavier than the hatchback that it is kin to. EPA's
 * classes are of sizes more than of bodies.
 */
export function ofBody(
  tables: SpecTables,
  rows: readonly number[],
  { columns, market }: SpecTable,
  body: string,
): readonly number[] {
  if (market === 'north-america') return rows;
  const kept = rows.filter((row) => tables.word(columns.body[row] ?? 0) === body);
  return kept.length > 0 ? kept : rows;
}

/** Returns the rows whose power matches the one settled earlier; a sports version has its own weight. */
export function ofPower(rows: readonly number[], { columns, names }: SpecTable, powerKw: number): readonly number[] {
  if (powerKw === 0 || !names.has('powerKw')) return rows;
  return rows.filter((row) => {
    const power = columns.powerKw[row] ?? 0;
    return power === 0 || Math.abs(power - powerKw) <= power * POWER_TOLERANCE;
  });
}

/** Returns true if a row of each body among the rows has a value: a car of unknown body may be the one without. */
export function coversBodies({ columns }: SpecTable, rows: readonly number[], values: Values): boolean {
  const isLike = (row: number, other: number): boolean => (columns.body[row] ?? 0) === (columns.body[other] ?? 0);
  return rows.every((row) => hasValue(row, rows, values, isLike));
}

/** Returns true if the known luggage is that of the estates among the rows, or of estates alone. */
export function mayBeEstates(
  tables: SpecTables,
  { columns }: SpecTable,
  rows: readonly number[],
  known: number,
): boolean {
  return known < rows.length || rows.every((row) => tables.word(columns.body[row] ?? 0) === 'wagon');
}

/**
 * Returns true if each row without a value has the engine of a row with one; an electric car has other motors for other
 * wheels.
 */
export function coversEngines(
  tables: SpecTables,
  { columns }: SpecTable,
  rows: readonly number[],
  values: Values,
): boolean {
  const { cc, cylinders, charged, badge, fuel, drive } = columns;
  const engine = [cc, cylinders, charged, badge, fuel];
  const isLike = (row: number, other: number): boolean =>
    engine.every((column) => (column[row] ?? 0) === (column[other] ?? 0)) &&
    (!isElectric(tables, columns, row) || (drive[row] ?? 0) === (drive[other] ?? 0));
  return rows.every((row) => hasValue(row, rows, values, isLike));
}

/** Returns true if a row has a value, or a similar one has. */
function hasValue(
  row: number,
  rows: readonly number[],
  values: Values,
  isLike: (row: number, other: number) => boolean,
): boolean {
  return values[row] !== 0 || rows.some((other) => values[other] !== 0 && isLike(row, other));
}

function isElectric(tables: SpecTables, { fuel }: SpecTable['columns'], row: number): boolean {
  return tables.word(fuel[row] ?? 0) === 'Electric';
}
