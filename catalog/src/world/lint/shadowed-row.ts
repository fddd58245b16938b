import type { Confidence } from '@marque/decoder';

import { WORLD_FIELDS } from '@marque/decoder/format';
import type { WorldFacts } from '../load.ts';
import type { WorldRow } from '../model.ts';
import type { Problem } from '../problem.ts';
import { pairs } from './same-code.ts';

const RANK: Readonly<Record<Confidence, number>> = { A: 3, B: 2, C: 1, G: 0 };

/** Finds rows whose values a surer row of the same pattern and years gives already: they can never decide anything. */
export function shadowedRow({ layouts }: WorldFacts): Problem[] {
  const problems = new Map<string, Problem>();
  for (const { rows } of layouts) {
    const byPattern = Map.groupBy(rows, ({ pattern, serial, guard }) => [pattern, serial, guard?.generation].join(' '));
    for (const group of byPattern.values()) {
      for (const [a, b] of pairs(group)) {
        const [below, above] = RANK[a.confidence] < RANK[b.confidence] ? [a, b] : [b, a];
        if (below.origin === above.origin || !shadows(above, below)) continue;
        problems.set(below.origin, {
          where: below.origin,
          what: `${above.origin} says all of it, at least as surely: drop this row`,
        });
      }
    }
  }
  return [...problems.values()];
}

function shadows(above: WorldRow, below: WorldRow): boolean {
  // Learned rows come after all others; learning again drops those that are no longer needed.
  if (below.learned === true) return false;
  if (RANK[above.confidence] === RANK[below.confidence]) {
    // Equal rows that disagree both count; only a plain repetition is idle.
    if (
      !WORLD_FIELDS.every(
        (field) => below.outputs[field] === undefined || below.outputs[field] === above.outputs[field],
      )
    ) {
      return false;
    }
  }
  const [from, to] = above.years;
  const covers =
    (from ?? -Infinity) <= (below.years[0] ?? -Infinity) && (to ?? Infinity) >= (below.years[1] ?? Infinity);
  return (
    covers && WORLD_FIELDS.every((field) => below.outputs[field] === undefined || above.outputs[field] !== undefined)
  );
}
