/**
 * Bodies by the code of Regulation (EU) 2018/858, Annex I, part C. Makers file estates, vans and SUVs under each
 * other's, so the code alone decides only the others; among several the model decides.
 */
const OF_CODE: ReadonlyMap<string, readonly string[]> = new Map([
  ['AA', ['sedan', 'hatchback']],
  ['AB', ['hatchback', 'suv', 'van']],
  ['AC', ['wagon', 'suv', 'van']],
  ['AD', ['coupe']],
  ['AE', ['cabrio']],
  ['AF', ['van', 'suv', 'wagon']],
]);

/** Returns the bodies that a code of the European type approval may mean; none for a code that is not a car's. */
export function bodiesOfCode(code: string): readonly string[] {
  return OF_CODE.get(code) ?? [];
}

/** Words of Swiss type approvals. "Limousine" is any closed car, "Stationswagen" any with a large tailgate. */
const OF_WORD: readonly [word: RegExp, bodies: readonly string[]][] = [
  [/[ck]abrio|roadster/i, ['cabrio']],
  [/coup[eé]/i, ['coupe']],
  [/pick-?\s?up/i, ['pickup']],
  [/schr[aä]gheck/i, ['hatchback']],
  [/limousine/i, ['sedan', 'hatchback']],
  [/stationswagen|kombi/i, ['wagon', 'suv', 'van']],
  [/mehrzweck|kleinbus/i, ['van', 'suv', 'wagon']],
  [/lieferwagen|kastenwagen/i, ['van']],
];

/** Returns the bodies that a Swiss word for one may mean; none where the word is not known. */
export function bodiesOfWord(word: string): readonly string[] {
  return OF_WORD.find(([pattern]) => pattern.test(word))?.[1] ?? [];
}

/** Bodies by their Czech words; a word of another body's estate, van or SUV stays open between them. */
const OF_CZECH: readonly [word: RegExp, bodies: readonly string[]][] = [
  [/^SEDAN/i, ['sedan']],
  [/^KUP[EÉ]/i, ['coupe']],
  [/^[CK]ABRIO|^ROADSTER/i, ['cabrio']],
  [/^HATCHBACK/i, ['hatchback', 'suv', 'van']],
  [/^KOMBI/i, ['wagon', 'suv', 'van']],
  [/^PICK-?\s?UP/i, ['pickup']],
];

const OF_UKRAINIAN: readonly [word: RegExp, bodies: readonly string[]][] = [
  [/^СЕДАН/, ['sedan']],
  [/^КУПЕ/, ['coupe']],
  [/^КАБРІОЛЕТ/, ['cabrio']],
  [/^ХЕТЧБЕК/, ['hatchback', 'suv', 'van']],
  [/^УНІВЕРСАЛ/, ['wagon', 'suv', 'van']],
  [/^ПІКАП/, ['pickup']],
];

const OF_KIWI: ReadonlyMap<string, readonly string[]> = new Map([
  ['SALOON', ['sedan']],
  ['HATCHBACK', ['hatchback', 'suv', 'van']],
  ['STATION WAGON', ['wagon', 'suv', 'van']],
  ['CONVERTIBLE', ['cabrio']],
]);

const OF_DANISH: ReadonlyMap<string, readonly string[]> = new Map([
  ['SEDAN', ['sedan']],
  ['COUPÉ', ['coupe']],
  ['COUPE', ['coupe']],
  ['CABRIOLET', ['cabrio']],
  ['HATCHBACK', ['hatchback', 'suv', 'van']],
  ['STATIONCAR', ['wagon', 'suv', 'van']],
]);

/** Returns the bodies that a word of the Czech register may mean. */
export function bodiesOfCzech(word: string): readonly string[] {
  return OF_CZECH.find(([pattern]) => pattern.test(word))?.[1] ?? [];
}

/** Returns the same of a Ukrainian word, in capitals. */
export function bodiesOfUkrainian(word: string): readonly string[] {
  return OF_UKRAINIAN.find(([pattern]) => pattern.test(word))?.[1] ?? [];
}

/** Returns the same of a word of New Zealand's fleet, in capitals. */
export function bodiesOfKiwi(word: string): readonly string[] {
  return OF_KIWI.get(word) ?? [];
}

/** Returns the same of a Danish word. */
export function bodiesOfDanish(word: string): readonly string[] {
  return OF_DANISH.get(word.toUpperCase()) ?? [];
}
