import type { Decoder } from '@marque/decoder';

import type { LabelledVin } from '../labels/labelled.ts';
import type { WorldProfile } from '../world/model.ts';
import { Calibration, sampleOf } from './calibration.ts';
import { type Contradiction, contradictions } from './contradictions.ts';
import { LayoutFinder } from './layouts.ts';
import { type NewLayout, newLayouts } from './new-layouts.ts';
import { type LayoutObservations, Observer } from './observe.ts';
import { type LearnedRule, searchLayout } from './search.ts';
import { fewestGroups, type Trust } from './trust.ts';
import { Vocabulary } from './vocabulary.ts';

/** What a learner found in the layouts of its cars. */
export interface Findings {
  rules: LearnedRule[];
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
 * Takes labelled cars one by one, then learns from them. Several learners may share the cars of a file, each with those of other
 * layouts: what one finds does not depend on the others, save for what `trustOf` makes of all their samples.
 */
export class Learner {
  readonly #profiles: readonly WorldProfile[];
  readonly #vocabulary: Vocabulary;
  readonly #observer: Observer;
  readonly #decoder: Decoder;
  #observed: LayoutObservations[] = [];

  /** @param profiles the layouts that the decoder was compiled from */
  constructor(profiles: readonly WorldProfile[], decoder: Decoder) {
    this.#profiles = profiles;
    this.#decoder = decoder;
    this.#vocabulary = new Vocabulary(profiles);
    this.#observer = new Observer(new LayoutFinder(profiles), this.#vocabulary, decoder);
  }

  add(car: LabelledVin): void {
    this.#observer.add(car);
  }

  /** Ends the taking of cars; gives those layouts that rules are tried on. */
  sample(): LayoutObservations[] {
    this.#observed = this.#observer.finish();
    return sampleOf(this.#observed);
  }

  /** Finds what the cars say that the catalog leaves open. */
  search(trust: Trust): Findings {
    const calibration = new Calibration(trust.counts);
    const fewest = fewestGroups(trust);
    const rules = this.#observed
      .flatMap((layout) => searchLayout(layout, calibration))
      .filter(({ field, groups }) => groups >= fewest(field));
    const { cars, malformed } = this.#observer;
    return {
      rules,
      layouts: newLayouts(this.#observed, rules),
      contradictions: contradictions(this.#observed, this.#profiles, this.#decoder),
      unknown: this.#vocabulary.unknown(),
      cars,
      malformed,
    };
  }
}
