import { mergeFields } from './apply.ts';
import { fits, positionsOf, type PositionSets, withinYears } from './scope.ts';
import type { Candidate, OverrideFields, PatternScope, Scope } from './types.ts';

/** An override as the index keeps it: as little as a decode needs, because there may be a hundred thousand. */
export interface IndexedOverride {
  id: string;
  scope: Scope;
  /** JSON of its fields: read when a VIN is covered, which is rare. */
  fields: string;
  /** The newer of two has the higher one. */
  order: number;
}

/** An override that covers a VIN. */
export interface CoveringOverride {
  id: string;
  scope: Scope;
  fields: OverrideFields;
}

/** Stands in for the id of an override that is not made yet. */
export const CANDIDATE = 'candidate';

/** Sets that stand for more literal keys than this are tested one by one instead. */
const MAX_KEYS = 64;

interface PatternOverride extends IndexedOverride {
  sets: PositionSets;
  years: readonly [number | null, number | null];
}

/** Overrides of one WMI that fix the same positions, by the characters there. */
interface Shape {
  positions: readonly number[];
  byKey: Map<string, PatternOverride[]>;
}

interface Places {
  shape: Shape;
  keys: string[];
}

/**
 * Finds the overrides that cover a VIN: by the VIN itself, and by its WMI and the characters that patterns fix. The cost
 * for a VIN without one is two look-ups, and grows with the kinds of patterns of its WMI, not with their number.
 */
export class OverrideIndex {
  readonly #byVin = new Map<string, IndexedOverride[]>();
  readonly #byWmi = new Map<string, Map<string, Shape>>();
  #size = 0;

  /** How many overrides there are. */
  get size(): number {
    return this.#size;
  }

  /** Whether any override may cover the VIN: false for nearly every VIN, at the least cost. */
  mayCover(vin: string): boolean {
    return this.#byVin.has(vin) || this.#byWmi.has(vin.slice(0, 3));
  }

  /**
   * The overrides that cover a VIN, the strongest first: those of the VIN itself before those of patterns, newer before
   * older.
   *
   * @param modelYear what the decoder answers without overrides. Where an override of the VIN itself sets another year,
   *   patterns go by that one.
   * @param candidate one more override, newer than all others, to see what it would do.
   */
  covering(vin: string, modelYear: string | undefined, candidate?: Candidate): CoveringOverride[] {
    const extra = candidate === undefined ? undefined : { id: CANDIDATE, ...candidate };
    const own = (this.#byVin.get(vin) ?? []).map(readFields);
    if (extra?.scope.kind === 'vin' && extra.scope.vin === vin) own.unshift(extra);
    const year = mergeFields(own.map(({ fields }) => fields))['modelYear'];
    const yearNow = year === undefined ? modelYear : year === null ? undefined : String(year);
    const patterns = this.#patternsFor(vin).filter(
      ({ sets, years: [from, to] }) => fits(sets, vin) && withinYears(from, to, yearNow),
    );
    const older = patterns.toSorted((a, b) => b.order - a.order).map(readFields);
    if (extra?.scope.kind !== 'pattern' || !covers(extra.scope, vin, yearNow)) return [...own, ...older];
    return [...own, extra, ...older];
  }

  /** Adds an override. */
  add(override: IndexedOverride): void {
    this.#size++;
    const { scope } = override;
    if (scope.kind === 'vin') {
      const others = this.#byVin.get(scope.vin) ?? [];
      this.#byVin.set(
        scope.vin,
        [override, ...others].toSorted((a, b) => b.order - a.order),
      );
      return;
    }
    const entry = { ...override, sets: positionsOf(scope), years: scope.years };
    const { shape, keys } = this.#placesOf(scope.wmi, entry.sets);
    for (const key of keys) {
      const bucket = shape.byKey.get(key);
      if (bucket === undefined) shape.byKey.set(key, [entry]);
      else bucket.push(entry);
    }
  }

  /** Takes an override out, where it is in. */
  remove(id: string, scope: Scope): void {
    if (scope.kind === 'vin') {
      const others = this.#byVin.get(scope.vin);
      const kept = others?.filter((override) => override.id !== id) ?? [];
      this.#size -= (others?.length ?? 0) - kept.length;
      if (kept.length === 0) this.#byVin.delete(scope.vin);
      else this.#byVin.set(scope.vin, kept);
      return;
    }
    const { shape, keys } = this.#placesOf(scope.wmi, positionsOf(scope));
    let found = false;
    for (const key of keys) {
      const bucket = shape.byKey.get(key) ?? [];
      const kept = bucket.filter((override) => override.id !== id);
      found ||= kept.length < bucket.length;
      if (kept.length === 0) shape.byKey.delete(key);
      else shape.byKey.set(key, kept);
    }
    if (found) this.#size--;
    this.#dropEmpty(scope.wmi.slice(0, 3));
  }

  #patternsFor(vin: string): PatternOverride[] {
    const shapes = this.#byWmi.get(vin.slice(0, 3));
    if (shapes === undefined) return [];
    const found: PatternOverride[] = [];
    for (const { positions, byKey } of shapes.values()) {
      let key = '';
      for (const position of positions) key += vin.charAt(position);
      const bucket = byKey.get(key);
      if (bucket !== undefined) found.push(...bucket);
    }
    return found;
  }

  /** Where an override belongs: at each literal key that its sets stand for. Large sets stay out of the key. */
  #placesOf(wmi: string, sets: PositionSets): Places {
    const positions: number[] = [];
    let keys = [''];
    for (let position = 3; position < 17; position++) {
      const set = sets[position];
      if (set === undefined || keys.length * set.length > MAX_KEYS) continue;
      positions.push(position);
      keys = keys.flatMap((key) => [...set].map((character) => key + character));
    }
    const first = wmi.slice(0, 3);
    const shapes = this.#byWmi.get(first) ?? new Map<string, Shape>();
    this.#byWmi.set(first, shapes);
    const name = positions.join();
    const shape = shapes.get(name) ?? { positions, byKey: new Map() };
    shapes.set(name, shape);
    return { shape, keys };
  }

  #dropEmpty(wmi: string): void {
    const shapes = this.#byWmi.get(wmi);
    if (shapes === undefined) return;
    for (const [name, { byKey }] of shapes) if (byKey.size === 0) shapes.delete(name);
    if (shapes.size === 0) this.#byWmi.delete(wmi);
  }
}

function covers(scope: PatternScope, vin: string, modelYear: string | undefined): boolean {
  const [from, to] = scope.years;
  return fits(positionsOf(scope), vin) && withinYears(from, to, modelYear);
}

function readFields({ id, scope, fields }: IndexedOverride): CoveringOverride {
  return { id, scope, fields: fieldsOf(fields) };
}

/** The fields of an override as they were stored. They were checked before. */
export function fieldsOf(json: string): OverrideFields {
  const fields: OverrideFields = JSON.parse(json);
  return fields;
}
