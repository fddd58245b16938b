import type { Decoder, VehicleReport } from '@marque/decoder';

import type { LabelledVin } from '../labels/labelled.ts';
import { decodeOne } from '../accuracy/sets.ts';
import { sameValue } from './fields.ts';
import type { Merged } from './merge.ts';

const EUROPE = 'Europe';
const MOST_CONTRADICTIONS = 100;

/** How many labeled European VINs have an answer for a field, before and after. */
export interface Gain {
  field: string;
  before: number;
  after: number;
}

/** Where a pattern's cars and the catalog say different things. */
export interface Contradiction {
  mask: string;
  field: string;
  catalog: string;
  register: string;
  cars: number;
}

/** What an overlay of registers would change. */
export interface RegisterImpact {
  /** Labeled European VINs. */
  vins: number;
  gains: Gain[];
  /** All fields of patterns that the catalog answers otherwise. */
  contradicted: number;
  /** The first hundred, by number of cars. */
  contradictions: Contradiction[];
}

/** Compares answers for labeled European VINs without and with registers, and the patterns with the catalog. */
export function impactOfRegisters(
  before: Decoder,
  after: Decoder,
  { rows }: Merged,
  labelled: Iterable<LabelledVin>,
): RegisterImpact {
  const counts = new Map<string, Gain>();
  let vins = 0;
  for (const one of labelled) {
    const report = decodeOne(before, one).report;
    if (report.region !== EUROPE) continue;
    vins++;
    count(counts, report, 'before');
    count(counts, decodeOne(after, one).report, 'after');
  }
  const gains = [...counts.values()].filter((gain) => gain.after !== gain.before);
  const found = rows.flatMap(({ row, cars }) => contradictionsOf(before, row, cars));
  found.sort((a, b) => b.cars - a.cars || (a.mask < b.mask ? -1 : 1));
  return {
    vins,
    gains: gains.toSorted((a, b) => b.after - b.before - (a.after - a.before) || (a.field < b.field ? -1 : 1)),
    contradicted: found.length,
    contradictions: found.slice(0, MOST_CONTRADICTIONS),
  };
}

function count(counts: Map<string, Gain>, report: Partial<VehicleReport>, when: 'before' | 'after'): void {
  for (const field of fieldsOf(report)) {
    const gain = counts.get(field) ?? { field, before: 0, after: 0 };
    gain[when]++;
    counts.set(field, gain);
  }
}

/** The paths of what a report answers. */
function fieldsOf(report: object, prefix = ''): string[] {
  return Object.entries(report).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined || value === null) return [];
    if (typeof value !== 'object' || Array.isArray(value)) return [`${prefix}${name}`];
    return fieldsOf(value, `${prefix}${name}.`);
  });
}

function contradictionsOf(decoder: Decoder, row: Merged['rows'][number]['row'], cars: number): Contradiction[] {
  const { specs, manufacturer, model, modelYear } = decoder.decode(vinOf(row));
  const told = [
    ['modelYear', modelYear, row.years],
    ['manufacturer', manufacturer, row.make],
    ['model', manufacturer === row.make ? model : undefined, row.model],
    ['fuel', specs?.fuelType, row.fuel],
    ['cc', specs?.displacementCc, row.cc],
    ['powerKw', specs?.powerKw, row.powerKw],
  ] as const;
  return told.flatMap(([field, catalog, register]) => {
    if (catalog === undefined || register === undefined || register === '') return [];
    const values = [String(catalog), String(register)] as const;
    if (agree(field, ...values)) return [];
    return [{ mask: row.mask, field, catalog: values[0], register: values[1], cars }];
  });
}

function agree(
  field: 'modelYear' | 'manufacturer' | 'model' | 'fuel' | 'cc' | 'powerKw',
  catalog: string,
  register: string,
): boolean {
  if (field === 'manufacturer' || field === 'model') return catalog === register;
  return field === 'modelYear'
    ? sameValue('years', `${catalog}-${catalog}`, register)
    : sameValue(field, catalog, register);
}

/** A VIN of a pattern: what the pattern leaves out is filled as makers fill it. */
function vinOf({ mask, serials = '00001' }: Merged['rows'][number]['row']): string {
  const check = mask.startsWith('ZZZ', 3) ? 'Z' : '0';
  return `${mask.slice(0, 8)}${check}${mask.slice(9, 12).replaceAll('.', '0')}${serials.slice(0, 5)}`;
}
