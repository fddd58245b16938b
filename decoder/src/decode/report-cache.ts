import { type Draft, sameDraft } from '../report/draft.ts';
import type { VehicleReport } from '../report/report.ts';
import type { SpecMarket } from '../specs/tables.ts';
import { checkDigitDistance, hasValidCheckDigit, NO_DISTANCE } from '../vin/check-digit.ts';
import { CODES } from '../vin/characters.ts';
import { CHECK_DIGIT_DISTANCE, FAULTS, SERIAL_RANGE, serialOf, type VinCodes } from '../vin/vin-codes.ts';
import { JUDGEMENTS, judgementOf } from '../vpic/judged.ts';
import { KeptReport } from './kept-report.ts';
import type { Reading } from './reading.ts';

/** Twice so many are kept at most, about half a kilobyte each. */
const GENERATION = 32_000;

/** Reports that one start may have: else one that is asked for again and again would never be dropped. */
const MOST_OF_START = 2_000;

/** Places, counted from 0, that a key may hold beside the start: layouts often tell the model at position 9 or 12. */
const PLACES = [8, 11, 12, 13] as const;
/** The bits of what a key may hold beside the start. */
const BESIDE_START = 0b11_1001_0000_0000 | SERIAL_RANGE | FAULTS | CHECK_DIGIT_DISTANCE;
/** Key bits including the prefix. */
const KEYED = BESIDE_START | 0b110_1111_1111;

interface Kept {
  /** The year of its decode: model years end with it. */
  year: number;
  /** What was read before specifications filled it; undefined: the key alone tells which VINs are alike. */
  read: Draft | undefined;
  market: SpecMarket | undefined;
  report: KeptReport;
}

/** VINs of one start: positions 1 to 8, 10 and 11 and whether the check digit is right. */
interface Start {
  /** All places that readings of such VINs asked for. */
  asked: number;
  /** Where the ranges of serial numbers begin and end that they asked for, in order. */
  bounds: readonly number[];
  /** The only one, where no place beside the start is asked for: that is most starts, and spares each a map. */
  only: Kept | undefined;
  /** By the characters at those places that are keyed, and by the range. */
  reports: Map<number, Kept> | undefined;
}

/**
 * Keeps reports by the characters that their readings asked for: the same few thousand variants come again and again, with
 * other serial numbers.
 */
export class ReportCache {
  /** Starts that were asked for of late, and those that were before: once there are too many, these are dropped. */
  #young = new Map<number, Start>();
  #old = new Map<number, Start>();
  /** Reports among the young. */
  #count = 0;
  readonly #isException: (vin: string) => boolean;

  /** `isException`: whether NHTSA accepts a VIN although its check digit is wrong. */
  constructor(isException: (vin: string) => boolean) {
    this.#isException = isException;
  }

  /** The report of a VIN that is alike, in all that was asked for, to one that was decoded in this year. */
  of(vin: string, codes: Uint8Array, year: number): KeptReport | undefined {
    const start = this.#start(startKey(vin, codes));
    if (start === undefined || (start.asked & ~KEYED) !== 0) return undefined;
    const kept = this.#keptIn(start, vin, codes);
    return kept?.year === year ? kept.report : undefined;
  }

  /** The report of a VIN that starts like one that read the same. */
  ofReading({ vin, codes, draft, market }: Reading): KeptReport | undefined {
    const start = this.#start(startKey(vin, codes.codes));
    const kept = start === undefined ? undefined : this.#keptIn(start, vin, codes.codes);
    if (kept?.read === undefined || kept.market !== market || !sameDraft(kept.read, draft)) return undefined;
    return kept.report;
  }

  /**
   * Keeps a report of a VIN just read.
   *
   * @param read what was read before specifications filled it: serial numbers may part VINs that start alike.
   */
  keep(
    { codes, asked, bounds }: VinCodes,
    kept: { year: number; read: Draft; market: SpecMarket | undefined; report: VehicleReport },
  ): KeptReport {
    const { vin } = kept.report;
    const key = startKey(vin, codes);
    let start = this.#start(key);
    if (
      start === undefined ||
      (start.asked | asked) !== start.asked ||
      !bounds.every((at) => start?.bounds.includes(at))
    ) {
      // What was kept by fewer places, or by fewer ranges, may match VINs that these part.
      start = {
        asked: asked | (start?.asked ?? 0),
        bounds: united(start, bounds),
        only: undefined,
        reports: undefined,
      };
      this.#young.set(key, start);
    }
    this.#grow(1);
    const report = new KeptReport(kept.report);
    const isKeyed = (start.asked & ~KEYED) === 0;
    const entry = { ...kept, report, read: isKeyed ? undefined : kept.read };
    if ((start.asked & BESIDE_START) === 0) start.only = entry;
    else {
      start.reports ??= new Map();
      if (start.reports.size >= MOST_OF_START) start.reports.clear();
      start.reports.set(this.#restKey(vin, codes, start), entry);
    }
    return report;
  }

  #keptIn(start: Start, vin: string, codes: Uint8Array): Kept | undefined {
    return start.reports === undefined ? start.only : start.reports.get(this.#restKey(vin, codes, start));
  }

  /** All that was asked for beside the start: below 2 to the 53rd with more ranges than a start has. */
  #restKey(vin: string, codes: Uint8Array, { asked, bounds }: Start): number {
    let key = 0;
    if (bounds.length > 0) {
      const serial = serialOf(codes);
      while (key < bounds.length && (bounds[key] as number) <= serial) key++;
    }
    for (const place of PLACES) key = key * CODES + ((asked >>> place) & 1 ? (codes[place] as number) : 0);
    if ((asked & FAULTS) === 0) return key;
    const distance = (asked & CHECK_DIGIT_DISTANCE) === 0 ? 0 : checkDigitDistance(vin);
    return (key * (NO_DISTANCE + 1) + distance) * JUDGEMENTS + judgementOf(vin, codes, this.#isException);
  }

  #start(key: number): Start | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const start = this.#old.get(key);
    if (start === undefined) return undefined;
    this.#old.delete(key);
    this.#grow(start.reports?.size ?? 1);
    this.#young.set(key, start);
    return start;
  }

  #grow(reports: number): void {
    this.#count += reports;
    if (this.#count <= GENERATION) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#count = reports;
  }
}

/** Positions 1 to 8, 10 and 11 and whether the check digit is right, as one number: below 2 to the 53rd. */
function startKey(vin: string, codes: Uint8Array): number {
  let high = 0;
  let low = 0;
  for (let at = 0; at < 5; at++) high = high * CODES + (codes[at] as number);
  for (let at = 5; at < 8; at++) low = low * CODES + (codes[at] as number);
  low = (low * CODES + (codes[9] as number)) * CODES + (codes[10] as number);
  return (high * CODES ** 5 + low) * 2 + Number(hasValidCheckDigit(vin));
}

function united(start: Start | undefined, bounds: readonly number[]): readonly number[] {
  return [...new Set([...(start?.bounds ?? []), ...bounds])].toSorted((a, b) => a - b);
}
