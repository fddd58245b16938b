import { type Decoder, hasValidCheckDigit, VIN_CHARACTERS } from '@marque/decoder';

import { randomNumbers } from '../random.ts';

/** Counts how often the true VIN was found after it was mistyped in one way. */
export interface RepairRow {
  mistake: string;
  mistyped: number;
  /** Share of the mistyped VINs whose true VIN was suggested first, and at all. */
  first: number;
  listed: number;
  /** Share that got no suggestion. */
  none: number;
}

/** A VIN mistyped, or undefined where this mistake cannot be made in it. */
type Mistake = (vin: string, random: () => number) => string | undefined;

/** Characters that people and readers take for one another, including those that no VIN has. */
const CONFUSED: Readonly<Record<string, string>> = {
  '0': 'ODQ',
  '1': 'IL',
  '2': 'Z',
  '5': 'S',
  '6': 'G',
  '8': 'B',
  B: '8',
  D: '0OQ',
  G: '6',
  L: '1I',
  S: '5',
  U: 'V',
  V: 'U',
  Z: '2',
};

const LOOK_ALIKE: [name: string, mistake: Mistake] = ['look-alike', lookAlike];
const OTHER_CHARACTER: [name: string, mistake: Mistake] = ['any other character', otherCharacter];
const SWAPPED: [name: string, mistake: Mistake] = ['neighbours swapped', transposition];

/** One mistake each, so that each kind has its share. */
const SINGLE = [LOOK_ALIKE, OTHER_CHARACTER, SWAPPED];

const LENGTH: readonly [name: string, mistake: Mistake][] = [
  ['a character missing', missing],
  ['a character doubled', doubled],
];

const LIKELY = 'look-alike or swapped';

const SEED = 20_260;

/**
 * Mistypes each VIN of North American form (those with a right check digit) once in each way, and looks for the true
 * one among the suggestions. The same VINs give the same table.
 */
export function measureRepair(decoder: Decoder, vins: readonly string[]): RepairRow[] {
  const northAmerican = vins.filter((vin) => hasValidCheckDigit(vin));
  const rows = SINGLE.map(([name, mistake]) => measure(decoder, northAmerican, name, mistake));
  const likely = rows.filter(({ mistake }) => mistake !== OTHER_CHARACTER[0]);
  const twice: Mistake = (vin, random) => {
    const once = anyOf(SINGLE, random)(vin, random);
    return once === undefined ? undefined : anyOf(SINGLE, random)(once, random);
  };
  const length = LENGTH.map(([name, mistake]) => measure(decoder, northAmerican, name, mistake));
  return [
    ...rows,
    together(LIKELY, likely),
    together('any of the three', rows),
    ...length,
    measure(decoder, northAmerican, 'two mistakes', twice),
  ];
}

/** Measures the repair of the commonest mistakes: characters that look alike, and neighbors that are swapped. */
export function measureLikelyRepair(decoder: Decoder, vins: readonly string[]): RepairRow[] {
  const rows = [LOOK_ALIKE, SWAPPED].map(([name, mistake]) => measure(decoder, vins, name, mistake));
  return [...rows, together(LIKELY, rows)];
}

/** Counts the VINs, believed to be right, that get a suggestion all the same. */
function countNeedless(decoder: Decoder, vins: readonly string[]): number {
  return vins.filter((vin) => decoder.suggest(vin).length > 0).length;
}

/** A search takes milliseconds: with thousands of VINs in seven ways, minutes. */
const SAMPLE_VINS = 200;

/**
 * Returns the chapter of `npm run accuracy` about these VINs: of an even sample, or of all of them. Only the count of
 * needless suggestions if few have a right check digit: elsewhere one VIN in eleven has it by chance.
 */
