import { asNumberShown } from './vin/spreadsheet.ts';
import { isVinColumnName } from './vin/names.ts';
import { TableError } from './table-error.ts';

/** An object of JSON. */
type JsonObject = Readonly<Record<string, unknown>>;

/** One line of JSON Lines: an object, or a VIN alone. Null and an empty text are rows without a VIN. */
export type JsonLine = { kind: 'object'; object: JsonObject } | { kind: 'vin'; text: string };

/** The field of a line that is a VIN alone. */
export const VIN_FIELD = 'vin';

/** Digits of a number beyond which JSON's readers and writers change it. */
const SAFE_DIGITS = 15;

/**
 * Characters of a first line that is parsed to recognize it; a longer one in braces is an object, or is refused when it
 * is read.
 */
const LONGEST_SAMPLE = 8_192;

/** Returns whether a text is JSON Lines: its first line that is not blank is an object. */
export function isJsonLines(beginning: string): boolean {
  // No pattern for the whole line: one that ends in something else would be gone through again from each brace.
  const start = beginning.search(/\S/);
  if (start === -1 || beginning[start] !== '{') return false;
  const ends = ['\n', '\r'].map((end) => beginning.indexOf(end, start)).filter((end) => end !== -1);
  const line = beginning.slice(start, Math.min(beginning.length, ...ends)).trimEnd();
  if (!line.endsWith('}')) return false;
  if (line.length > LONGEST_SAMPLE) return true;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads a line of JSON. Undefined: the line is blank.
 *
 * @throws TableError when it is something else.
 */
export function readJsonLine(line: string, number: number): JsonLine | undefined {
  const text = line.replace(/^\uFEFF/, '').trim();
  if (text === '') return undefined;
  const value = parsed(text, number);
  if (value === null) return { kind: 'vin', text: '' };
  if (typeof value === 'string' || typeof value === 'number' || value instanceof LongNumber) {
    return { kind: 'vin', text: jsonText(value) };
  }
  // Without a prototype: a field such as "constructor" that the line does not have is none.
  if (typeof value === 'object' && !Array.isArray(value)) {
    return { kind: 'object', object: { __proto__: null, ...value } };
  }
  throw new TableError(
    `Line ${number} is neither an object nor a VIN. Write one object or one VIN in quotes per line.`,
  );
}

function parsed(text: string, number: number): unknown {
  try {
    return LONG.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch {
    throw new TableError(`Line ${number} is not JSON. Write one object or one VIN in quotes per line.`);
  }
}

/** More digits than JavaScript's numbers keep. */
const LONG = /\d{16}/;

/** A whole number as it was written. */
export class LongNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  /** Returns the digits: within a list or an object they are text. */
  toJSON(): string {
    return this.digits;
  }
}

/** Keeps the digits of whole numbers that are longer than JavaScript's. */
function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && /^-?\d{16,}$/.test(source)
    ? new LongNumber(source)
    : value;
}

/**
 * Returns a value as the text of a cell. A number that has lost digits looks like one, so that it is not taken for a
 * VIN.
 */
export function jsonText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (value instanceof LongNumber) return jsonText(Number(value.digits));
  if (typeof value !== 'number') return JSON.stringify(value);
  const text = String(value);
  return /^\d+$/.test(text) && text.length > SAFE_DIGITS ? asNumberShown(text) : text;
}

/** Returns the field that has the VINs: the requested one, in any case, or one of a known name; undefined: none. */
export function vinFieldOf(fields: readonly string[], asked: string): string | undefined {
  if (asked === '') return fields.find((field) => field === VIN_FIELD) ?? fields.find(isVinColumnName);
  return fields.find((field) => field === asked) ?? fields.find((field) => field.toLowerCase() === asked.toLowerCase());
}
