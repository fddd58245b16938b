import type { WorldFacts } from '../load.ts';
import type { Problem } from '../problem.ts';
import { overlap } from '../years.ts';

/** Finds a row whose years lie outside those of every layout that uses it: it can never match. */
export function impossibleYears({ layouts }: WorldFacts): Problem[] {
  const possible = new Map<string, boolean>();
  for (const { rows, years } of layouts) {
    for (const row of rows) {
      if (possible.get(row.origin) !== true) possible.set(row.origin, overlap(row.years, years));
    }
  }
  return [...possible]
    .filter(([, holds]) => !holds)
    .map(([where]) => ({ where, what: 'its years lie outside those of every layout that uses the table' }));
}
