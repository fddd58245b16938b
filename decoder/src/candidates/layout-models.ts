import { codesOfKey } from '../world/match.ts';
import { FIELD } from '../world/reading.ts';
import type { WorldTables } from '../world/tables.ts';

/** A fact of a layout that names a model, with one of the keys that it is found by. */
interface KeyedModel {
  model: number;
  /** Its body; -1: unknown. */
  body: number;
  from: number;
  to: number;
  positions: readonly number[];
  codes: readonly number[];
}

/** The models that layouts know, whether or not a VIN's characters fit them; gathered once for each layout. */
export class LayoutModels {
  readonly #tables: WorldTables;
  readonly #models = new Map<number, readonly KeyedModel[]>();

  constructor(tables: WorldTables) {
    this.#tables = tables;
  }

  /**
   * Weighs each of a layout's models once, by how many of the VIN's characters its facts name: a few dozen models have
   * twelve thousand facts.
   */
  weigh(layout: number, year: number, codes: Uint8Array, add: (model: number, weight: number) => void): void {
    const weights = new Map<number, number>();
    for (const { model, from, to, positions, codes: own } of this.#of(layout)) {
      if (year !== 0 && (year < from - 1 || year > to + 1)) continue;
      let alike = 0;
      for (let index = 0; index < own.length; index++) if (own[index] === codes[positions[index] as number]) alike++;
      weights.set(model, (weights.get(model) ?? 0) + 1 + alike * alike);
    }
    for (const [model, weight] of weights) add(model, weight);
  }

  /** Adds each body that a layout's facts give a model, or any model of the layout. */
  bodiesOf(layout: number, model: number | undefined, year: number, add: (body: number) => void): void {
    for (const known of this.#of(layout)) {
      if ((model !== undefined && known.model !== model) || known.body < 0) continue;
      if (year === 0 || (year >= known.from - 1 && year <= known.to + 1)) add(known.body);
    }
  }

  #of(layout: number): readonly KeyedModel[] {
    let models = this.#models.get(layout);
    if (models === undefined) this.#models.set(layout, (models = this.#gather(layout)));
    return models;
  }

  #gather(layout: number): KeyedModel[] {
    const { layoutGroups, layoutGroup, groupPositions, groupPosition, groupEntries, entryKey, entryFact } =
      this.#tables;
    const found: KeyedModel[] = [];
    for (const group of layoutGroup.subarray(layoutGroups[layout], layoutGroups[layout + 1])) {
      const positions = Array.from(groupPosition.subarray(groupPositions[group], groupPositions[group + 1]));
      for (let entry = groupEntries[group] ?? 0; entry < (groupEntries[group + 1] ?? 0); entry++) {
        const fact = entryFact[entry] ?? 0;
        const model = this.#output(fact, FIELD.model);
        if (model < 0) continue;
        const [from, to] = [this.#tables.factFrom[fact] ?? 0, this.#tables.factTo[fact] ?? 0];
        const codes = codesOfKey(entryKey[entry] ?? 0, positions.length);
        found.push({ model, body: this.#output(fact, FIELD.body), from, to, positions, codes });
      }
    }
    return found;
  }

  #output(fact: number, field: number): number {
    const { factOutputs, outputStart, outputField, outputValue } = this.#tables;
    const outputs = factOutputs[fact] ?? 0;
    for (let at = outputStart[outputs] ?? 0; at < (outputStart[outputs + 1] ?? 0); at++) {
      if (outputField[at] === field) return outputValue[at] ?? -1;
    }
    return -1;
  }
}
