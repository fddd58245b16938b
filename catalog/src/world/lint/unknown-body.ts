import type { WorldFacts } from '../load.ts';
import type { Problem } from '../problem.ts';

/** Finds a body of `unknown`, which is for reports, or a body's label without the body. */
export function unknownBody({ tables }: WorldFacts): Problem[] {
  const problems: Problem[] = [];
  for (const rows of tables.values()) {
    for (const { origin, row } of rows) {
      if (row.body === 'unknown') problems.push({ where: origin, what: 'leave the body empty where it is not known' });
      if (row.body === undefined && (row.body_label !== undefined || row.doors !== undefined)) {
        problems.push({ where: origin, what: 'a body label or doors are given without a body' });
      }
    }
  }
  return problems;
}
