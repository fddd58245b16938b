import type { CatalogInfo, Decoder } from '@marque/decoder';

import type { Depth } from '../depth.ts';

/** NHTSA's words on lists. */
export const RESPONSE = 'Response returned successfully';
export const RESULTS = 'Results returned successfully';

/** What NHTSA says of a decode: true of all of its data. */
const ALL = 'Any missing decoded values should be interpreted as NHTSA does not have data on the specific variable.';
const reducedText = (lacking: readonly string[]): string =>
  `This service decodes with a reduced set of NHTSA's data, without ${lacking.join('; ')} and some other variables: a missing value does not mean that NHTSA has none. Drive type, transmission, engine power, battery capacity and wheelbase may be from other public specifications.`;
const HIDDEN = 'Values that your plan does not include are left empty.';
const NEITHER =
  'Missing value should NOT be interpreted as an indication that a feature or technology is unavailable for a vehicle.';

/** NHTSA's words with a note, in the form of its own note on decodes. */
export function withNote(message: string, note: string): string {
  return `${message}. NOTE: ${note}`;
}

/** The word on a decode: what its missing values mean. */
export function decodeMessage({ info, vpicFacts }: Pick<Decoder, 'info' | 'vpicFacts'>, depth: Depth): string {
  const about = isReducedSet(info) ? reducedText(vpicFacts.emptyGroups()) : ALL;
  const notes = [about, ...(depth === 'full' ? [] : [HIDDEN]), NEITHER];
  return withNote(RESULTS, notes.join(' '));
}

/** Whether the catalog was made from a part of NHTSA's data. */
export function isReducedSet({ sources }: Pick<CatalogInfo, 'sources'>): boolean {
  return sources.some(({ id, reduced }) => id === 'vpic' && reduced === true);
}
