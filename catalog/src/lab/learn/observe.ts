import { type Decoder, hasValidCheckDigit, readVin } from '@marque/decoder';
import { isReadByVpic } from '@marque/decoder/format';

import { groupOf } from '../../labels/groups.ts';
import { type Field, compareField } from '../../labels/compare.ts';
import type { Label, LabeledVin } from '../../labels/labeled.ts';
import { digitsOf } from './digits.ts';
import type { LayoutFinder } from './layouts.ts';
import { LEARNED_FIELDS, type LearnedField, sameValue } from './fields.ts';
import { type SerialCar, serialCar } from './serials.ts';
import { majorityOf } from './tally.ts';
import type { NormalizedLabel, Vocabulary } from './vocabulary.ts';

/** The state of a labeled field in the present catalog. */
export type LookUpState = 'unlabeled' | 'open' | 'right' | 'wrong';

/** All labeled cars that are the same in every character that a pattern may contain. */
export interface Observation {
  /** One of them. */
  vin: string;
  /** Its characters as numbers, and the number of its WMI in the layout. */
  digits: Uint8Array;
  wmi: number;
  /** Its number in the layout: observations of one group are not independent. */
  group: number;
  cars: number;
  /** The values of most of them. */
  reading: NormalizedLabel;
  standing: Record<LearnedField, LookUpState>;
  /** First and last labeled year. */
  years: readonly [number, number] | undefined;
}

/** The observations of a layout, in the order of their groups. */
export interface LayoutObservations {
  /** "volkswagen/row", or "new/LXX" for a WMI that no layout has. */
  layout: string;
  observations: Observation[];
}

const WMI_LENGTH = 3;

/** Fields that distinguish labels, except the year. */
const LABEL_FIELDS = [
  'manufacturer',
  'model',
  'generation',
  'bodyStyle',
  'bodyStyleNormalized',
  'fuelType',
  'displacementCc',
  'driveType',
  'transmission',
  'powerKw',
] as const satisfies readonly (keyof Label)[];

interface Gathered {
  vin: string;
  layout: string;
  /** Cars by what their labels say. */
  labels: Map<number, number>;
  from: number;
  to: number;
}

/** A label, and its number of cars. */
interface Said {
  label: Label;
  yearBasis: LabeledVin['yearBasis'];
  cars: number;
  /** The label in the catalog's words, set once all cars are there. */
  reading: NormalizedLabel;
}

/**
 * The observations of a layout. Groups and WMIs are numbered within it, so that no other layout changes its findings.
 */
interface Numbered {
  observations: Observation[];
  groups: Map<string, number>;
  wmis: Map<string, number>;
}

function numberOf(numbers: Map<string, number>, name: string): number {
  const number = numbers.get(name) ?? numbers.size;
  numbers.set(name, number);
  return number;
}

/** Gathers labeled cars, one after the other, into observations. */
export class Observer {
  readonly #finder: LayoutFinder;
  readonly #vocabulary: Vocabulary;
  readonly #decoder: Decoder;
  readonly #gathered = new Map<string, Gathered>();
  readonly #labels: Said[] = [];
  readonly #labelIds = new Map<string, number>();
  /** Cars of layouts whose VINs have no year, by layout. */
  readonly serials = new Map<string, SerialCar[]>();
  /** Cars that are counted, and texts that are not VINs. */
  cars = 0;
  malformed = 0;

  constructor(finder: LayoutFinder, vocabulary: Vocabulary, decoder: Decoder) {
    this.#finder = finder;
    this.#vocabulary = vocabulary;
    this.#decoder = decoder;
  }

  add({ vin: text, expected, yearBasis }: LabeledVin): void {
    const form = readVin(text);
    if (form.kind !== 'vin') {
      this.malformed++;
      return;
    }
    this.cars++;
    const { vin } = form;
    const layout = this.#finder.layoutOf(vin);
    if (this.#finder.isYearless(layout)) this.#addSerial(layout, serialCar(vin, { vin, expected, yearBasis }));
    const key = layout + this.#finder.observed(vin, layout);
    let gathered = this.#gathered.get(key);
    if (gathered === undefined) {
      gathered = { vin, layout, labels: new Map(), from: Infinity, to: -Infinity };
      this.#gathered.set(key, gathered);
    }
    const id = this.#labelId(expected, yearBasis);
    gathered.labels.set(id, (gathered.labels.get(id) ?? 0) + 1);
    const year = Number(expected.modelYear);
    if (!Number.isInteger(year)) return;
    gathered.from = Math.min(gathered.from, year);
    gathered.to = Math.max(gathered.to, year);
  }

  #addSerial(layout: string, car: SerialCar | undefined): void {
    if (car === undefined) return;
    const own = this.serials.get(layout);
    if (own === undefined) this.serials.set(layout, [car]);
    else own.push(car);
  }

