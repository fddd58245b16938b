import type { Decoder } from '@marque/decoder';

import type { LabelledVin } from '../accuracy/labelled.ts';
import type { TableRow } from '../world/columns.ts';
import type { WorldProfile } from '../world/model.ts';
import { Calibration } from './calibration.ts';
import { type Contradiction, contradictions } from './contradictions.ts';
import { LayoutFinder } from './layouts.ts';
import { type NewLayout, newLayouts } from './new-layouts.ts';
import { Observer } from './observe.ts';
import { prove, type Proven } from './proof.ts';
import { toTableRow } from './rows.ts';
import { type LearnedRule, searchLayout } from './search.ts';
import { Vocabulary } from './vocabulary.ts';

/** What labelled cars teach. */
export interface Learned {
  /** Rows by the folder of their maker, in a stable order. */
  tables: Map<string, TableRow[]>;
  /** Layouts of WMIs that had none. */
  layouts: NewLayout[];
  /** How many groups a rule of each field needed, and how right such rules were. */
  proven: Proven[];
  /** Rows that say otherwise than the cars. */
  contradictions: Contradiction[];
  /** Labels that no word of the catalog fits. */
  unknown: { label: string; cars: number }[];
  cars: number;
  malformed: number;
}

/** Takes labelled cars one by one; `finish` says what they teach. */
export class Learner {
  readonly #profiles: readonly WorldProfile[];
  readonly #vocabulary: Vocabulary;
  readonly #observer: Observer;
  readonly #decoder: Decoder;

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

  /** Finds what the cars say that the catalog leaves open. */
  finish(): Learned {
    const observed = this.#observer.finish();
    const calibration = new Calibration(observed);
    const proven = prove(observed, calibration);
    const fewest = new Map(proven.map(({ field, fewestGroups }) => [field, fewestGroups ?? Infinity]));
    const rules = observed
      .flatMap((layout) => searchLayout(layout, calibration))
      .filter(({ field, groups }) => groups >= (fewest.get(field) ?? Infinity));
    const layouts = newLayouts(observed, rules);
    const { cars, malformed } = this.#observer;
    return {
      tables: this.#tables(rules, layouts),
      layouts,
      proven,
      contradictions: contradictions(observed, this.#profiles, this.#decoder),
      unknown: this.#vocabulary.unknown(),
      cars,
      malformed,
    };
  }

  #tables(rules: readonly LearnedRule[], layouts: readonly NewLayout[]): Map<string, TableRow[]> {
    const known = new Map(this.#profiles.map((profile) => [profile.id, profile]));
    const created = new Map(layouts.map((layout) => [layout.id, layout]));
    const tables = new Map<string, TableRow[]>();
    for (const rule of rules) {
      const layout = created.get(rule.layout);
      const profile = known.get(rule.layout) ?? layout?.entry;
      // A make that the new layout itself says, and rules of a WMI whose make nothing tells.
      if (profile === undefined || (layout !== undefined && rule.field === 'make')) continue;
      const [folder = '', name = ''] =
        layout === undefined ? rule.layout.split('/') : [layout.folder, layout.entry.name];
      const table = tables.get(folder) ?? [];
      tables.set(folder, table);
      table.push(toTableRow(rule, name, profile));
    }
    return tables;
  }
}
