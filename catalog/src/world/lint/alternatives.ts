import type { WorldFacts } from '../load.ts';
import type { Problem } from '../problem.ts';

/** More names than this do not help. */
const MOST_ALTERNATIVES = 3;

/** Matches words of NHTSA's lists that name a vehicle's purpose, not its model. */
const NO_MODEL = /\b(?:competition|street legal|off-road|(?:two|four)-stroke|green sticker)\b/i;

/** Models whose alternatives are too many, repeat one another, are separated by commas, or name a purpose. */
export function alternatives({ tables }: WorldFacts): Problem[] {
  const problems: Problem[] = [];
  for (const rows of tables.values()) {
    for (const { origin, row } of rows) {
      const fault = row.model === undefined ? undefined : faultOf(row.model.split(' / '));
      if (fault !== undefined) problems.push({ where: origin, what: `"${row.model}": ${fault}` });
    }
  }
  return problems;
}

function faultOf(names: readonly string[]): string | undefined {
  if (names.length > MOST_ALTERNATIVES) return `more than ${MOST_ALTERNATIVES} alternatives do not help`;
  const purpose = names.find((name) => NO_MODEL.test(name));
  if (purpose !== undefined) return `${purpose} is what a vehicle is for, no model`;
  const list = names.find((name) => name.includes(', '));
  if (list !== undefined) return `${list}: alternatives are separated by " / "`;
  for (const [at, family] of names.entries()) {
    const member = names.find((name, other) => other !== at && begins(name, family));
    if (member !== undefined) return `${family} is the family of ${member}: it alone answers`;
  }
  return undefined;
}

/** Returns true if a name begins with all words of another one. */
function begins(name: string, other: string): boolean {
  return `${name.toLowerCase()} `.startsWith(`${other.toLowerCase()} `);
}
