import type { Decoder } from '@marque/decoder';

import { countsOf, europeanOf, type Gain, gainsOf } from '../labels/gains.ts';
import type { LabeledVin } from '../labels/labeled.ts';
import { vinOf } from '../approvals/columns.ts';
import { sameValue } from './fields.ts';
import type { Merged } from './merge.ts';

/** Each pattern has positions 1 to 8. */
const DESCRIBED = 8;
const MOST_CONTRADICTIONS = 100;

/** A field in which a pattern's cars and the catalog differ. */
export interface Contradiction {
  mask: string;
  field: string;
  catalog: string;
  register: string;
  cars: number;
}

/** The effect of an overlay of registers. */
export interface RegisterImpact {
  /** Labeled European VINs. */
  vins: number;
  gains: Gain[];
  /** All fields of patterns that the catalog answers otherwise. */
  contradicted: number;
  /** The first hundred, by number of cars. */
  contradictions: Contradiction[];
}

/**
 * Compares answers for labeled European VINs without and with registers, and the patterns with the catalog.
 *
 * @param after answers as `before` where no row's positions 1 to 8 are the VIN's: only the others are decoded twice
 */
export function impactOfRegisters(
  before: Decoder,
  after: Decoder,
  { rows }: Merged,
  labeled: Iterable<LabeledVin>,
): RegisterImpact {
  const vins = europeanOf(before, labeled);
  const described = new Set(rows.map(({ row }) => row.mask.slice(0, DESCRIBED)));
  const [met, others] = partition(vins, (vin) => described.has(vin.slice(0, DESCRIBED)));
  const [without, gained] = [countsOf(before, met), countsOf(after, met)];
  const changed = gainsOf(without, gained);
  const elsewhere = changed.length === 0 ? new Map<string, number>() : countsOf(before, others);
  const gains = changed.map((gain): Gain => {
    const rest = elsewhere.get(gain.field) ?? 0;
    return { field: gain.field, before: rest + gain.before, after: rest + gain.after };
  });
  const found = rows.flatMap(({ row, cars }) => contradictionsOf(before, row, cars));
  found.sort((a, b) => b.cars - a.cars || (a.mask < b.mask ? -1 : 1));
  return {
    vins: vins.length,
    gains,
    contradicted: found.length,
    contradictions: found.slice(0, MOST_CONTRADICTIONS),
  };
}

function partition(vins: readonly string[], test: (vin: string) => boolean): [string[], string[]] {
  const parts: [string[], string[]] = [[], []];
  for (const vin of vins) parts[test(vin) ? 0 : 1].push(vin);
  return parts;
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