export function repairChapter(decoder: Decoder, all: readonly string[], scope: 'sample' | 'all'): string {
  const step = scope === 'all' ? 1 : Math.max(1, Math.floor(all.length / SAMPLE_VINS));
  const vins = all.filter((_, index) => index % step === 0);
  const needless = countNeedless(decoder, vins);
  const note = `${needless} of ${vins.length} VINs get a suggestion unchanged.`;
  const northAmerican = vins.filter((vin) => hasValidCheckDigit(vin)).length;
  if (northAmerican < vins.length / 2) return `### Mistyped VINs\n\n${note}`;
  return `### Mistyped VINs\n\n${repairTable(measureRepair(decoder, vins))}\n${note}`;
}

/** Returns the measurement as a table for people. */
export function repairTable(rows: readonly RepairRow[]): string {
  const lines = rows.map((row) => [
    row.mistake,
    String(row.mistyped),
    percent(row.first),
    percent(row.listed),
    percent(row.none),
  ]);
  const head = ['mistake', 'mistyped', 'first', 'among five', 'no suggestion'];
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function measure(decoder: Decoder, vins: readonly string[], mistake: string, mistype: Mistake): RepairRow {
  let [mistyped, first, listed, none] = [0, 0, 0, 0];
  for (const vin of vins) {
    // Drawn for each VIN, so that one more VIN in the list changes nothing for the others.
    const text = mistype(vin, randomNumbers(seedOf(vin)));
    // Two mistakes may undo each other.
    if (text === undefined || text === vin) continue;
    const suggestions = decoder.suggest(text);
    mistyped++;
    if (suggestions[0]?.vin === vin) first++;
    if (suggestions.some((suggestion) => suggestion.vin === vin)) listed++;
    if (suggestions.length === 0) none++;
  }
  const share = (count: number): number => (mistyped === 0 ? 0 : count / mistyped);
  return {
    mistake,
    mistyped,
    first: share(first),
    listed: share(listed),
    none: share(none),
  };
}

function together(mistake: string, rows: readonly RepairRow[]): RepairRow {
  const mistyped = rows.reduce((sum, row) => sum + row.mistyped, 0);
  const mean = (of: (row: RepairRow) => number): number =>
    rows.reduce((sum, row) => sum + of(row) * row.mistyped, 0) / Math.max(1, mistyped);
  return {
    mistake,
    mistyped,
    first: mean((row) => row.first),
    listed: mean((row) => row.listed),
    none: mean((row) => row.none),
  };
}

function lookAlike(vin: string, random: () => number): string | undefined {
  const places = [...vin].flatMap((character, at) => (CONFUSED[character] === undefined ? [] : [at]));
  if (places.length === 0) return undefined;
  const at = pick(places, random);
  return replaced(vin, at, 1, pick([...(CONFUSED[vin.charAt(at)] ?? '')], random));
}

function otherCharacter(vin: string, random: () => number): string {
  const at = Math.floor(random() * vin.length);
  const others = [...VIN_CHARACTERS].filter((character) => character !== vin.charAt(at));
  return replaced(vin, at, 1, pick(others, random));
}

function transposition(vin: string, random: () => number): string | undefined {
  const places = [...vin].flatMap((character, at) =>
    at + 1 < vin.length && character !== vin.charAt(at + 1) ? [at] : [],
  );
  if (places.length === 0) return undefined;
  const at = pick(places, random);
  return replaced(vin, at, 2, vin.charAt(at + 1) + vin.charAt(at));
}

function missing(vin: string, random: () => number): string {
  return replaced(vin, Math.floor(random() * vin.length), 1, '');
}

function doubled(vin: string, random: () => number): string {
  const at = Math.floor(random() * vin.length);
  return replaced(vin, at, 0, vin.charAt(at));
}

function replaced(vin: string, at: number, length: number, by: string): string {
  return vin.slice(0, at) + by + vin.slice(at + length);
}

function anyOf(mistakes: readonly [string, Mistake][], random: () => number): Mistake {
  return pick(mistakes, random)[1];
}

function pick<T>(choices: readonly T[], random: () => number): T {
  const choice = choices[Math.floor(random() * choices.length)];
  if (choice === undefined) throw new RangeError('There is nothing to choose from.');
  return choice;
}

function seedOf(vin: string): number {
  return [...vin].reduce((seed, character) => Math.imul(seed, 31) + character.charCodeAt(0), SEED);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