  /** Returns the observations by layout. What vPIC reads is not the world's facts' to say, and is left out. */
  finish(): LayoutObservations[] {
    for (const said of this.#labels) said.reading = this.#vocabulary.read(said.label, said.cars);
    const byLayout = new Map<string, Numbered>();
    for (const gathered of this.#gathered.values()) {
      const { vin, layout } = gathered;
      if (this.#readByVpic(vin)) continue;
      const own: Numbered = byLayout.get(layout) ?? { observations: [], groups: new Map(), wmis: new Map() };
      byLayout.set(layout, own);
      const group = numberOf(own.groups, groupOf(vin));
      own.observations.push(this.#observe(gathered, group, numberOf(own.wmis, vin.slice(0, WMI_LENGTH))));
    }
    return [...byLayout]
      .map(([layout, { observations }]) => ({
        layout,
        observations: observations.toSorted((a, b) => a.group - b.group || (a.vin < b.vin ? -1 : 1)),
      }))
      .toSorted((a, b) => (a.layout < b.layout ? -1 : 1));
  }

  #readByVpic(vin: string): boolean {
    if (vin >= '1' && vin < '6') return true;
    return hasValidCheckDigit(vin) && isReadByVpic(this.#decoder, vin);
  }

  #labelId(label: Label, yearBasis: LabeledVin['yearBasis']): number {
    // The year is kept separately: otherwise every year would be a different label.
    const key = LABEL_FIELDS.map((field) => label[field] ?? '').join('\t') + yearBasis;
    let id = this.#labelIds.get(key);
    if (id === undefined) {
      id = this.#labels.length;
      this.#labelIds.set(key, id);
      const { modelYear: _, ...rest } = label;
      this.#labels.push({ label: rest, reading: {}, yearBasis, cars: 0 });
    }
    (this.#labels[id] as Said).cars++;
    return id;
  }

  #observe({ vin, labels, from, to }: Gathered, group: number, wmi: number): Observation {
    const report = this.#decoder.decode(vin);
    const reading: NormalizedLabel = {};
    const standing = {} as Record<LearnedField, LookUpState>;
    let cars = 0;
    for (const count of labels.values()) cars += count;
    for (const field of LEARNED_FIELDS) {
      const counts = new Map<string, number>();
      for (const [id, count] of labels) {
        const value = this.#labels[id]?.reading[field];
        if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + count);
      }
      const most = majorityOf(field, counts);
      standing[field] = 'unlabeled';
      if (most === undefined || most.agreeing * 2 <= most.groups) continue;
      reading[field] = most.value;
      for (const id of labels.keys()) {
        const said = this.#labels[id];
        if (said?.reading[field] === undefined || !sameValue(field, said.reading[field], most.value)) continue;
        standing[field] = standingOf(field, { vin, expected: said.label, yearBasis: said.yearBasis }, report);
        break;
      }
    }
    const years = from <= to ? ([from, to] as const) : undefined;
    return { vin, digits: digitsOf(vin), wmi, group, cars, reading, standing, years };
  }
}

const JUDGED: Readonly<Record<Exclude<LearnedField, 'generation'>, Field>> = {
  make: 'manufacturer',
  model: 'model',
  body: 'body',
  fuelType: 'fuelType',
  displacementCc: 'displacementCc',
  powerKw: 'powerKw',
  driveType: 'driveType',
  transmission: 'transmission',
};

function standingOf(field: LearnedField, labeled: LabeledVin, report: ReturnType<Decoder['decode']>): LookUpState {
  if (field === 'generation') {
    if (report.generation === undefined) return 'open';
    return report.generation === labeled.expected.generation ? 'right' : 'wrong';
  }
  const verdict = compareField(JUDGED[field], labeled, report);
  return verdict === 'unanswered' ? 'open' : verdict;
}
