import { parsePattern, type PositionSet } from '@marque/decoder';

import type { WorldFacts } from '../load.ts';
import type { WorldRow } from '../model.ts';
import type { Problem } from '../problem.ts';

/** A rule has exceptions, which longer rows name; one in four is too many. */
const MOST_EXCEPTIONS = 0.25;

/** Fewer types prove nothing about a rule. */
const LEAST_TYPES = 4;

interface Parsed {
  row: WorldRow;
  positions: PositionSet[];
}

/**
 * Finds a general row of the fuel that the maker's own types contradict: it would answer wrongly for types that no list
 * has. Rows that name a model are the types; those without are rules.
 */
export function refutedRule({ layouts }: WorldFacts): Problem[] {
  const problems = new Map<string, Problem>();
  for (const { rows } of layouts) {
    const fueled = rows.filter(({ outputs, learned }) => outputs.fuelType !== undefined && learned !== true);
    const parsed = fueled.map((row): Parsed => ({ row, positions: parsePattern(row.pattern) }));
    const types = parsed.filter(({ row }) => row.outputs.model !== undefined);
    for (const rule of parsed) {
      if (rule.row.outputs.model !== undefined || rule.row.guard !== undefined) continue;
      const ofRule = types.filter((type) => isOf(type, rule));
      const others = ofRule.filter(({ row }) => row.outputs.fuelType !== rule.row.outputs.fuelType);
      if (ofRule.length < LEAST_TYPES || others.length <= ofRule.length * MOST_EXCEPTIONS) continue;
      const where = rule.row.origin;
      const first = others[0]?.row.origin ?? '';
      const fault = `${others.length} of ${ofRule.length} types with this code have another fuel, such as ${first}`;
      problems.set(where, { where, what: `${fault}: narrow the code or drop the row` });
    }
  }
  return [...problems.values()];
}

/** Returns true if a type meets all conditions of a rule, in years that they share. */
function isOf(type: Parsed, rule: Parsed): boolean {
  const [from, to] = rule.row.years;
  const [typeFrom, typeTo] = type.row.years;
  if ((typeFrom ?? -Infinity) > (to ?? Infinity) || (from ?? -Infinity) > (typeTo ?? Infinity)) return false;
  return rule.positions.every((allowed, at) => {
    if (allowed === undefined) return true;
    const characters = type.positions[at];
    return characters !== undefined && Array.from(characters).every((character) => allowed.includes(character));
  });
}
