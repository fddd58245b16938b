import { makeName, modelName } from '../../src/values/index.ts';
import { csvLines } from '../../src/csv.ts';
import { keyOf } from '../../src/values/table.ts';

/** A source's name of a vehicle in the catalog's words. */
export interface FamilyName {
  make: string;
  model: string;
  /** The source's name beyond the family: "328i xDrive", "Crew Cab". */
  badge: string;
}

interface Rule {
  pattern: RegExp;
  models: string[];
}

/** Returns a model's name as the catalog writes it, for comparing: without accents, blanks and signs. */
export function squash(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}

/**
 * Finds the model family in a source's name of a vehicle. The families are those that a VIN can decode to: any other
 * would join with nothing.
 */
export class Families {
  readonly #makes = new Map<string, string>();
  /** Make to squashed model or badge to the family. */
  readonly #models = new Map<string, Map<string, string>>();
  readonly #rules = new Map<string, Rule[]>();

  /** @param rules text of facts/specs/names.csv: make, pattern over the source's model, models parted by "|". */
  constructor(
    families: Iterable<{ make: string; model: string; badges: Iterable<string> }>,
    rules: string,
    aliases: ReadonlyMap<string, string> = MAKES,
  ) {
    for (const { make, model, badges } of families) {
      this.#makes.set(squash(make), make);
      const models = this.#models.get(make) ?? new Map<string, string>();
      this.#models.set(make, models);
      // NHTSA's spelling comes first: others write "S10" for the S-10.
      if (!models.has(squash(model))) models.set(squash(model), model);
      for (const badge of badges) if (badge !== '' && !models.has(squash(badge))) models.set(squash(badge), model);
    }
    for (const [alias, make] of aliases) this.#makes.set(squash(alias), make);
    for (const [make = '', pattern = '', model = ''] of csvLines(rules).slice(1)) {
      const list = this.#rules.get(make) ?? [];
      list.push({ pattern: new RegExp(pattern, 'i'), models: model.split('|') });
      this.#rules.set(make, list);
    }
  }

  make(text: string): string | undefined {
    return this.#makes.get(squash(text)) ?? this.#makes.get(squash(makeName(text)));
  }

  /**
   * Returns the families that the name may be read as, several where the registry's names overlap; none where none is
   * known.
   */
  find(makeText: string, modelText: string): FamilyName[] {
    const make = this.make(makeText);
    if (make === undefined) return [];
    const name = withoutMake(make, modelText.trim().replaceAll(/\s+/g, ' '));
    for (const { pattern, models } of this.#rules.get(make) ?? []) {
      if (!pattern.test(name)) continue;
      return models.map((model) => ({ make, model, badge: restOf(name, model) }));
    }
    const models = this.#models.get(make) ?? new Map<string, string>();
    const ends = [...name.matchAll(/(?<=[\p{L}\d)!])(?=[^\p{L}\d]|$)|(?<=\p{L})(?=\d)/gu)].map((end) => end.index);
    for (const end of ends.toReversed()) {
      const head = name.slice(0, end);
      const found = models.get(squash(head));
      if (found === undefined) continue;
      // "328i" is a badge of its family, so it stays in the badge.
      return [{ make, model: found, badge: squash(found) === squash(head) ? name.slice(end).trim() : name }];
    }
    return this.#cleaned(make, name, models);
  }

  /** Returns the words before the first blank, cleaned as vPIC's models are: "ML350 4matic" is of the M-Class. */
  #cleaned(make: string, name: string, models: ReadonlyMap<string, string>): FamilyName[] {
    const [head = ''] = name.split(' ');
    const { model } = modelName({ make, model: head });
    const found = model === undefined ? undefined : models.get(squash(model));
    return found === undefined ? [] : [{ make, model: found, badge: name }];
  }
}

/** Makes as sources write them, where cleaning alone does not give the catalog's. */
const MAKES: ReadonlyMap<string, string> = new Map([
  ['Mini', 'MINI'],
  ['McLaren Automotive', 'McLaren'],
  ['SRT', 'Dodge'],
  ['Vinfast', 'VinFast'],
  ['INEOS Automotive', 'INEOS'],
  ['BMW Alpina', 'BMW'],
  ['RUF Automobile', 'Ruf'],
  ['Bugatti Rimac', 'Bugatti'],
  ['VW', 'Volkswagen'],
  ['Mercedes', 'Mercedes-Benz'],
  ['Mercedes AMG', 'Mercedes-Benz'],
  ['Alfa-Romeo', 'Alfa Romeo'],
  ['Rover Land', 'Land Rover'],
]);

function withoutMake(make: string, name: string): string {
  const own = keyOf(name).startsWith(`${keyOf(make)} `) ? name.slice(make.length).trim() : name;
  return own === '' ? name : own;
}

function restOf(name: string, model: string): string {
  const words = new Set(model.toLowerCase().split(' '));
  return name
    .split(' ')
    .filter((word) => !words.has(word.toLowerCase()))
    .join(' ');
}
