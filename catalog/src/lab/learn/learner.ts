import type { Decoder } from '@marque/decoder';

import type { LabeledVin } from '../../labels/labeled.ts';
import type { TableRow } from '../../world/columns.ts';
import type { VinLayout } from '../../world/model.ts';
import { Calibration, sampleOf } from './calibration.ts';
import { type Contradiction, contradictions } from './contradictions.ts';
import { LayoutFinder } from './layouts.ts';
import { type NewLayout, newLayouts } from './new-layouts.ts';
import { type LayoutObservations, Observer } from './observe.ts';
import { type LearnedRule, searchLayout } from './search.ts';
import type { SerialCar } from './serials.ts';
import { fewestGroups, type Sample, type LearnConfidence } from './confidence.ts';
import { Vocabulary } from './vocabulary.ts';
import { windowRows } from './window-rows.ts';
import { SerialYears, type WindowCounts, windowsOf } from './windows.ts';

/** The findings of a learner in the layouts of its cars. */
export interface Findings {
  rules: LearnedRule[];
  /** Windows of serial numbers as rows, with the layouts that they are about. */
  windows: { layout: string; row: TableRow }[];
  /** Layouts of WMIs that had none. */
  layouts: NewLayout[];
  /** Rows that say otherwise than the cars. */
  contradictions: Contradiction[];
  /** Labels that no word of the catalog fits, with the number of cars. */
  unknown: { label: string; cars: number }[];
  cars: number;
  malformed: number;
}

/**
 * Takes labeled cars one by one, then learns from them. Several learners may share the cars of a file, each with those
 * of other layouts: the findings of one depend on the others only through the result of `trustOf` for all their
 * samples.
 */
export class Learner {
  readonly #layouts: readonly VinLayout[];
  readonly #vocabulary: Vocabulary;
  readonly #observer: Observer;
  readonly #decoder: Decoder;
  #observed: LayoutObservations[] = [];
  #serials = new Map<string, SerialYears>();

  /** @param layouts the layouts that the decoder was compiled from */
  constructor(layouts: readonly VinLayout[], decoder: Decoder) {
    this.#layouts = layouts;
    this.#decoder = decoder;
    this.#vocabulary = new Vocabulary(layouts);
    this.#observer = new Observer(new LayoutFinder(layouts), this.#vocabulary, decoder);
  }

  add(car: LabeledVin): void {
    this.#observer.add(car);
  }

  /** Ends the taking of cars; returns the layouts that rules are tried on, and the trials of serial numbers. */
  sample(): Sample {
    this.#observed = this.#observer.finish();
    this.#serials = new Map([...this.#observer.serials].map(([layout, cars]) => [layout, new SerialYears(cars)]));
    const windows: WindowCounts = new Map();
    for (const serials of this.#serials.values()) serials.countInto(windows);
    return { layouts: sampleOf(this.#observed), windows };
  }

  /** Finds the values of the cars for fields that the catalog leaves open. */
  search(trust: LearnConfidence): Findings {
    const calibration = new Calibration(trust.counts);
    const fewest = fewestGroups(trust);
    const rules = this.#observed
      .flatMap((layout) => searchLayout(layout, calibration))
      .filter(({ field, groups }) => groups >= fewest(field));
    const { cars, malformed } = this.#observer;
    return {
      rules,
      windows: this.#windows(trust.windows),
      layouts: newLayouts(this.#observed, rules),
      contradictions: contradictions(this.#observed, this.#layouts, this.#decoder),
      unknown: this.#vocabulary.unknown(),
      cars,
      malformed,
    };
  }

  /** Returns the windows in which the catalog leaves a car's year open. */
  #windows(counts: WindowCounts): Findings['windows'] {
    const isOpen = ({ vin }: SerialCar): boolean => this.#decoder.decode(vin).modelYear === undefined;
    return [...this.#serials].flatMap(([layout, serials]) =>
      serials
        .carried(counts)
        .flatMap((series) => windowsOf(series))
        .filter(({ cars }) => cars.some(isOpen))
        .flatMap((window) => windowRows(layout.slice(layout.indexOf('/') + 1), window))
        .map((row) => ({ layout, row })),
    );
  }
}
