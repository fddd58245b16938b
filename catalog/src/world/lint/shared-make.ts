import { fixedPositions, parsePattern } from '@marque/decoder';

import type { WorldFacts } from '../load.ts';
import type { Problem } from '../problem.ts';

/** The number of positions that a condition has to fix before it can distinguish one maker's VINs from another's. */
const TELLING = 2;

/**
 * The positions that describe the vehicle; those before them are the WMI, those after say when and where it was built.
 */
const FIRST_DESCRIBING = 4;
const LAST_DESCRIBING = 9;

/**
 * Finds layouts that would give the make of a WMI that several makes share although their condition fixes next to
 * nothing: a VIN of the other make meets it too.
 *
 * @param sharedWmis the WMIs for which `wmi.csv` names several makes
 */
export function sharedMake({ layouts }: WorldFacts, sharedWmis: ReadonlySet<string>): Problem[] {
  return layouts
    .filter(({ make, makeNeedsModel, when }) => make !== undefined && !makeNeedsModel && when.some(isVague))
    .flatMap(({ id, make, wmis }) => {
      const shared = wmis.filter((wmi) => sharedWmis.has(wmi));
      if (shared.length === 0) return [];
      const what = `tells the make ${make} of ${shared.join(', ')} by a condition that other makes meet: add "make_needs: model"`;
      return [{ where: id, what }];
    });
}

function isVague(pattern: string): boolean {
  return (
    fixedPositions(parsePattern(pattern)).filter(
      (position) => position >= FIRST_DESCRIBING && position <= LAST_DESCRIBING,
    ).length < TELLING
  );
}
