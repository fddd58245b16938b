import type { CandidatesAnswer } from './candidates/candidates.ts';
import type { Hints } from './candidates/hints.ts';
import type { SharedReport } from './decode/cached-report.ts';
import type { Explanation } from './report/explanation.ts';
import type { VpicFacts } from './vpic/facts.ts';
import type { VpicRow } from './vpic/view.ts';
import type { Suggestion } from './repair/suggest.ts';
import type { VehicleReport } from './report/report.ts';

/** The contents of an opened catalog. */
export interface CatalogInfo {
  /** Hex SHA-256 of the compiler's inputs: two catalogs with one hash give the same answers. */
  hash: string;
  /** Version of the binary format. */
  formatVersion: number;
  /** Size of the catalog in bytes. */
  bytes: number;
  wmis: number;
  vpicSchemas: number;
  vpicRows: number;
  worldProfiles: number;
  worldRows: number;
  /** Approved and registered types, by mask over the VIN: imported ones. */
  approvalRows: number;
  /** The data from outside that it was compiled with. */
  sources: readonly CatalogSource[];
}

/** Data from outside. */
export interface CatalogSource {
  /** The word for it: "vpic", "astra". */
  id: string;
  title: string;
  /** The day of its import (UTC); absent where it came with the catalog's own sources. */
  imported?: string;
  /** True if it is a part of its publisher's data. */
  reduced?: true;
}

/** An opened catalog. Stateless between calls; safe to share. */
export interface Decoder {
  readonly info: CatalogInfo;
  /**
   * Decodes a well-formed VIN (17 of A-HJ-NPR-Z0-9, upper case: the result of `readVin`).
   *
   * Never throws for such a VIN: unknown fields are left out.
   * @throws RangeError when the text is not a well-formed VIN.
   */
  decode(vin: string): VehicleReport;
  /**
   * Returns the same report as JSON: the text that `JSON.stringify` gives, in less time. For who sends or stores it as
   * it is.
   *
   * @throws RangeError when the text is not a well-formed VIN.
   */
  decodeToJson(vin: string): string;
  /**
   * Returns the same report, not made yet. VINs that differ only in characters that nothing depends on, such as the
   * serial number, share one object, so that callers can cache with it values that they derive from the report.
   *
   * @throws RangeError when the text is not a well-formed VIN.
   */
  shared(vin: string): SharedReport;
  /** Returns the same decode with the evidence for each field. Slower: for people, not for traffic. */
  explain(vin: string): Explanation;
  /**
   * Decodes the VIN as NHTSA's own decoder does: elements with their values and error codes, for callers who need
   * parity. Accepts the beginning of a VIN too, with `*` for each unknown character; reports letters that no VIN has,
   * and accepts the ! of NHTSA's own suggestions.
   *
   * @param modelYear the model year as the caller knows it; the answer is the best one in that year.
   * @throws RangeError when the text is not 3 to 17 of A-Z, 0-9, * and !.
   */
  vpic(vin: string, modelYear?: number): VpicRow[];
  /** NHTSA's names and numbers of variables, makes, models and WMIs. */
  readonly vpicFacts: VpicFacts;
  /**
   * Returns the VINs that a mistyped one was likely meant to be, best first, at most five; none if the text is
   * consistent as it is. Hints decide between them. Accepts any text, never throws, and never returns the text itself.
   * Milliseconds, not microseconds.
   */
  suggest(text: string, hints?: Hints): Suggestion[];
  /**
   * Returns the report that VIN and hints decide together, and for each open field the possible values of the catalog,
   * the likeliest first. A hint that contradicts the VIN is named in `conflicts` and ignored. Accepts masked VINs too:
   * 11 to 17 characters, `*` for each unknown one after the third.
   *
   * @throws RangeError when the text is neither a well-formed VIN nor a masked one.
   */
  candidates(vin: string, hints?: Hints): CandidatesAnswer;
  /**
   * Yields in steps of some tenths of a millisecond, and returns the same, for callers with others to serve meanwhile.
   * The decoder may be used between two steps. A text that is far from any VIN is answered in the first one.
   */
  suggestInSteps(text: string, hints?: Hints): Generator<undefined, Suggestion[], undefined>;
}
