import type { VpicElement, VpicFacts, VpicRow } from '@marque/decoder';

import type { Depth } from '../decode/depth.ts';
import type { Cell } from './formats.ts';
import type { VpicItem } from './decode-many.ts';

const VARIABLE = {
  bodyClass: 5,
  make: 26,
  manufacturer: 27,
  model: 28,
  modelYear: 29,
  suggestedVin: 142,
  errorCode: 143,
  possibleValues: 144,
  additionalErrorText: 156,
  errorText: 191,
  descriptor: 196,
} as const;

/** What every plan sees: the errors, and what the basic report says of the vehicle. */
const BASIC: ReadonlySet<number> = new Set(Object.values(VARIABLE));

/** The order of NHTSA's answers: what is wrong with the VIN comes first. */
const FIRST: readonly number[] = [
  VARIABLE.suggestedVin,
  VARIABLE.errorCode,
  VARIABLE.possibleValues,
  VARIABLE.additionalErrorText,
  VARIABLE.errorText,
  VARIABLE.descriptor,
];

/** Shapes decodes as NHTSA's API does. */
export class Variables {
  readonly #facts: VpicFacts;
  readonly #shown: VpicElement[];
  /** What NHTSA adds for its crash statistics. */
  readonly #crash: VpicElement[];

  constructor(facts: VpicFacts) {
    this.#facts = facts;
    const elements = facts.elements();
    const first = FIRST.flatMap((id) => elements.filter((element) => element.id === id));
    this.#shown = [...first, ...elements.filter(({ id, shown }) => shown && !FIRST.includes(id))];
    this.#crash = elements.filter(({ code, shown }) => !shown && code.startsWith('NCSA'));
  }

  /** One result for each variable: the shape of DecodeVin. */
  list(item: VpicItem, depth: Depth): Record<string, Cell>[] {
    const values = this.#valuesOf(item, depth);
    return this.#shown.map(({ id, name }) => {
      const value = values.get(id) ?? null;
      // The numbers of looked-up values are not in the catalog; those of errors are their codes.
      const valueId = value === null ? null : id === VARIABLE.errorCode ? value : '';
      return { Value: value, ValueId: valueId, Variable: name, VariableId: id };
    });
  }

  /** One result with a field for each variable: the shape of DecodeVinValues. */
  flat(item: VpicItem, depth: Depth, extended: boolean): Record<string, Cell> {
    const values = this.#valuesOf(item, depth);
    const result: Record<string, Cell> = {};
    for (const { id, code } of this.#shown) result[code] = values.get(id) ?? '';
    if (extended) for (const { id, code } of this.#crash) result[code] = values.get(id) ?? '';
    const { makeId, modelId } = this.#numbersOf(values);
    return { ...result, VIN: item.vin, MakeID: makeId, ModelID: modelId, ManufacturerId: '' };
  }

  #valuesOf(item: VpicItem, depth: Depth): ReadonlyMap<number, string> {
    const rows = item.kind === 'decoded' ? item.rows : this.#errorRows(item);
    const seen = depth === 'full' ? rows : rows.filter(([id]) => BASIC.has(id));
    return new Map(seen);
  }

  #errorRows(item: Exclude<VpicItem, { kind: 'decoded' }>): VpicRow[] {
    const code = item.kind === 'malformed' ? item.code : 429;
    const text = item.kind === 'malformed' ? this.#facts.errorText(code) : LIMIT_REACHED;
    return [
      [VARIABLE.suggestedVin, ''],
      [VARIABLE.errorCode, String(code)],
      [VARIABLE.possibleValues, ''],
      [VARIABLE.additionalErrorText, item.kind === 'malformed' ? item.message : ''],
      [VARIABLE.errorText, text],
    ];
  }

  /** NHTSA's numbers of make and model; empty where two models share the name. */
  #numbersOf(values: ReadonlyMap<number, string>): { makeId: string; modelId: string } {
    const make = values.get(VARIABLE.make);
    if (make === undefined) return { makeId: '', modelId: '' };
    const models = this.#facts.modelsOf(make);
    const named = models.filter(({ name }) => name === values.get(VARIABLE.model));
    const [only] = named;
    return {
      makeId: String(models[0]?.make.id ?? ''),
      modelId: named.length === 1 && only !== undefined ? String(only.id) : '',
    };
  }
}

const LIMIT_REACHED = '429 - The monthly limit was reached before this VIN. It was not decoded and not charged.';
