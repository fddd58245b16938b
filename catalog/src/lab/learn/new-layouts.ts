import type { LayoutEntry } from '../../world/layouts.ts';
import { yearsOf } from '../../world/years.ts';
import { lowerBound, REQUIRED } from '../../bound.ts';
import { NEW_LAYOUT } from './layouts.ts';
import type { LayoutObservations, Observation } from './observe.ts';
import type { LearnedRule } from './search.ts';

/** A layout for a WMI that had none, with the folder of its make. */
export interface NewLayout {
  /** "new/LXX", as rules name it until it has a folder. */
  id: string;
  folder: string;
  entry: LayoutEntry;
}

/** China (GB 16735) and Brazil (NBR 6066) require the model year at position 10; China a check digit at 9, too. */
const CHINA = /^[HL]/;
const BRAZIL = /^9[3-9A-E]/;

/** Returns the layouts that the rules of unknown WMIs need, each under the make that its cars have. */
export function newLayouts(layouts: readonly LayoutObservations[], rules: readonly LearnedRule[]): NewLayout[] {
  return layouts.flatMap(({ layout, observations }) => {
    if (!layout.startsWith(NEW_LAYOUT)) return [];
    const own = rules.filter((rule) => rule.layout === layout);
    const make = own.find(({ field }) => field === 'make')?.value ?? own.find((rule) => rule.make !== undefined)?.make;
    if (own.length === 0 || make === undefined) return [];
    return [newLayout(layout, make, observations)];
  });
}

function newLayout(id: string, make: string, observations: readonly Observation[]): NewLayout {
  const wmi = id.slice(NEW_LAYOUT.length);
  const year = CHINA.test(wmi) || BRAZIL.test(wmi) || tellsYear(observations) ? 'position-10' : 'none';
  return {
    id,
    folder: folderOf(make),
    entry: {
      name: `wmi-${wmi.toLowerCase()}`,
      about: `Learned from labeled cars: ${make}.`,
      make,
      wmis: [wmi],
      year,
      check_digit: CHINA.test(wmi) ? 'mandatory' : 'none',
    },
  };
}

/**
 * Returns true if the character at position 10 is the labeled year, or the one after it, as often as a year has to be
 * right.
 */
function tellsYear(observations: readonly Observation[]): boolean {
  const dated = observations.filter(({ years }) => years !== undefined);
  const confirmed = dated.filter(({ vin, years }) => {
    const [first = 0, last = 0] = years ?? [];
    return yearsOf(vin.charAt(9), last + 1).some((year) => year >= first && year <= last + 1);
  });
  return lowerBound(confirmed.length, dated.length) >= REQUIRED.identity;
}

/** Returns the folder of a make: "Mercedes-Benz" is mercedes-benz. */
function folderOf(make: string): string {
  return make
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
