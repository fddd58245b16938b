import type { Reading } from '../decode/reading.ts';
import { SPEC_FIRST_YEAR } from '../report/spec-columns.ts';
import { OPEN_FROM } from '../report/world-fields.ts';
import type { YearWindow } from '../world/years.ts';
import { YEAR_CYCLE, yearOfCode } from '../vin/year-codes.ts';
import { OTHER_YEAR_WEIGHT, type TableRows } from './model-rows.ts';
import type { Ranking } from './ranking.ts';

/** Longer ranges of years do not help. */
const MOST_YEARS = 26;
/**
 * The weight of the coded year: if no layout decides whether position 10 gives the year, its code is the first to look
 * at.
 */
const CODED_WEIGHT = 1000;
const POSITION_10 = 9;

/**
 * Adds the years in which a vehicle may have been built: those of its generation, the likelier where lists have
 * variants like it, and where none is known those of the lists. More cars are built in the middle of a generation's
 * years than at its ends.
 *
 * @param latest the last model year that a VIN can have.
 */
export function addYears(
  { vin, world, pass, other }: Reading,
  tables: readonly TableRows[],
  latest: number,
  years: Ranking<string | number>,
): void {
  if (pass !== null && pass.year !== 0) {
    // Of two years 30 apart, the later one is more frequent.
    for (const { year } of other === undefined ? [pass] : [pass, other]) years.add(year, CODED_WEIGHT + year);
    return;
  }
  const [from, to] = [world.productionFrom, Math.min(world.productionTo, latest)];
  if (world.layout < 0 && pass === null) addCodedYears(vin, { from, to }, years);
  if (from !== OPEN_FROM && to - from < MOST_YEARS) {
    const listed = new Set(yearsOf(tables).map(({ year }) => year));
    const span = to - from + 1;
    for (let year = from; year <= to; year++) {
      const fromEnd = Math.min(year - from, to - year);
      years.add(year, (1 + fromEnd / span) * (listed.size === 0 || listed.has(year) ? 1 : 0.5));
    }
    return;
  }
  for (const { year, weight } of yearsOf(tables)) if (year <= latest) years.add(year, weight);
}

function yearsOf(tables: readonly TableRows[]): { year: number; weight: number }[] {
  const found: { year: number; weight: number }[] = [];
  for (const { table, rows, weights } of tables) {
    for (const [index, row] of rows.entries()) {
      const [first, last] = [table.columns.from[row] ?? 0, table.columns.to[row] ?? 0];
      const weight = weights[index] ?? 0;
      if (weight <= OTHER_YEAR_WEIGHT || last - first >= MOST_YEARS) continue;
      for (let year = first; year <= last; year++) found.push({ year: year + SPEC_FIRST_YEAR, weight });
    }
  }
  return found;
}

/** Adds the years of a code; the later one of two comes first. */
function addCodedYears(vin: string, { from, to }: YearWindow, years: Ranking<string | number>): void {
  const coded = yearOfCode(vin.charCodeAt(POSITION_10));
  if (coded === 0) return;
  for (const [later, year] of [coded, coded + YEAR_CYCLE].entries()) {
    if (year >= from && year <= to) years.add(year, CODED_WEIGHT + later);
  }
}
