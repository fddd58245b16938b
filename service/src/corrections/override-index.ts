import { matchesPattern, SQUISH_POSITIONS, type SharedReport } from '@marque/decoder';

import { mergeFields } from './apply.ts';
import { HashTable } from './hash-table.ts';
import { type PositionSets, positionsOf, withinYears } from './scope.ts';
import type { ProposedOverride, OverrideFields, PatternScope, Scope } from './types.ts';

/** An override to be added to the index. */
export interface IndexedOverride {
  id: string;
  scope: Scope;
  /** JSON of its fields: parsed only when a VIN is covered, which is rare. */
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

/** The id of an override that has not been created yet. */
export const TRIAL = 'trial';

/** Sets that expand to more literal keys than this are tested one by one instead. */
const MAX_KEYS = 64;

/**
 * One flat record per override, because there may be a hundred thousand. Its fields are parsed when they are needed.
 */
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
  /**
   * The pattern, parsed for the first VIN that has its characters: most patterns wait for one, and this is the larger
   * part.
   */
  sets: PositionSets | undefined;
}

/** The positions (from 0) that some overrides of a WMI fix, and these overrides by the characters there. */
interface Shape {
  readonly name: string;
  readonly positions: readonly number[];
  readonly table: HashTable<Kept>;
  /** The positions among them that are the same for all VINs of one report. */
  readonly sharedPositions: readonly number[];
  /**
   * The hashes of the characters there. One remains when its override is removed, and costs similar VINs only a
   * look-up.
   */
  readonly sharedHashes: Set<number>;
}

const WMI_LENGTH = 3;
const VIN_SHAPE = { name: 'vin', positions: Array.from({ length: 14 }, (_, index) => WMI_LENGTH + index) };
const NOTHING: readonly Shape[] = [];

/**
 * Finds the overrides that cover a VIN: by the VIN itself, and by its WMI and the characters that patterns fix. The
 * cost grows with the kinds of patterns of its WMI, not with the number of overrides.
 */
export class OverrideIndex {
  /** Shapes by the WMI's three characters. */
  readonly #byWmi = new Map<number, Shape[]>();
  /** Reports that no override changes, for any of their VINs. Cleared when an override is added. */
  #untouched = new WeakSet<SharedReport>();
  #size = 0;

  /** The number of overrides. */
  get size(): number {
    return this.#size;
  }

  /** Returns true if any override may cover the VIN: false for nearly every VIN that none covers. */
  mayCover(vin: string): boolean {
    return this.#size > 0 && this.#shapesOf(vin).some(({ positions, table }) => table.has(hashAt(vin, positions)));
  }

  /** Returns the same for a VIN of a report: most reports are looked up once for all their VINs. */
  mayCoverShared(report: SharedReport, vin: string): boolean {
    if (this.#size === 0 || this.#untouched.has(report)) return false;
    if (this.#mayCoverAlike(vin)) return this.mayCover(vin);
    this.#untouched.add(report);
    return false;
  }

  /**
   * Returns the overrides that cover a VIN, in order of precedence: those for the VIN itself before those for patterns,
   * newer before older.
   *
   * @param modelYear the decoder's answer without overrides. If an override of the VIN itself sets another year,
   * patterns are matched with that one.
   * @param trial one more override, to preview its effect.
   */
  covering(vin: string, modelYear: string | undefined, trial?: OverrideIndex): CoveringOverride[] {
    const shapes = [...this.#shapesOf(vin), ...(trial === undefined ? NOTHING : trial.#shapesOf(vin))];
    const found = shapes.flatMap(({ positions, table }) => table.at(hashAt(vin, positions)));
    const own = newestFirst(found.filter(({ pattern, place }) => pattern === undefined && place === vin));
    const year = mergeFields(own.map(({ fields }) => fields))['modelYear'];
    const yearNow = year === undefined ? modelYear : year === null ? undefined : String(year);
    const patterns = found.filter((record) => record.pattern !== undefined && covers(record, vin, yearNow));
    return [...own, ...newestFirst(patterns)];
  }

  /** Adds an override. */
  add({ id, scope, fields, order }: IndexedOverride): void {
    this.#size++;
    this.#untouched = new WeakSet();
    const { shape, keys } = this.#placesOf(scope);
    const record = { id, fields, order, sets: undefined, ...placeOf(scope) };
    for (const hash of hashesOf(keys, shape.positions)) shape.table.add(hash, record);
    for (const hash of hashesOf(keys, shape.sharedPositions)) shape.sharedHashes.add(hash);
  }

  /** Removes an override, if it is present. */
  remove(id: string, scope: Scope): void {
    const { shape, keys } = this.#placesOf(scope);
    const found = hashesOf(keys, shape.positions).map((hash) => shape.table.remove(hash, (record) => record.id === id));
    if (found.includes(true)) this.#size--;
  }

  /** Returns true if any override may cover a VIN that shares its report with this one. */
  #mayCoverAlike(vin: string): boolean {
    return this.#shapesOf(vin).some(({ sharedPositions, sharedHashes }) =>
      sharedHashes.has(hashAt(vin, sharedPositions)),
    );
  }

  #shapesOf(vin: string): readonly Shape[] {
    return this.#byWmi.get(wmiKey(vin)) ?? NOTHING;
  }

