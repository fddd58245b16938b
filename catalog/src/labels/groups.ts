/** How many folds the labeled VINs are split into; each is decoded with what the others support. */
export const FOLDS = 5;

/**
 * What makes two labeled VINs one observation: positions 1-8, 10 and 11. Cars that differ in nothing but the check digit and
 * the serial number are one type from one plant and year, so the second says little that the first did not.
 */
export function groupOf(vin: string): string {
  return vin.slice(0, 8) + vin.slice(9, 11);
}

/** The fold of a VIN: a whole group is held out together, whatever file has its VINs. */
export function foldOf(vin: string): number {
  return foldOfText(groupOf(vin));
}

/** The fold of a car's model as labeled: all cars of a model are held out together. */
export function foldOfModel({ manufacturer = '', model = '' }: { manufacturer?: string; model?: string }): number {
  return foldOfText(`${manufacturer} ${model}`.toLowerCase());
}

function foldOfText(text: string): number {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return (hash >>> 0) % FOLDS;
}
