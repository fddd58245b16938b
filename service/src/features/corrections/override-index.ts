import { mergeFields } from './apply.ts';
import { hashAt, hashOf } from './vin-hash.ts';
import { fits, positionsOf, type PositionSets, withinYears } from './scope.ts';
import type { Candidate, OverrideFields, PatternScope, Scope } from './types.ts';

/** An override as it comes into the index. */
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

/** The id of an override that is not made yet. */
export const CANDIDATE = 'candidate';

/** Sets that expand to more literal keys than this are tested one by one instead. */
const MAX_KEYS = 64;

/** One flat record for each override, because there may be a hundred thousand. What it says is read when it is needed. */
interface Kept {
  readonly id: string;
  /** The VIN, or the WMI of a pattern. */
  readonly place: string;
  /** Undefined: for one VIN. */
  readonly pattern: string | undefined;
  readonly from: number | null;
  readonly to: number | null;
  readonly fields: string;
  readonly order: number;
}

/** Overrides by the hash of their key. Nearly always one; an array where there are more. */
type Buckets = Map<number, Kept | readonly Kept[]>;

/** The positions (from 0) that some patterns of a WMI fix. */
interface Shape {
  readonly name: string;
  readonly positions: readonly number[];
  readonly seed: number;
  readonly buckets: Buckets;
}

const WMI_POSITIONS = [0, 1, 2];
const VIN_SEED = 1;
const WMI_SEED = 2;
const NOTHING: readonly Kept[] = [];

/**
 * Finds the overrides that cover a VIN: by the VIN itself, and by its WMI and the characters that patterns fix. A VIN
 * without one costs two or three look-ups; the cost grows with the kinds of patterns of its WMI, not with
 * the number of overrides.
 */
export class OverrideIndex {
  readonly #byVin: Buckets = new Map();
  /** By hash of the WMI's three characters, and the name of the shape. */
  readonly #byWmi = new Map<number, Shape[]>();
  #size = 0;

  /** How many overrides there are. */
  get size(): number {
    return this.#size;
  }

