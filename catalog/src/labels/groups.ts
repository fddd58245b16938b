/** The number of folds of the labeled VINs; each is decoded with the support of the others. */
export const FOLDS = 5;

/**
 * Returns the group of a labeled VIN, which counts as one observation: positions 1-8, 10 and 11. Cars that differ only
 * in the check digit and the serial number are one type from one plant and year, so the second adds little to the
 * first.
 */
export function groupOf(vin: string): string {
  return vin.slice(0, 8) + vin.slice(9, 11);
}

/** Returns the fold of a VIN: a whole group is held out together, in any file with its VINs. */
export function foldOf(vin: string): number {
  return foldOfText(groupOf(vin));
}

/** Returns the fold of a car's model as labeled: all cars of a model are held out together. */
export function foldOfModel({ manufacturer = '', model = '' }: { manufacturer?: string; model?: string }): number {
  return foldOfText(`${manufacturer} ${model}`.toLowerCase());
}

function foldOfText(text: string): number {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return (hash >>> 0) % FOLDS;
}
