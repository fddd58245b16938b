/** The form in which the number of a cell is shown: a number, a moment, a time of day, or a duration. */
export type NumberForm = 'number' | 'moment' | 'time' | 'duration';

/** Matches the text of a format: in quotes, escaped, padding, or in brackets as colors and conditions. */
const LITERAL = /"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g;

/** The longest code of a format that spreadsheets take, in characters. */
const LONGEST_CODE = 255;

/** Formats that have no code in the file (ECMA-376, part 1, 18.8.30), with those of East Asia. */
const BUILT_IN: readonly { from: number; to: number; form: NumberForm }[] = [
  { from: 14, to: 17, form: 'moment' },
  { from: 18, to: 21, form: 'time' },
  { from: 22, to: 22, form: 'moment' },
  { from: 27, to: 31, form: 'moment' },
  { from: 32, to: 35, form: 'time' },
  { from: 36, to: 36, form: 'moment' },
  { from: 45, to: 45, form: 'time' },
  { from: 46, to: 46, form: 'duration' },
  { from: 47, to: 47, form: 'time' },
  { from: 50, to: 58, form: 'moment' },
];

/** Returns the form of a format of the library of all spreadsheets. */
export function builtInForm(id: number): NumberForm {
  return BUILT_IN.find(({ from, to }) => id >= from && id <= to)?.form ?? 'number';
}

/** Returns the form of a format by its code, such as `yyyy-mm-dd` or `[h]:mm:ss`. */
export function formOfCode(code: string): NumberForm {
  // Other sections are of negative numbers, zeros and texts.
  const [first = ''] = code.slice(0, LONGEST_CODE).split(';');
  if (/\[(?:h+|m+|s+)\]/i.test(first.replaceAll(/"[^"]*"|\\./g, ''))) return 'duration';
  const plain = first.replaceAll(LITERAL, '').replaceAll(/general/gi, '');
  if (/[yd]/i.test(plain)) return 'moment';
  if (/[hs]/i.test(plain)) return 'time';
  return /m/i.test(plain) ? 'moment' : 'number';
}

const DAY_MS = 86_400_000;

/** The day 0 of both calendars, in milliseconds since 1970. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);

/** Excel has a 29 February 1900; the days before it are one later than their numbers say. */
const LEAP_DAY = 60;

/** The last day that a spreadsheet shows: 31 December 9999. */
const LAST_DAY = 2_958_466;

/** Digits that a spreadsheet keeps of a number. */
const DIGITS = 15;

/** Returns a number of a cell as text, as its form asks; one that is no date stays a number. */
export function numberText(written: string, form: NumberForm, is1904: boolean): string {
  if (form === 'number') return plainNumber(written);
  const value = Number(written);
  if (!Number.isFinite(value)) return written;
  if (form === 'duration' && Math.abs(value) < LAST_DAY) return durationText(value);
  if (value < 0 || value >= LAST_DAY) return plainNumber(written);
  const ms = Math.round(value * DAY_MS);
  if (ms < DAY_MS && (!is1904 || form === 'time')) return clock(ms);
  const early = !is1904 && value < LEAP_DAY ? DAY_MS : 0;
  const text = new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + ms + early).toISOString();
  // A date of the year 10000.
  if (text.startsWith('+')) return plainNumber(written);
  return ms % DAY_MS === 0 ? text.slice(0, 10) : `${text.slice(0, 10)}T${clock(ms % DAY_MS)}`;
}

/** Formats hours, minutes and seconds, with the fraction of a second if there is one. */
function clock(ms: number): string {
  const text = new Date(ms).toISOString().slice(11, -1);
  return text.endsWith('.000') ? text.slice(0, -4) : text;
}

/** Returns a time that may be longer than a day, as spreadsheets show it: `36:30:00`. */
function durationText(days: number): string {
  const ms = Math.round(Math.abs(days) * DAY_MS);
  const hours = Math.floor(ms / 3_600_000);
  return `${days < 0 ? '-' : ''}${hours}${clock(ms % 3_600_000).slice(2)}`;
}

/** Returns a number as its sheet shows it: a whole number as written, any other rounded to hide binary noise. */
function plainNumber(written: string): string {
  if (/^-?\d+$/.test(written)) return written;
  const number = Number(written);
  if (!Number.isFinite(number)) return written;
  return Number.isSafeInteger(number) ? String(number) : String(Number(number.toPrecision(DIGITS)));
}
