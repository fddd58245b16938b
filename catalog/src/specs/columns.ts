import { BODY_STYLES } from '@marque/decoder';

import { patternFault } from '../vin-pattern.ts';

import { DRIVE_TYPES, FUEL_TYPES, TRANSMISSIONS } from '../values/vocabulary.ts';

/** The check of one column of a table of specifications. */
type Column =
  | { kind: 'text' }
  | { kind: 'word'; words: readonly string[] }
  | { kind: 'gearbox' }
  | { kind: 'vin' }
  | { kind: 'number'; from: number; to: number; decimals: number };

const number = (from: number, to: number, decimals = 0) => ({ kind: 'number', from, to, decimals }) as const;

/**
 * The columns that a table of facts/specs may have, each an empty text if the source has no value. `from` and `to` are
 * model years in North America and years of sale elsewhere. The bounds are sanity, not knowledge: the smallest and
 * largest road vehicles that the sources list, with room.
 */
export const SPEC_COLUMNS = {
  make: { kind: 'text' },
  model: { kind: 'text' },
  /** The source's name beyond the family: "328i", "Crew Cab". Words that have a separate column are left out. */
  badge: { kind: 'text' },
  /** The maker's generation, as the facts about the world's VINs write it: "B6", "E46", "III". */
  generation: { kind: 'text' },
  /**
   * Characters that the VIN must have, as a pattern from position 1 on: "......[HV]1". For distinctions by a maker's
   * key, the country, the plant or the serial number, without a word.
   */
  vin: { kind: 'vin' },
  from: number(1980, 2030),
  to: number(1980, 2030),
  body: { kind: 'word', words: BODY_STYLES },
  fuel: { kind: 'word', words: FUEL_TYPES },
  cc: number(40, 17_000),
  cylinders: number(1, 16),
  /** 1: charged by a turbo or a compressor. */
  charged: number(0, 1),
  drive: { kind: 'word', words: DRIVE_TYPES },
  gearbox: { kind: 'gearbox' },
  powerKw: number(3, 1500),
  batteryKwh: number(1, 260, 1),
  emissions: { kind: 'text' },
  lengthMm: number(1600, 20_000),
  widthMm: number(600, 2600),
  heightMm: number(900, 4500),
  wheelbaseMm: number(1100, 9000),
  curbKg: number(50, 30_000),
  grossKg: number(150, 60_000),
  clearanceMm: number(60, 400),
  cargoL: number(20, 6000),
  cargoMaxL: number(100, 20_000),
} as const satisfies Record<string, Column>;

export type SpecColumn = keyof typeof SPEC_COLUMNS;

/** One variant as a source lists it; an absent value is unknown. */
export type SpecRow = { make: string; model: string; from: number; to: number } & {
  -readonly [Name in Exclude<SpecColumn, 'make' | 'model' | 'from' | 'to'>]?: (typeof SPEC_COLUMNS)[Name] extends {
    kind: 'number';
  }
    ? number
    : string;
};

/** Returns true if a table of specifications may have a column of this name. */
export function isSpecColumn(name: string): name is SpecColumn {
  return Object.hasOwn(SPEC_COLUMNS, name);
}

/** Returns the fault of a column's value, in words; undefined: none. */
export function faultOf(name: SpecColumn, text: string): string | undefined {
  const column: Column = SPEC_COLUMNS[name];
  if (column.kind === 'word') {
    return column.words.includes(text) ? undefined : `"${text}" is none of ${column.words.join(', ')}`;
  }
  if (column.kind === 'gearbox') {
    return TRANSMISSIONS.some((kind) => kind === text.replace(/, \d{1,2}-speed$/, ''))
      ? undefined
      : `"${text}" is no gearbox: one of ${TRANSMISSIONS.join(', ')}, and the number of speeds as ", 6-speed"`;
  }
  if (column.kind === 'vin') {
    return patternFault(text);
  }
  return column.kind === 'number' ? numberFault(column, text) : undefined;
}

function numberFault({ from, to, decimals }: Extract<Column, { kind: 'number' }>, text: string): string | undefined {
  const value = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text)) return `"${text}" is no number`;
  if (value < from || value > to) return `${text} is not within ${from} and ${to}`;
  return (text.split('.')[1]?.length ?? 0) > decimals ? `${text} has more than ${decimals} decimals` : undefined;
}
