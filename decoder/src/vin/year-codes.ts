/** The characters of model years at position 10 in their order, 49 CFR 565.15 table VII: A is 1980, and 2010 again. */
export const YEAR_CODES = 'ABCDEFGHJKLMNPRSTVWXY123456789';

/** The model year of the first character in its first cycle. */
export const FIRST_CODED_YEAR = 1980;

/** After so many years the same character comes again. */
export const YEAR_CYCLE = YEAR_CODES.length;

const YEAR_OF = new Uint16Array(128);
for (let index = 0; index < YEAR_CYCLE; index++) YEAR_OF[YEAR_CODES.charCodeAt(index)] = FIRST_CODED_YEAR + index;

/** Returns the year from 1980 to 2009 that the character with this char code means; 0 where it is not a year code. */
export function yearOfCode(charCode: number): number {
  return YEAR_OF[charCode & 127] as number;
}

/** Returns true if position 10 of a VIN can mean this model year. */
export function isYearOfCode(code: string, year: number): boolean {
  const first = yearOfCode(code.charCodeAt(0));
  return first !== 0 && (year - first) % YEAR_CYCLE === 0;
}
