import { type Decoder, readVin } from '@marque/decoder';

import type { LabelledVin } from './labelled.ts';

const EUROPE = 'Europe';
const REGION = 2;

/** How many labeled European VINs have an answer for a field, before and after. */
export interface Gain {
  field: string;
  before: number;
  after: number;
}

/** The well-formed VINs of Europe. A region is told by the first two characters (ISO 3780): one VIN of each is decoded. */
export function europeanOf(decoder: Decoder, labelled: Iterable<LabelledVin>): string[] {
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

/** The fields with another number of answers than before, those that gain most first. */
export function gainsOf(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): Gain[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((field): Gain => ({ field, before: before.get(field) ?? 0, after: after.get(field) ?? 0 }))
    .filter((gain) => gain.before !== gain.after)
    .toSorted((a, b) => b.after - b.before - (a.after - a.before) || (a.field < b.field ? -1 : 1));
}

/** How many of the VINs have an answer, by field. */
export function countsOf(decoder: Decoder, vins: readonly string[]): Map<string, number> {
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
