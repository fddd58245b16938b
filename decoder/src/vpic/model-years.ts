import { ELEMENT } from '../vpic-elements.ts';
import type { VpicTables } from './tables.ts';

/** A model's years are packed into one number with its place in the tables, so that a plain sort groups them. */
const TYPE_ROOM = 2 ** 5;
const YEAR_ROOM = 2 ** 8;
const FIRST_YEAR = 1900;
/** Later than every year there is: such a schema is still in use. */
const OPEN = YEAR_ROOM - 1;

/** The years and types of vehicle for which NHTSA's schemas name each model. */
export class ModelYears {
  /** Ascending. */
  readonly #spans: Float64Array;

  constructor(tables: VpicTables) {
    const modelsOf = modelsOfSchemas(tables);
    const spans: number[] = [];
    for (let wmi = 0; wmi < tables.wmiType.length; wmi++) {
      const end = tables.wmiLinks[wmi + 1] ?? 0;
      for (let link = tables.wmiLinks[wmi] ?? 0; link < end; link++) {
        const type = tables.wmiType[wmi] ?? 0;
        const [from, to] = [placeOf(tables.linkFrom[link] ?? 0), placeOf(tables.linkTo[link] ?? 0)];
        for (const model of modelsOf[tables.linkSchema[link] ?? 0] ?? []) {
          spans.push(((model * TYPE_ROOM + type) * YEAR_ROOM + from) * YEAR_ROOM + to);
        }
      }
    }
    const sorted = Float64Array.from(spans).toSorted();
    this.#spans = sorted.filter((span, index) => span !== sorted[index - 1]);
  }

  /** Returns true if some VIN decodes to the model, in this year and as this type of vehicle if they are given. */
  names(model: number, year: number | undefined, type: number | undefined): boolean {
    const room = TYPE_ROOM * YEAR_ROOM * YEAR_ROOM;
    const place = year === undefined ? undefined : placeOf(year);
    for (let index = this.#first(model * room); index < this.#spans.length; index++) {
      const span = (this.#spans[index] ?? 0) - model * room;
      if (span >= room) return false;
      const [from, to] = [Math.floor(span / YEAR_ROOM) % YEAR_ROOM, span % YEAR_ROOM];
      const inYear = place === undefined || (place >= from && place <= to);
      if (inYear && (type === undefined || Math.floor(span / (YEAR_ROOM * YEAR_ROOM)) === type)) return true;
    }
    return false;
  }

  /** Returns the place of the first span that is not below. */
  #first(span: number): number {
    let [low, high] = [0, this.#spans.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#spans[middle] ?? 0) < span) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function placeOf(year: number): number {
  return Math.min(Math.max(year - FIRST_YEAR, 0), OPEN);
}

function modelsOfSchemas(tables: VpicTables): number[][] {
  const { schemaEntries, entryRows, rowElement, rowValue } = tables;
  return Array.from({ length: tables.schemaName.length }, (_, schema) => {
    const models: number[] = [];
    const end = entryRows[schemaEntries[schema + 1] ?? 0] ?? 0;
    for (let row = entryRows[schemaEntries[schema] ?? 0] ?? 0; row < end; row++) {
      if (rowElement[row] !== ELEMENT.model) continue;
      const model = rowValue[row] ?? 0;
      if (!models.includes(model)) models.push(model);
    }
    return models;
  });
}
