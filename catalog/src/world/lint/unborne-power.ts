import type { TableRow } from '../columns.ts';
import type { WorldFacts } from '../load.ts';
import type { Problem } from '../problem.ts';

/** Powers this near each other are one engine's, in kW and converted from horsepower. */
const TOLERANCE = 0.03;

/** Displacements this near each other are one engine's: sources round them. */
const SAME_DISPLACEMENT_CC = 10;

/**
 * Finds power figures in rows of confidence C and G that nothing supports. A labeled car proves fuel and displacement;
 * makers sell the same engine at several powers. Such a row may state a power if each sourced row of the maker with
 * this engine has it, or if `agreed` names the source that its power was compared with.
 */
export function unbornePower({ tables }: WorldFacts): Problem[] {
  const problems: Problem[] = [];
  const sourced = new Map<string, TableRow[]>();
  for (const [table, rows] of tables) {
    const maker = makerOf(table);
    const known = rows.map(({ row }) => row).filter((row) => row.kw !== undefined && 'AB'.includes(row.confidence));
    sourced.set(maker, [...(sourced.get(maker) ?? []), ...known]);
  }
  for (const [table, rows] of tables) {
    for (const { origin, row } of rows) {
      if (row.kw === undefined || 'AB'.includes(row.confidence) || row.agreed?.includes('power') === true) continue;
      const siblings = (sourced.get(makerOf(table)) ?? []).filter((other) => isSameEngine(row, other));
      const agrees = siblings.every((other) => isNear(other.kw, row.kw));
      if (siblings.length > 0 && agrees) continue;
      problems.push({
        where: origin,
        what: `the power of ${row.kw} kW is not borne out: leave it out, or say in "agreed" by what`,
      });
    }
  }
  return problems;
}

function makerOf(table: string): string {
  return table.slice(0, table.indexOf('/'));
}

function isSameEngine(row: TableRow, other: TableRow): boolean {
  if (row.fuel === undefined || row.cc === undefined || row.fuel !== other.fuel) return false;
  return Math.abs((other.cc ?? 0) - row.cc) <= SAME_DISPLACEMENT_CC;
}

function isNear(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && Math.abs(a - b) <= b * TOLERANCE;
}
