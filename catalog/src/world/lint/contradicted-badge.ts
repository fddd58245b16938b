import type { TableRow } from '../columns.ts';
import type { WorldFacts } from '../load.ts';
import type { Problem } from '../problem.ts';

/** Words of badges, and the values with which a row is about another car. */
const BADGES: readonly { badge: RegExp; says: string; isWrong: (row: TableRow) => boolean }[] = [
  {
    badge: /\b(xDrive|4-?MATIC|quattro|4Motion)\b/i,
    says: 'all wheels are driven',
    isWrong: ({ drive }) => drive === 'FWD' || drive === 'RWD',
  },
  { badge: /\bsDrive/i, says: 'two wheels are driven', isWrong: ({ drive }) => drive === 'AWD' },
  { badge: /\d\dd\b/, says: 'it burns diesel', isWrong: ({ fuel }) => fuel === 'Gasoline' || fuel === 'Electric' },
  { badge: /\d\di\b/, says: 'it burns gasoline', isWrong: ({ fuel }) => fuel === 'Diesel' || fuel === 'Electric' },
  { badge: /hybrid/i, says: 'it is a hybrid', isWrong: ({ fuel = 'Hybrid' }) => !/hybrid/i.test(fuel) },
];

/** Finds fuels and driven wheels that the row's own badge contradicts. */
export function contradictedBadge({ tables }: WorldFacts): Problem[] {
  return [...tables.values()].flat().flatMap(({ origin, row }) =>
    BADGES.filter(({ badge, isWrong }) => badge.test(row.trim ?? '') && isWrong(row)).map(({ says }) => ({
      where: origin,
      what: `the badge "${row.trim}" says that ${says}: leave out the other, or both`,
    })),
  );
}
