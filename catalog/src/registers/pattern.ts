/** Matches the characters of a VIN (ISO 3779). */
const CHARACTERS = /^[A-HJ-NPR-Z0-9]+$/;
const WHOLE = 17;
/** Positions 4 to 8 with no more than the maker's filler describe no vehicle. */
const DESCRIPTOR = [3, 8] as const;
const FEWEST_DESCRIBED = 2;

/** A VIN, or the part of one that a register gives, as a pattern. */
export interface VinPattern {
  /** 17 characters, "." for the check digit, the serial number and positions that the register leaves out. */
  mask: string;
  /** The whole VIN, where the register gives it: so a car that comes twice is known. */
  whole: string | undefined;
}

/**
 * Returns the pattern of a VIN; else the reason why it is not one, in words.
 *
 * @param lengths the numbers of characters that the register publishes: other lengths are those of cars before 1981
 */
export function patternOf(text: string, lengths: readonly number[] = [WHOLE]): VinPattern | string {
  const vin = text.replaceAll(/[\s-]/g, '').toUpperCase();
  if (vin === '') return 'no VIN';
  if (!lengths.includes(vin.length)) {
    return `a chassis number of other than ${lengths.join(' or ')} characters, as cars before 1981 have`;
  }
  if (!CHARACTERS.test(vin)) return 'a VIN with characters that no VIN has';
  if (vin.slice(...DESCRIPTOR).replaceAll(/Z/g, '').length < FEWEST_DESCRIBED) return 'a VIN that describes no vehicle';
  return {
    mask: `${vin.slice(0, 8)}.${vin.slice(9, 11)}`.padEnd(WHOLE, '.'),
    whole: vin.length === WHOLE ? vin : undefined,
  };
}

/** Between a pattern of twelve characters and the range of serial numbers behind it. */
export const SERIALS = '@';

/** Positions 13 to 17. */
const SERIAL_AT = 12;
const SERIAL_DIGITS = 5;
const LAST_SERIAL = 99_999;
const CHECK_DIGIT_AT = 8;
const PLANT_AT = 10;

/**
 * Returns the patterns of a range of VINs, each of twelve characters and a range of serial numbers:
 * "ZAR93600.000@89617-94628". There are several if position 12 changes. Else the reason why it is not a range, in
 * words.
 */
export function rangePatterns(first: string, last: string): string[] | string {
  const [from, to] = [first, last].map(corrected) as [string, string];
  if (from.includes('*') || to.includes('*')) return 'a range of VINs with characters left out';
  if (from.length !== WHOLE || to.length !== WHOLE) return 'a range of VINs of other than 17 characters';
  const pattern = patternOf(from);
  if (typeof pattern === 'string') return pattern;
  if (from === to) return 'a single VIN';
  const head = pattern.mask.slice(0, PLANT_AT + 1);
  if (`${to.slice(0, CHECK_DIGIT_AT)}.${to.slice(CHECK_DIGIT_AT + 1, PLANT_AT + 1)}` !== head) {
    return 'a range of VINs over several models, plants or years';
  }
  const [start, end] = [from.slice(PLANT_AT + 1), to.slice(PLANT_AT + 1)];
  const isCounted = /^\d+$/.test(start + end) || (start[0] === end[0] && /^\d+$/.test(start.slice(1) + end.slice(1)));
  if (!isCounted) return 'a range of serial numbers with letters';
  if (start >= end) return 'a range of VINs whose ends are exchanged';
  const [low, high] = [from.slice(SERIAL_AT), to.slice(SERIAL_AT)].map(Number) as [number, number];
  const range = (place: string, least: number, most: number): string =>
    `${head}${place}${SERIALS}${serialText(least)}-${serialText(most)}`;
  const [before, behind] = [start.charAt(0), end.charAt(0)];
  if (before === behind) return [range(before, low, high)];
  const between = Array.from({ length: Number(behind) - Number(before) - 1 }, (_, index) => Number(before) + 1 + index);
  return [
    range(before, low, LAST_SERIAL),
    ...between.map((place) => range(String(place), 0, LAST_SERIAL)),
    range(behind, 0, high),
  ];
}

function serialText(number: number): string {
  return String(number).padStart(SERIAL_DIGITS, '0');
}

/** Letters that no VIN has are typed for the digits like them. */
function corrected(vin: string): string {
  return vin.replaceAll(/\s/g, '').toUpperCase().replaceAll('O', '0').replaceAll('I', '1');
}
