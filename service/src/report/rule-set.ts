/** Readable names of layouts; the others are readable as they are. */
const LAYOUTS: ReadonlyMap<string, string> = new Map([
  ['row', 'rest of world'],
  ['na', 'North America'],
]);

/**
 * Returns the rules that decode a VIN, as text: "Rule set: Volkswagen, rest of world". Pure.
 *
 * @param reading as an explanation names it: "volkswagen/row", or "vPIC".
 * @param manufacturer as the report spells it.
 */
export function ruleSetText(reading: string, manufacturer: string | undefined): string {
  const [file = '', layout] = reading.split('/');
  if (layout === undefined) return `Rule set: ${reading}`;
  const isMake = manufacturer?.toLowerCase().replaceAll(' ', '-') === file;
  const make = isMake ? manufacturer : file.split('-').map(capitalized).join(' ');
  return `Rule set: ${make}, ${LAYOUTS.get(layout) ?? layout.replaceAll('-', ' ')}`;
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
