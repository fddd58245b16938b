import type { WorldFacts } from '../load.ts';
import type { Problem } from '../problem.ts';
import type { ReadRow } from '../table.ts';
import { overlap } from '../years.ts';
import { groupsOfSameCode, pairs } from './same-code.ts';

/** Columns of which a vehicle has one value: two rows of one model in the same years cannot have two. */
const SINGLE = ['generation', 'make', 'fuel', 'cc', 'drive', 'plant_city'] as const;

/**
 * Finds one code with two meanings in the same years and for the same model. Two models under one code are allowed:
 * they say that the VIN does not separate them, and both are left out. So are two bodies, which are then listed as
 * possible.
 */
export function overlappingCodes({ tables, held }: WorldFacts): Problem[] {
  const problems: Problem[] = [];
  for (const rows of tables.values()) {
    for (const group of groupsOfSameCode(rows.filter(({ origin }) => !held.has(origin)))) {
      for (const [a, b] of pairs(group)) {
        const field = a.row.model === b.row.model ? conflict(a, b) : undefined;
        if (field === undefined) continue;
        problems.push({
          where: b.origin,
          what: `${field} is "${b.row[field]}" here and "${a.row[field]}" at ${a.origin}, for the same code and years: part their years or drop one`,
        });
      }
    }
  }
  return problems;
}

function conflict({ row: a }: ReadRow, { row: b }: ReadRow): (typeof SINGLE)[number] | undefined {
  if (a.confidence !== b.confidence) return undefined;
  if (!overlap([a.from ?? null, a.to ?? null], [b.from ?? null, b.to ?? null])) return undefined;
  return SINGLE.find((field) => a[field] !== undefined && b[field] !== undefined && a[field] !== b[field]);
}
