import { type Decoder, readVin } from '@marque/decoder';

import type { LabelledVin } from '../labels/labelled.ts';
import { sameValue } from './fields.ts';
import type { Merged } from './merge.ts';

const EUROPE = 'Europe';
const REGION = 2;
/** Each pattern has positions 1 to 8. */
const DESCRIBED = 8;
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

/**
 * Compares answers for labeled European VINs without and with registers, and the patterns with the catalog.
 *
 * @param after answers as `before` where no row's positions 1 to 8 are the VIN's: only the others are decoded twice
 */
export function impactOfRegisters(
  before: Decoder,
  after: Decoder,
  { rows }: Merged,
  labelled: Iterable<LabelledVin>,
): RegisterImpact {
  const vins = europeanOf(before, labelled);
  const described = new Set(rows.map(({ row }) => row.mask.slice(0, DESCRIBED)));
  const [met, others] = partition(vins, (vin) => described.has(vin.slice(0, DESCRIBED)));
  const [without, gained] = [countsOf(before, met), countsOf(after, met)];
  const fields = [...new Set([...without.keys(), ...gained.keys()])].filter(
    (field) => without.get(field) !== gained.get(field),
  );
  const elsewhere = fields.length === 0 ? new Map<string, number>() : countsOf(before, others);
  const gains = fields.map((field): Gain => {
    const rest = elsewhere.get(field) ?? 0;
    return { field, before: rest + (without.get(field) ?? 0), after: rest + (gained.get(field) ?? 0) };
  });
  const found = rows.flatMap(({ row, cars }) => contradictionsOf(before, row, cars));
  found.sort((a, b) => b.cars - a.cars || (a.mask < b.mask ? -1 : 1));
  return {
    vins: vins.length,
    gains: gains.toSorted((a, b) => b.after - b.before - (a.after - a.before) || (a.field < b.field ? -1 : 1)),
    contradicted: found.length,
    contradictions: found.slice(0, MOST_CONTRADICTIONS),
  };
}

/** The well-formed VINs of Europe. A region is told by the first two characters (ISO 3780): one VIN of each is decoded. */
function europeanOf(decoder: Decoder, labelled: Iterable<LabelledVin>): string[] {
  const regions = new Map<string, string | undefined>();
  const vins: string[] = [];
  for (const { vin: text } of labelled) {
    const form = readVin(text);
    if (form.kind !== 'vin') continue;
    const head = form.vin.slice(0, REGION);
    if (!regions.has(head)) regions.set(head, decoder.decode(form.vin).region);
    if (regions.get(head) === EUROPE) vins.push(form.vin);
  }
  return vins;
}

function partition(vins: readonly string[], test: (vin: string) => boolean): [string[], string[]] {
  const parts: [string[], string[]] = [[], []];
  for (const vin of vins) parts[test(vin) ? 0 : 1].push(vin);
  return parts;
}

/** How many of the VINs have an answer, by field. */
function countsOf(decoder: Decoder, vins: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const vin of vins) {
    for (const field of fieldsOf(decoder.decode(vin))) counts.set(field, (counts.get(field) ?? 0) + 1);
  }
  return counts;
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
