import { type ColumnKind, digitsOf, isNumberKind } from './kinds.ts';

const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1_000;

/** A moment, a day or a time that is too far away for a date is the number that the file has: databases write infinity so. */
const NO_DATE = /^-?\d+$/;

/** A value of Parquet; null: there is none. */
type Value = string | number | bigint | boolean | Uint8Array | null;

/** Converts a cell to its Parquet value; null: it is empty, or has no value of its kind since a VIN in it was erased. */
export function valueOf(cell: string, kind: ColumnKind): Value {
  if (cell === '') return null;
  if (kind === 'text') return cell;
  try {
    const value = valueIn(cell, kind);
    return Number.isNaN(value) && cell !== 'NaN' ? null : value;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

function valueIn(cell: string, kind: ColumnKind): Value {
  if (kind === 'boolean') return cell === 'true';
  if (kind === 'int64' || kind === 'uint64') return BigInt(cell);
  if (kind === 'date' && NO_DATE.test(cell)) return Number(cell);
  if (kind === 'date') return Math.round(Date.parse(`${cell}T00:00:00Z`) / DAY_MS);
  if (kind === 'interval') return intervalBytes(cell);
  const [family, first = '', second = ''] = kind.split('-');
  if (family === 'decimal') return unscaled(cell, Number(second));
  if (family === 'timestamp') return ticksOf(cell, digitsOf(first));
  if (family === 'time') {
    const ticks = NO_DATE.test(cell) ? BigInt(cell) : ticksOf(`1970-01-01T${cell}`, digitsOf(first));
    return first === 'millis' ? Number(ticks) : ticks;
  }
  return Number(cell);
}

/** Returns the value that JSON has for a cell: a number that JSON's readers keep exactly is one; null: it is empty. */
export function jsonValueOf(cell: string, kind: ColumnKind): string | number | boolean | null {
  if (cell === '') return null;
  if (kind === 'boolean') return cell === 'true';
  const number = Number(cell);
  return isNumberKind(kind) && String(number) === cell ? number : cell;
}

function unscaled(cell: string, scale: number): bigint {
  const [whole = '', fraction = ''] = cell.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0').slice(0, scale));
}

/** Returns the time since 1970 in units of so many digits of a second. */
function ticksOf(cell: string, digits: number): bigint {
  if (NO_DATE.test(cell)) return BigInt(cell);
  const [, second = '', fraction = ''] = /^(.*?:\d\d)(?:\.(\d+))?Z?$/.exec(cell) ?? [];
  const seconds = BigInt(Math.round(Date.parse(`${second}Z`) / 1_000));
  return seconds * 10n ** BigInt(digits) + BigInt(fraction.padEnd(digits, '0').slice(0, digits) || '0');
}

/** Returns a value of a typed table as the text of a cell. Lists and objects become JSON. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  if (typeof value === 'bigint') return String(value);
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? jsonInteger(part) : part));
}

/** Returns a whole number in a list or an object: as text only where the readers of JSON would change it. */
function jsonInteger(integer: bigint): number | string {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : String(integer);
}

/** Converts a value to its text in the file, without its library's formatting. */
export function textOfValue(value: unknown, kind: ColumnKind): string {
  if (value === null || value === undefined) return '';
  const [family, first = '', second = ''] = kind.split('-');
  if (family === 'decimal') return scaled(integerOf(value), Number(second));
  if (family === 'interval') return value instanceof Uint8Array ? intervalText(value) : '';
  if (family === 'date') return isoDay(Number(value) * DAY_MS) || cellText(value);
  if (family === 'timestamp') return timestampText(bigintOf(value), digitsOf(first), second === 'utc');
  if (family === 'time') return timeText(bigintOf(value), digitsOf(first));
  if (kind === 'uint32' && typeof value === 'number') return String(value >>> 0);
  if (kind === 'uint64') return String(BigInt.asUintN(64, bigintOf(value)));
  if (kind === 'float' && typeof value === 'number') return numberText(floatText(value));
  if (kind === 'double' && typeof value === 'number') return numberText(String(value));
  return cellText(value);
}

function bigintOf(value: unknown): bigint {
  return typeof value === 'bigint' ? value : BigInt(Number(value));
}

/**
 * Writes a number. One that has fewer exact digits than it shows is written with its exponent: the same number, and
 * never taken for the 17 digits of a VIN.
 */
function numberText(text: string): string {
  const number = Number(text);
  const isExact = !Number.isInteger(number) || Number.isSafeInteger(number);
  return isExact ? text : number.toExponential().replace('e+', 'E+');
}

/** Returns the shortest text that is this number of 32 bits. */
function floatText(value: number): string {
  for (let digits = 6; digits <= 9; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) return String(text);
  }
  return String(value);
}

/** Returns the whole number in the bytes of a decimal, the first byte highest (two's complement). */
function integerOf(value: unknown): bigint {
  if (!(value instanceof Uint8Array)) return bigintOf(value);
  let integer = 0n;
  for (const byte of value) integer = (integer << 8n) | BigInt(byte);
  return BigInt.asIntN(value.length * 8, integer);
}

function scaled(integer: bigint, scale: number): string {
  const digits = (integer < 0n ? -integer : integer).toString().padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return integer < 0n ? `-${text}` : text;
}

/** Returns a time in ISO 8601; the fraction of a second only if there is one. */
function timestampText(ticks: bigint, digits: number, isUtc: boolean): string {
  const unit = 10n ** BigInt(digits);
  const fraction = ((ticks % unit) + unit) % unit;
  const date = new Date(Number((ticks - fraction) / unit) * 1_000);
  if (Number.isNaN(date.getTime())) return String(ticks);
  const tail = fraction === 0n ? '' : `.${fraction.toString().padStart(digits, '0').replace(/0+$/, '')}`;
  return `${date.toISOString().slice(0, -'.000Z'.length)}${tail}${isUtc ? 'Z' : ''}`;
}

/** Returns a time of the day; the number itself where a day has no such time. */
function timeText(ticks: bigint, digits: number): string {
  const isTime = ticks >= 0n && ticks < BigInt(DAY_SECONDS) * 10n ** BigInt(digits);
  return isTime ? timestampText(ticks, digits, false).slice('1970-01-01T'.length) : String(ticks);
}

function isoDay(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, -'T00:00:00.000Z'.length);
}

/** Formats months, days and milliseconds (Parquet, INTERVAL) as a duration of ISO 8601. */
function intervalText(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [months, days, ms] = [0, 4, 8].map((place) => view.getUint32(place, true));
  return `P${months}M${days}DT${(ms ?? 0) / 1_000}S`;
}

function intervalBytes(cell: string): Uint8Array | null {
  const [, months, days, seconds] = /^P(\d+)M(\d+)DT([\d.]+)S$/.exec(cell) ?? [];
  if (months === undefined) return null;
  const view = new DataView(new ArrayBuffer(12));
  [Number(months), Number(days), Math.round(Number(seconds) * 1_000)].forEach((part, index) =>
    view.setUint32(index * 4, part, true),
  );
  return new Uint8Array(view.buffer);
}
