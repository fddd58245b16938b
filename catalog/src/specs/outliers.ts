import type { SpecRow } from './columns.ts';

/** A power this far from that of the years before and after is hardly the same car's. */
const JUMP = 0.2;

/** Runs of years longer than this are a generation, not a slip. */
const LONGEST_SLIP_YEARS = 3;

interface Run {
  from: number;
  to: number;
  powers: number[];
}

/**
 * Powers of some years that jump away from those both before and after of the same engine of the same model and badge,
 * by more than a fifth, in words. A year with several powers counts by the one nearest to the others.
 */
export function powerOutliers(rows: readonly SpecRow[]): string[] {
  const years = new Map<string, Map<number, number[]>>();
  for (const row of rows) {
    if (row.powerKw === undefined || row.fuel === 'Electric') continue;
    const byYear = years.get(engineOf(row)) ?? new Map<number, number[]>();
    years.set(engineOf(row), byYear);
    for (let year = row.from; year <= row.to; year++) byYear.set(year, [...(byYear.get(year) ?? []), row.powerKw]);
  }
  return [...years].flatMap(([engine, byYear]) =>
    slipsOf(runsOf(byYear)).map(({ from, to, powers }) => `${engine} ${from}-${to}: ${powers.join(', ')} kW`),
  );
}

function engineOf({ make, model, badge, cc, cylinders, charged, fuel }: SpecRow): string {
  const burns = fuel === 'Flex fuel' ? 'Gasoline' : fuel;
  return [make, model, badge, cc, cylinders, charged === 1 ? 'charged' : '', burns].join(' ');
}

/** Years with alike powers, in order. */
function runsOf(byYear: ReadonlyMap<number, readonly number[]>): Run[] {
  const runs: Run[] = [];
  for (const [year, powers] of [...byYear].toSorted(([a], [b]) => a - b)) {
    const last = runs.at(-1);
    if (last !== undefined && isNear(last.powers, powers)) {
      last.to = year;
      last.powers = [...powers];
    } else runs.push({ from: year, to: year, powers: [...powers] });
  }
  return runs;
}

function slipsOf(runs: readonly Run[]): Run[] {
  return runs.filter((run, at) => {
    const [before, after] = [runs[at - 1], runs[at + 1]];
    if (before === undefined || after === undefined || run.to - run.from >= LONGEST_SLIP_YEARS) return false;
    return !isNear(before.powers, run.powers) && !isNear(after.powers, run.powers);
  });
}

/** Returns true if any two of the powers are within the jump of each other. */
function isNear(some: readonly number[], others: readonly number[]): boolean {
  return some.some((a) => others.some((b) => Math.max(a, b) <= Math.min(a, b) * (1 + JUMP)));
}
