import type { SchemaElement } from 'hyparquet';

/**
 * Kinds of a column's cells, as stored text: `decimal-38-4` has its digits and its scale, `timestamp-micros-utc` and
 * `time-nanos` their unit, and `utc` if they are of one time zone. A cell is its value as text; an empty cell has no
 * value.
 */
export type ColumnKind =
  | 'text'
  | 'double'
  | 'float'
  | 'int32'
  | 'int64'
  | 'uint32'
  | 'uint64'
  | 'boolean'
  | 'date'
  | 'interval'
  | `decimal-${number}-${number}`
  | `${'timestamp' | 'time'}-${TimeUnit}${'' | '-utc'}`;

type TimeUnit = 'millis' | 'micros' | 'nanos';

/** Digits of a fraction of a second. */
const FRACTION_DIGITS: Readonly<Record<string, number>> = { millis: 3, micros: 6, nanos: 9 } satisfies Record<
  TimeUnit,
  number
>;

/** Returns the digits of a fraction of a second in a unit of time. */
export function digitsOf(unit: string): number {
  return FRACTION_DIGITS[unit] ?? 0;
}

const NUMBERS: ReadonlySet<ColumnKind> = new Set(['double', 'float', 'int32', 'int64', 'uint32', 'uint64']);

/** Returns true if the cells of a column are numbers. */
export function isNumberKind(kind: ColumnKind): boolean {
  return NUMBERS.has(kind) || kind.startsWith('decimal');
}

/** Digits that a spreadsheet keeps of a number. */
const SPREADSHEET_DIGITS = 15;

/** Returns true if a spreadsheet keeps a number exactly, digit for digit. */
export function fitsSpreadsheet(cell: string): boolean {
  const digits = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(cell) ? cell.replaceAll(/\D/g, '').replace(/^0+/, '') : undefined;
  return digits !== undefined && digits.length <= SPREADSHEET_DIGITS;
}

/** Returns the kind of a column of Parquet, by the element of its schema. */
export function kindOf({
  type,
  converted_type: converted,
  logical_type: logical,
  ...element
}: SchemaElement): ColumnKind {
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL') {
    const { precision = 0, scale = 0 } = { ...logical, ...element };
    requireDigits(precision, scale);
    return `decimal-${precision}-${scale}`;
  }
  if (converted === 'DATE' || logical?.type === 'DATE') return 'date';
  if (converted === 'INTERVAL') return 'interval';
  if (logical?.type === 'TIMESTAMP' || logical?.type === 'TIME') {
    const name = logical.type === 'TIMESTAMP' ? 'timestamp' : 'time';
    return `${name}-${unitOf(logical.unit)}${logical.isAdjustedToUTC ? '-utc' : ''}`;
  }
  const named = CONVERTED[converted ?? ''];
  if (named !== undefined) return named;
  if (type === 'INT96') return 'timestamp-nanos-utc';
  if (logical?.type === 'INTEGER' && !logical.isSigned) return logical.bitWidth === 64 ? 'uint64' : 'uint32';
  return PLAIN[type ?? ''] ?? 'text';
}

/** Digits of the longest decimal: one of 32 bytes. */
const MOST_DIGITS = 76;

/** @throws Error if a decimal has more digits than any: each of its values would be as long as its sender likes. */
function requireDigits(...counts: readonly number[]): void {
  if (!counts.every((count) => count >= 0 && count <= MOST_DIGITS)) throw new Error('A decimal has too many digits.');
}

const CONVERTED: Readonly<Record<string, ColumnKind>> = {
  TIMESTAMP_MILLIS: 'timestamp-millis-utc',
  TIMESTAMP_MICROS: 'timestamp-micros-utc',
  TIME_MILLIS: 'time-millis-utc',
  TIME_MICROS: 'time-micros-utc',
  UINT_8: 'uint32',
  UINT_16: 'uint32',
  UINT_32: 'uint32',
  UINT_64: 'uint64',
};

const PLAIN: Readonly<Record<string, ColumnKind>> = {
  BOOLEAN: 'boolean',
  INT32: 'int32',
  INT64: 'int64',
  FLOAT: 'float',
  DOUBLE: 'double',
};

function unitOf(unit: string): TimeUnit {
  return unit === 'NANOS' ? 'nanos' : unit === 'MICROS' ? 'micros' : 'millis';
}

/** Returns the element of a schema by which a column of a kind is written. */
export function elementOf(name: string, kind: ColumnKind): SchemaElement {
  const element = { name, repetition_type: 'OPTIONAL' as const };
  const [family, first = '', second = ''] = kind.split('-');
  if (family === 'decimal') {
    const [precision, scale] = [Number(first), Number(second)];
    requireDigits(precision, scale);
    const more = { converted_type: 'DECIMAL' as const, precision, scale };
    if (precision <= 9) return { ...element, ...more, type: 'INT32' };
    if (precision <= 18) return { ...element, ...more, type: 'INT64' };
    return { ...element, ...more, type: 'FIXED_LEN_BYTE_ARRAY', type_length: decimalBytes(precision) };
  }
  if (family === 'timestamp' || family === 'time') {
    const unit = UNITS[first] ?? 'MILLIS';
    const isShort = family === 'time' && unit === 'MILLIS';
    const logical = {
      type: family === 'time' ? 'TIME' : 'TIMESTAMP',
      isAdjustedToUTC: second === 'utc',
      unit,
    } as const;
    return { ...element, type: isShort ? 'INT32' : 'INT64', logical_type: logical };
  }
  return { ...element, ...ELEMENTS[kind] };
}

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;

const ELEMENTS: Readonly<Record<string, Omit<SchemaElement, 'name'>>> = {
  text: TEXT,
  double: { type: 'DOUBLE' },
  float: { type: 'FLOAT' },
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  uint32: { type: 'INT32', converted_type: 'UINT_32' },
  uint64: { type: 'INT64', converted_type: 'UINT_64' },
  boolean: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE' },
  interval: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 12, converted_type: 'INTERVAL' },
};

const UNITS: Readonly<Record<string, 'MILLIS' | 'MICROS' | 'NANOS'>> = {
  millis: 'MILLIS',
  micros: 'MICROS',
  nanos: 'NANOS',
};

/** Returns the bytes that a decimal of so many digits takes, with its sign. */
function decimalBytes(precision: number): number {
  return Math.ceil((precision * Math.log2(10) + 1) / 8);
}
