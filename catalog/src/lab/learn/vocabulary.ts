import type { BodyStyle } from '@marque/decoder';

import type { Label } from '../../labels/labeled.ts';
import { bodyWord, driveWord, fuelWord, gearWord, makeWord, modelWords } from '../../labels/words.ts';
import { nameCase, tidy } from '../../values/casing.ts';
import { makeName } from '../../values/makes.ts';
import type { VinLayout } from '../../world/model.ts';
import type { LearnedField } from './fields.ts';

/** A label in the catalog's words; fields that it lacks, or that no word fits, are absent. */
export type NormalizedLabel = Partial<Record<LearnedField, string>>;

/** Capitals of up to this many letters in a model's name may be a code. */
const CODE_LETTERS = 3;

const FUELS: Readonly<Record<string, string>> = {
  gasoline: 'Gasoline',
  diesel: 'Diesel',
  electric: 'Electric',
  hybrid: 'Hybrid',
};
const DRIVES: Readonly<Record<string, string>> = { fwd: 'FWD', rwd: 'RWD', awd: 'AWD' };
const GEARS: Readonly<Record<string, string>> = { manual: 'Manual', automatic: 'Automatic' };

const BODIES: ReadonlySet<string> = new Set<BodyStyle>([
  'sedan',
  'hatchback',
  'wagon',
  'coupe',
  'cabrio',
  'suv',
  'van',
  'pickup',
  'truck',
  'bus',
  'motorcycle',
]);

/** Puts labels into the words of the facts, and keeps those without one. */
export class Vocabulary {
  /** Makes by their comparable word. */
  readonly #makes = new Map<string, string>();
  /** Models by "make word|comparable words". */
  readonly #models = new Map<string, string>();
  readonly #unknown = new Map<string, number>();
  readonly #read = new Map<string, string | undefined>();
  /** The number of cars of the current label. */
  #cars = 1;

  constructor(layouts: readonly VinLayout[]) {
    for (const layout of layouts) {
      if (layout.make !== undefined) this.#addMake(layout.make);
      for (const { outputs } of layout.rows) {
        if (outputs.make !== undefined) this.#addMake(outputs.make);
        const make = outputs.make ?? layout.make;
        if (make !== undefined && outputs.model !== undefined) this.#addModel(make, outputs.model);
      }
    }
  }

  /**
   * Converts a label to the catalog's words.
   *
   * @param cars the number of cars that have it
   */
  read(label: Label, cars = 1): NormalizedLabel {
    this.#cars = cars;
    const reading: NormalizedLabel = {};
    const put = (field: LearnedField, value: string | undefined): void => {
      if (value !== undefined) reading[field] = value;
    };
    const make = label.manufacturer === undefined ? undefined : this.#make(label.manufacturer);
    put('make', make);
    if (make !== undefined && label.model !== undefined) put('model', this.#model(make, label.model));
    put('generation', label.generation);
    put('body', this.#body(label));
    put('fuelType', this.#word('fuel', label.fuelType, FUELS, fuelWord));
    put('driveType', this.#word('drive', label.driveType, DRIVES, driveWord));
    put('transmission', this.#word('gearbox', label.transmission, GEARS, gearWord));
    if (label.displacementCc !== undefined) put('displacementCc', String(label.displacementCc));
    if (label.powerKw !== undefined) put('powerKw', String(label.powerKw));
    return reading;
  }

  /** Returns true if the facts have a model of this name, or one that it begins with. */
  knows(make: string, model: string): boolean {
    const words = modelWords(make, model);
    return words.some((_, index) => this.#models.has(`${makeWord(make)}|${words.slice(0, index + 1).join(' ')}`));
  }

  /** Returns the labels that no word of the catalog fits, as "field: text", with the number of cars. */
  unknown(): { label: string; cars: number }[] {
    return [...this.#unknown].map(([label, cars]) => ({ label, cars }));
  }

  #addMake(make: string): void {
    if (!this.#makes.has(makeWord(make))) this.#makes.set(makeWord(make), make);
  }

  #addModel(make: string, model: string): void {
    const key = `${makeWord(make)}|${modelWords(make, model).join(' ')}`;
    if (!this.#models.has(key)) this.#models.set(key, model);
  }

  #make(text: string): string | undefined {
    return this.#once(`make: ${text}`, () => this.#makes.get(makeWord(text)), makeName(text));
  }

  /**
   * Returns the model whose name the label begins with; else the label's own words, which must be confirmed like any.
   */
  #model(make: string, text: string): string | undefined {
    return this.#once(
      `model: ${make} ${text}`,
      () => {
        const words = modelWords(make, text);
        for (let length = words.length; length > 0; length--) {
          const known = this.#models.get(`${makeWord(make)}|${words.slice(0, length).join(' ')}`);
          if (known !== undefined) return known;
        }
        return undefined;
      },
      nameCase(tidy(text), CODE_LETTERS),
    );
  }

  #body({ bodyStyle, bodyStyleNormalized }: Label): string | undefined {
    const text = bodyStyleNormalized ?? bodyStyle;
    if (text === undefined || text === 'unknown') return undefined;
    return this.#once(`body: ${text}`, () => (BODIES.has(text) ? text : bodyWord(text)));
  }

  #word(
    field: string,
    text: string | undefined,
    words: Readonly<Record<string, string>>,
    wordOf: (text: string) => string | undefined,
  ): string | undefined {
    return text === undefined ? undefined : this.#once(`${field}: ${text}`, () => words[wordOf(text) ?? '']);
  }

  /** Converts a text once, however many labels have it; counts it if the catalog has no word for it. */
  #once(label: string, read: () => string | undefined, own?: string): string | undefined {
    const count = this.#unknown.get(label);
    if (count !== undefined) this.#unknown.set(label, count + this.#cars);
    else if (!this.#read.has(label)) {
      const value = read();
      if (value === undefined) this.#unknown.set(label, this.#cars);
      this.#read.set(label, value ?? own);
    }
    return this.#read.get(label);
  }
}
