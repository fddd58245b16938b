import { hasValidCheckDigit, mayBeCheckDigit } from '../vin/check-digit.ts';
import { CODES } from '../vin/characters.ts';
import { squishKey } from '../vin/squish.ts';
import { serialOf } from '../vin/vin-codes.ts';
import { CachedReport } from './cached-report.ts';
import type { Positions } from './positions.ts';

/** Twice so many are kept at most, about half a kilobyte each. */
const GENERATION = 32_000;

/** Reports that one squish VIN may have: else one that is asked for again and again would never be dropped. */
const MOST_OF_SQUISH = 2_000;

/** Position 9 and those of the serial number, counted from 0. */
const BEYOND_SQUISH = [8, 11, 12, 13, 14, 15, 16] as const;

/**
 * Reports of VINs that agree in all positions that rows of their WMI look at, and differ by ranges of serial numbers.
 */
interface Ranges {
  /** The boundaries of the serial ranges of rows with these characters, in order. */
  bounds: readonly number[];
  /** Cached reports, by the place of the serial number among the bounds. */
  reports: (CachedReport | undefined)[];
}

/** VINs that agree in all positions that rows of their WMI look at. */
type Kind = CachedReport | Ranges;

/** VINs of one squish VIN whose check digit is right, or wrong. */
type Squish = Map<number, Kind>;

/**
 * Keeps reports by the characters that decide them: the squish VIN, whether the check digit is right, wrong or none, and the positions
 * that the rows of the WMI look at beside these. The same few thousand kinds come again and again, with other serial
 * numbers.
 */
export class ReportCache {
  /** Kinds that were requested lately, and earlier ones: once there are too many, these are dropped. */
  #young = new Map<number, Kind | Squish>();
  #old = new Map<number, Kind | Squish>();
  /** Reports among the young. */
  #count = 0;
  readonly #positions: Positions;
  /** The VIN that was asked for last, whose report comes next, and its key. */
  #vin = '';
  #key = 0;

  constructor(positions: Positions) {
    this.#positions = positions;
  }

  /** Returns the report of a VIN that is alike in all that decides it to one that was decoded in this year. */
  of(vin: string, codes: Uint8Array, year: number): CachedReport | undefined {
    const found = this.#find(this.#keyOf(vin, codes));
    if (found === undefined) return undefined;
    const kind = found instanceof Map ? found.get(restOf(codes, this.#positions.of(codes))) : found;
    if (kind === undefined) return undefined;
    const report = kind instanceof CachedReport ? kind : kind.reports[placeOf(codes, kind.bounds)];
    return report?.year === year ? report : undefined;
  }

  /** Keeps the report of a VIN just read. `bounds`: of the ranges of serial numbers that its rows have. */
  keep(vin: string, codes: Uint8Array, bounds: readonly number[], report: CachedReport): void {
    const key = this.#keyOf(vin, codes);
    const positions = this.#positions.of(codes);
    if (bounds.length === 0) this.#put(key, codes, positions, report);
    else this.#keepInRange(key, codes, positions, bounds, report);
    this.#grow(1);
  }

  #keyOf(vin: string, codes: Uint8Array): number {
    if (vin !== this.#vin) {
      this.#key = keyOf(vin, codes);
      this.#vin = vin;
    }
    return this.#key;
  }

  #keepInRange(
    key: number,
    codes: Uint8Array,
    positions: number,
    bounds: readonly number[],
    report: CachedReport,
  ): void {
    const ordered = [...new Set(bounds)].toSorted((a, b) => a - b);
    const found = this.#find(key);
    let kind = found instanceof Map ? found.get(restOf(codes, positions)) : found;
    if (kind === undefined || kind instanceof CachedReport || !isSame(kind.bounds, ordered)) {
      kind = { bounds: ordered, reports: [] };
      this.#put(key, codes, positions, kind);
    }
    kind.reports[placeOf(codes, ordered)] = report;
  }

  #put(key: number, codes: Uint8Array, positions: number, kind: Kind): void {
    if (positions === 0) {
      this.#young.set(key, kind);
      return;
    }
    let squish = this.#find(key);
    if (!(squish instanceof Map)) this.#young.set(key, (squish = new Map()));
    if (squish.size >= MOST_OF_SQUISH) squish.clear();
    squish.set(restOf(codes, positions), kind);
  }

  #find(key: number): Kind | Squish | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old === undefined) return undefined;
    this.#old.delete(key);
    this.#grow(old instanceof Map ? old.size : 1);
    this.#young.set(key, old);
    return old;
  }

  #grow(reports: number): void {
    this.#count += reports;
    if (this.#count <= GENERATION) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#count = reports;
  }
}

/**
 * Returns the squish VIN and whether the check digit is right, wrong, or no such character, as one whole number of at
 * most 53 bits: the last is negative.
 */
function keyOf(vin: string, codes: Uint8Array): number {
  const key = squishKey(codes) * 2;
  if (hasValidCheckDigit(vin)) return key + 1;
  return mayBeCheckDigit(vin) ? key : -key;
}

/** Returns the characters at some positions beyond the squish VIN as one number: below 2 to the 37th. */
function restOf(codes: Uint8Array, positions: number): number {
  let key = 0;
  for (const place of BEYOND_SQUISH) key = key * CODES + ((positions >>> place) & 1 ? (codes[place] as number) : 0);
  return key;
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((bound, at) => bound === other[at]);
}

/** Counts the bounds that are at or below the serial number. */
function placeOf(codes: Uint8Array, bounds: readonly number[]): number {
  if (bounds.length === 0) return 0;
  const serial = serialOf(codes);
  let place = 0;
  while (place < bounds.length && (bounds[place] as number) <= serial) place++;
  return place;
}