  /** Returns an override's keys: every literal key that its sets expand to. Large sets stay out of the key. */
  #placesOf(scope: Scope): { shape: Shape; keys: string[] } {
    if (scope.kind === 'vin') return { shape: this.#shape(scope.vin, VIN_SHAPE), keys: [scope.vin] };
    const { positions, keys } = literalKeys(positionsOf(scope));
    return { shape: this.#shape(scope.wmi, { name: positions.join(), positions }), keys };
  }

  #shape(place: string, { name, positions }: Pick<Shape, 'name' | 'positions'>): Shape {
    const wmi = wmiKey(place);
    const shapes = this.#byWmi.get(wmi) ?? [];
    this.#byWmi.set(wmi, shapes);
    const known = shapes.find((shape) => shape.name === name);
    if (known !== undefined) return known;
    const sharedPositions = positions.filter((position) => SQUISH_POSITIONS.includes(position));
    const shape = { name, positions, table: new HashTable<Kept>(), sharedPositions, sharedHashes: new Set<number>() };
    shapes.push(shape);
    return shape;
  }
}

/** Returns an index of one override that has not been created yet, and is newer than all others. */
export function trialOf({ scope, fields }: ProposedOverride): OverrideIndex {
  const trial = new OverrideIndex();
  trial.add({ id: TRIAL, scope, fields: JSON.stringify(fields), order: Number.POSITIVE_INFINITY });
  return trial;
}

function hashesOf(keys: readonly string[], positions: readonly number[]): number[] {
  return [...new Set(keys.map((key) => hashAt(key, positions)))];
}

function placeOf(scope: Scope): Pick<Kept, 'place' | 'pattern' | 'from' | 'to'> {
  if (scope.kind === 'vin') return { place: scope.vin, pattern: undefined, from: null, to: null };
  const [from, to] = scope.years;
  return { place: scope.wmi, pattern: scope.pattern, from, to };
}

/** Returns the positions (from 0) whose characters make the key, and a text of a VIN's length for each key. */
function literalKeys(sets: PositionSets): { positions: number[]; keys: string[] } {
  const positions: number[] = [];
  let keys = [''];
  for (const [position, set] of sets.entries()) {
    const isKey = position >= WMI_LENGTH && set !== undefined && keys.length * set.length <= MAX_KEYS;
    if (isKey) positions.push(position);
    if (isKey && set.length > 1) keys = keys.flatMap((key) => [...set].map((character) => key + character));
    else for (const which of keys.keys()) keys[which] += isKey ? set : '.';
  }
  return { positions, keys };
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

function covers(record: Kept, vin: string, modelYear: string | undefined): boolean {
  record.sets ??= positionsOf(patternOf(record));
  return matchesPattern(record.sets, vin) && withinYears(record.from, record.to, modelYear);
}

/** Returns the stored fields of an override, which were checked before they were stored. */
export function fieldsOf(json: string): OverrideFields {
  const fields: OverrideFields = JSON.parse(json);
  return fields;
}

/**
 * Returns a hash of the characters of a VIN at some positions (counted from 0): the same for equal ones. Fits a small
 * integer.
 */
function hashAt(vin: string, positions: readonly number[]): number {
  let hash = 0;
  for (let index = 0; index < positions.length; index++) {
    hash = Math.imul(hash, 31) + vin.charCodeAt(positions[index] ?? 0);
  }
  // Mixes the bits once, at the end: this runs for every decode.
  const spread = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
  return (spread ^ (spread >>> 12)) & 0x3f_ff_ff_ff;
}

/** Returns the first three characters of a text as a number. */
function wmiKey(text: string): number {
  return (text.charCodeAt(0) << 14) | (text.charCodeAt(1) << 7) | text.charCodeAt(2);
}
