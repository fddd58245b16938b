import { type Decoder, readVin } from '@marque/decoder';

import type { LabeledVin } from './labeled.ts';

const EUROPE = 'Europe';
const REGION = 2;

/** The numbers of labeled European VINs with an answer for a field, before and after. */
export interface Gain {
  field: string;
  before: number;
  after: number;
}

/**
 * Selects the well-formed VINs of Europe. The first two characters determine the region (ISO 3780): one VIN of each is
 * decoded.
 */
export function europeanOf(decoder: Decoder, labeled: Iterable<LabeledVin>): string[] {
  const regions = new Map<string, string | undefined>();
  const vins: string[] = [];
  for (const { vin: text } of labeled) {
    const form = readVin(text);
    if (form.kind !== 'vin') continue;
    const head = form.vin.slice(0, REGION);
    if (!regions.has(head)) regions.set(head, decoder.decode(form.vin).region);
    if (regions.get(head) === EUROPE) vins.push(form.vin);
  }
  return vins;
}

/** Lists the fields whose number of answers changed, those that gain most first. */
export function gainsOf(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): Gain[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((field): Gain => ({ field, before: before.get(field) ?? 0, after: after.get(field) ?? 0 }))
    .filter((gain) => gain.before !== gain.after)
    .toSorted((a, b) => b.after - b.before - (a.after - a.before) || (a.field < b.field ? -1 : 1));
}

/** Counts the VINs with an answer, by field. */
export function countsOf(decoder: Decoder, vins: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const vin of vins) {
    for (const field of fieldsOf(decoder.decode(vin))) counts.set(field, (counts.get(field) ?? 0) + 1);
  }
  return counts;
}

/** Returns the paths of a report's answers. */
function fieldsOf(report: object, prefix = ''): string[] {
  return Object.entries(report).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined || value === null) return [];
    if (typeof value !== 'object' || Array.isArray(value)) return [`${prefix}${name}`];
    return fieldsOf(value, `${prefix}${name}.`);
  });
}
