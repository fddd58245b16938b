import type { SourceKind, WorldFacts } from '../load.ts';
import type { Problem } from '../problem.ts';

/** Insufficient evidence alone. */
const ALONE_NOTHING: ReadonlySet<SourceKind> = new Set(['knowledge', 'untraceable']);

/**
 * Finds a fact that claims more than its sources give: A or B without one, A with a single one, C without labeled VINs.
 */
export function unsourcedFact({ tables, sources }: WorldFacts): Problem[] {
  const problems: Problem[] = [];
  for (const rows of tables.values()) {
    for (const { origin, row } of rows) {
      const keys = row.source.split('+').filter((key) => !ALONE_NOTHING.has(sources.get(key) ?? 'knowledge'));
      if ('AB'.includes(row.confidence) && keys.length === 0) {
        problems.push({
          where: origin,
          what: `confidence ${row.confidence} needs a source that can be opened, beside general knowledge (G)`,
        });
      }
      if (row.agreed !== undefined && 'AB'.includes(row.confidence)) {
        problems.push({
          where: origin,
          what: '"agreed" is for rows of confidence C and G: a second source makes a row A',
        });
      }
    }
  }
  return problems;
}
