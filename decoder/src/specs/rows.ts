import { POWER_TOLERANCE } from './variants.ts';
import type { NumberList } from './number-list.ts';
import type { SpecTable } from './table.ts';
import type { SpecTables } from './tables.ts';

type Values = Uint8Array | Uint16Array;

/**
 * Puts rows of the power that was settled earlier into `kept`, as a sports version has its own weight, and of these
 * only the ones of the very body where a list has it: a wagon is heavier than the hatchback that it is kin to. EPA's
 * classes are of sizes more than of bodies.
 */
export function keepWeighed(
  tables: SpecTables,
  rows: NumberList,
  { columns, names, market }: SpecTable,
  { body, powerKw }: { body: string; powerKw: number },
  kept: NumberList,
): void {
  kept.cut(0);
  const isOfAnyPower = powerKw === 0 || !names.has('powerKw');
  for (let at = 0; at < rows.length; at++) {
    const power = columns.powerKw[rows.at(at)] as number;
    if (isOfAnyPower || power === 0 || Math.abs(power - powerKw) <= power * POWER_TOLERANCE) kept.add(rows.at(at));
  }
  if (market === 'north-america') return;
  let ofBody = 0;
  for (let at = 0; at < kept.length; at++) {
    const row = kept.at(at);
    if (tables.word(columns.body[row] as number) === body) kept.set(ofBody++, row);
  }
  if (ofBody > 0) kept.cut(ofBody);
}

/** Returns true if a row of each body among the rows has a value: a car of unknown body may be the one without. */
export function coversBodies({ columns }: SpecTable, rows: NumberList, values: Values): boolean {
  const isLike = (row: number, other: number): boolean => (columns.body[row] ?? 0) === (columns.body[other] ?? 0);
  return rows.every((row) => hasValue(row, rows, values, isLike));
}

/** Returns true if the known luggage is that of the estates among the rows, or of estates alone. */
export function mayBeEstates(tables: SpecTables, { columns }: SpecTable, rows: NumberList, known: number): boolean {
  return known < rows.length || rows.every((row) => tables.word(columns.body[row] ?? 0) === 'wagon');
}

/**
 * Returns true if each row without a value has the engine of a row with one; an electric car has other motors for other
 * wheels.
 */
export function coversEngines(tables: SpecTables, { columns }: SpecTable, rows: NumberList, values: Values): boolean {
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
  rows: NumberList,
  values: Values,
  isLike: (row: number, other: number) => boolean,
): boolean {
  return values[row] !== 0 || rows.some((other) => values[other] !== 0 && isLike(row, other));
}

function isElectric(tables: SpecTables, { fuel }: SpecTable['columns'], row: number): boolean {
  return tables.word(fuel[row] ?? 0) === 'Electric';
}
