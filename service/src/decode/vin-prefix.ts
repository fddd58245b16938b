import { type Decoder, isYearOfCode } from '@marque/decoder';

/** The public meaning of a VIN's first characters: the makes, and the coded year. */
export interface PrefixInfo {
  /**
   * Makes whose vehicles carry the WMI, in alphabetical order; absent: none is known, or the WMI alone does not decide.
   */
  makes?: string[];
  region?: string;
  /** The model year of the code at position 10; absent: it is not coded there, or not certain. */
  modelYear?: string;
}

const WMI_LENGTH = 3;
const YEAR_POSITION = 10;
const VIN_LENGTH = 17;
const PREFIX = /^[A-HJ-NPR-Z0-9]{3,17}$/;

/** Sample suffixes: a make or a year that differs between them is left out. */
const SAMPLE_SUFFIXES = ['00000000000000', '11111111111111', 'AAAAAAAAAAAAAA', 'ZZZZZZZZZZZZZZ'];
const SERIALS = ['0000000', 'A000001', 'W000001', '1111111'];

/** Reads three to 17 characters, upper case and without spaces; returns nothing for other texts. */
export function infoOfPrefix(decoder: Pick<Decoder, 'decode' | 'vpicFacts'>, text: string): PrefixInfo {
  if (!PREFIX.test(text)) return {};
  const wmi = text.slice(0, WMI_LENGTH);
  const readings = SAMPLE_SUFFIXES.map((ending) => decoder.decode(wmi + ending));
  const makes = wmi.endsWith('9') ? [] : makesOf(decoder, wmi, readings);
  const region = readings[0]?.region;
  const modelYear = text.length < YEAR_POSITION ? undefined : yearIn(decoder, text);
  return {
    ...(makes.length === 0 ? {} : { makes }),
    ...(region === undefined ? {} : { region }),
    ...(modelYear === undefined ? {} : { modelYear }),
  };
}

/** Returns all makes of a WMI: makers of few vehicles share one, and some use one for several makes. */
function makesOf(
  { vpicFacts }: Pick<Decoder, 'vpicFacts'>,
  wmi: string,
  readings: readonly { manufacturer?: string }[],
): string[] {
  const found = readings.flatMap(({ manufacturer }) => manufacturer ?? []);
  return [...new Set([...(vpicFacts.wmi(wmi)?.makes ?? []), ...found])].toSorted();
}

function yearIn(decoder: Pick<Decoder, 'decode'>, text: string): string | undefined {
  const coded = text.slice(0, YEAR_POSITION);
  const vins = text.length === VIN_LENGTH ? [text] : SERIALS.map((serial) => coded + serial);
  const [year, ...others] = new Set(vins.map((vin) => decoder.decode(vin).modelYear));
  if (year === undefined || others.length > 0) return undefined;
  return isYearOfCode(coded.slice(-1), Number(year)) ? year : undefined;
}