  /** Whether any override may cover the VIN: false for nearly every VIN that none covers, at the least cost. */
  mayCover(vin: string): boolean {
    if (this.#size === 0) return false;
    if (this.#byVin.has(hashOf(vin, VIN_SEED))) return true;
    const shapes = this.#byWmi.get(hashAt(vin, WMI_POSITIONS, WMI_SEED));
    if (shapes === undefined) return false;
    for (const { positions, seed, buckets } of shapes) {
      if (buckets.has(hashAt(vin, positions, seed))) return true;
    }
    return false;
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
    const own = newestFirst(kept(this.#byVin, hashOf(vin, VIN_SEED)).filter(({ place }) => place === vin));
    if (extra?.scope.kind === 'vin' && extra.scope.vin === vin) own.unshift(extra);
    const year = mergeFields(own.map(({ fields }) => fields))['modelYear'];
    const yearNow = year === undefined ? modelYear : year === null ? undefined : String(year);
    const patterns = newestFirst(this.#patternsFor(vin).filter((each) => covers(patternOf(each), vin, yearNow)));
    if (extra?.scope.kind === 'pattern' && covers(extra.scope, vin, yearNow)) patterns.unshift(extra);
    return [...own, ...patterns];
  }

  /** Adds an override. */
  add({ id, scope, fields, order }: IndexedOverride): void {
    this.#size++;
    if (scope.kind === 'vin') {
      const hash = hashOf(scope.vin, VIN_SEED);
      put(this.#byVin, hash, { id, place: scope.vin, pattern: undefined, from: null, to: null, fields, order });
      return;
    }
    const [from, to] = scope.years;
    const record: Kept = { id, place: scope.wmi, pattern: scope.pattern, from, to, fields, order };
    const { shape, hashes } = this.#placesOf(scope);
    for (const hash of hashes) put(shape.buckets, hash, record);
  }

  /** Takes an override out, where it is in. */
  remove(id: string, scope: Scope): void {
    if (scope.kind === 'vin') {
      if (take(this.#byVin, hashOf(scope.vin, VIN_SEED), id)) this.#size--;
      return;
    }
    const { shape, hashes } = this.#placesOf(scope);
    const found = hashes.map((hash) => take(shape.buckets, hash, id));
    if (found.includes(true)) this.#size--;
  }

  #patternsFor(vin: string): Kept[] {
    const shapes = this.#byWmi.get(hashAt(vin, WMI_POSITIONS, WMI_SEED)) ?? [];
    return shapes.flatMap(({ positions, seed, buckets }) => kept(buckets, hashAt(vin, positions, seed)));
  }

  /** Where a pattern belongs: at each literal key that its sets expand to. Large sets stay out of the key. */
  #placesOf(scope: PatternScope): { shape: Shape; hashes: number[] } {
    const { positions, keys } = literalKeys(positionsOf(scope));
    const wmi = hashAt(scope.wmi, WMI_POSITIONS, WMI_SEED);
    const shapes = this.#byWmi.get(wmi) ?? [];
    this.#byWmi.set(wmi, shapes);
    const name = positions.join();
    let shape = shapes.find((known) => known.name === name);
    if (shape === undefined) {
      // The seed parts the keys of one WMI and shape from all others in the filter.
      const seed = hashOf(`${wmi} ${name}`, WMI_SEED);
      shape = { name, positions, seed, buckets: new Map() };
      shapes.push(shape);
    }
    const { seed } = shape;
    return { shape, hashes: [...new Set(keys.map((key) => hashAt(key, positions, seed)))] };
  }
}

/** The positions (from 0) whose characters make the key, and a text of a VIN's length for each key. */
function literalKeys(sets: PositionSets): { positions: number[]; keys: string[] } {
  const positions: number[] = [];
  let keys = [''];
  for (const [position, set] of sets.entries()) {
    const isKey = position >= WMI_POSITIONS.length && set !== undefined && keys.length * set.length <= MAX_KEYS;
    if (isKey) positions.push(position);
    if (isKey && set.length > 1) keys = keys.flatMap((key) => [...set].map((character) => key + character));
    else for (const which of keys.keys()) keys[which] += isKey ? set : '.';
  }
  return { positions, keys };
}

function kept(buckets: Buckets, hash: number): readonly Kept[] {
  const bucket = buckets.get(hash);
  if (bucket === undefined) return NOTHING;
  return 'id' in bucket ? [bucket] : bucket;
}

function put(buckets: Buckets, hash: number, record: Kept): void {
  const others = kept(buckets, hash);
  buckets.set(hash, others.length === 0 ? record : [...others, record]);
}

/** Whether it was there. */
function take(buckets: Buckets, hash: number, id: string): boolean {
  const before = kept(buckets, hash);
  const after = before.filter((record) => record.id !== id);
  const [only] = after;
  if (only === undefined) buckets.delete(hash);
  else buckets.set(hash, after.length === 1 ? only : after);
  return after.length < before.length;
}

function newestFirst(records: readonly Kept[]): CoveringOverride[] {
  return records
    .toSorted((a, b) => b.order - a.order)
    .map((record) => ({
      id: record.id,
      scope: record.pattern === undefined ? { kind: 'vin', vin: record.place } : patternOf(record),
      fields: fieldsOf(record.fields),
    }));
}

function patternOf({ place, pattern = '', from, to }: Kept): PatternScope {
  return { kind: 'pattern', wmi: place, pattern, years: [from, to] };
}

function covers(scope: PatternScope, vin: string, modelYear: string | undefined): boolean {
  const [from, to] = scope.years;
  return fits(positionsOf(scope), vin) && withinYears(from, to, modelYear);
}

/** The fields of an override as they were stored. They were checked before. */
export function fieldsOf(json: string): OverrideFields {
  const fields: OverrideFields = JSON.parse(json);
  return fields;
}
