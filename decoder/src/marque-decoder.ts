import { AnswerCache } from './candidates/answer-cache.ts';
import type { CandidatesAnswer } from './candidates/candidates.ts';
import { CandidateFinder } from './candidates/find.ts';
import type { Hints } from './candidates/hints.ts';
import type { Container } from './catalog/container.ts';
import { Strings } from './catalog/strings.ts';
import { linkOverlay } from './overlay/link.ts';
import { suggest, suggestInSteps, type Suggestion } from './repair/suggest.ts';
import type { VehicleReport } from './report/report.ts';
import { keepsAnswers } from './report/keeps-answers.ts';
import { writeReport } from './report/write-report.ts';
import { VpicFacts } from './vpic/facts.ts';
import { isWellFormed } from './vin/characters.ts';
import { VinCodes } from './vin/vin-codes.ts';
import { type VpicRow, vpicView } from './vpic/view.ts';
import type { CatalogInfo, CatalogSource, Decoder } from './decoder.ts';
import { Explainer } from './decode/explain.ts';
import type { Explanation } from './report/explanation.ts';
import { CachedReport } from './decode/cached-report.ts';
import { VinReader } from './decode/reader.ts';
import { type Reading, Scratch } from './decode/reading.ts';
import { ReportCache } from './decode/report-cache.ts';

const VIN_LENGTH = 17;

/** The start of a VIN at least, with `*` for characters that are not known. */
const MASKED = /^[A-HJ-NPR-Z0-9]{3}[A-HJ-NPR-Z0-9*]{8,14}$/;

/** Matches texts that NHTSA's decoder accepts: letters that no VIN has, the beginning of a VIN, gaps, its own `!`. */
const VPIC_QUERY = /^[A-Z0-9*!]{3,17}$/;

/** The decoder over an opened catalog. Its methods run to their end, so that one scratch serves them all. */
export class MarqueDecoder implements Decoder {
  readonly info: CatalogInfo;
  readonly vpicFacts: VpicFacts;
  readonly #container: Container;
  /** The decoder without the latest overlay of learned rows, whose answers stay; undefined: there is none. */
  readonly #base: MarqueDecoder | undefined;
  readonly #reader: VinReader;
  readonly #explainer: Explainer;
  readonly #candidates: CandidateFinder;
  readonly #currentYear: () => number;
  readonly #scratch = new Scratch();
  readonly #reports: ReportCache;
  readonly #answers: AnswerCache;

  constructor(container: Container, bytes: number, currentYear: () => number, base?: MarqueDecoder) {
    this.#container = container;
    this.#base = base;
    this.info = infoOf(container, bytes);
    const strings = new Strings(container);
    this.#reader = new VinReader(container, strings);
    this.#explainer = new Explainer(this.#reader, strings);
    this.#candidates = new CandidateFinder(this.#reader, strings);
    this.vpicFacts = new VpicFacts(container, this.#reader.vpic.tables, strings, this.#reader.specs.tables);
    this.#reports = new ReportCache(this.#reader.positions);
    this.#answers = new AnswerCache(this.#reader.positions);
    this.#currentYear = currentYear;
  }

  decode(vin: string): VehicleReport {
    const known = this.#known(vin);
    return known === undefined ? this.#read(vin).first(vin) : known.for(vin);
  }

  decodeToJson(vin: string): string {
    return this.#reportOf(vin).jsonFor(vin);
  }

  shared(vin: string): CachedReport {
    return this.#reportOf(vin);
  }

  explain(vin: string): Explanation {
    readWellFormed(vin, this.#scratch.codes);
    const year = this.#currentYear();
    if (this.#base !== undefined && this.#settle(vin, year, this.#scratch).by !== this) return this.#base.explain(vin);
    const reading = this.#reader.read(vin, year, this.#scratch);
    this.#reader.complete(reading);
    const report = reportOf(reading);
    const fields = this.#explainer.explain(report, reading);
    return { report, fields, reading: this.#reader.describe(reading) };
  }

  /** Returns a decoder that also knows the rows of an overlay. */
  overlaid(overlay: Container): MarqueDecoder {
    // Registers alone overrule nothing: they answer last.
    const base = Number(overlay.meta['worldRows'] ?? 0) > 0 ? this : this.#base?.overlaid(overlay);
    return new MarqueDecoder(linkOverlay(this.#container, overlay), this.info.bytes, this.#currentYear, base);
  }

  isReadByVpic(vin: string): boolean {
    readWellFormed(vin, this.#scratch.codes);
    const year = this.#currentYear();
    if (this.#base !== undefined && this.#settle(vin, year, this.#scratch).by !== this)
      return this.#base.isReadByVpic(vin);
    return this.#reader.read(vin, year, this.#scratch).pass !== null;
  }

  vpic(vin: string, modelYear?: number): VpicRow[] {
    if (!VPIC_QUERY.test(vin)) throw new RangeError('vpic takes 3 to 17 of A-Z, 0-9, * and !.');
    const codes = new VinCodes();
    // NHTSA writes ! where a character is wrong. Sent back, it is as wrong as a letter that no VIN has.
    codes.read(vin.replaceAll('!', 'I'));
    return vpicView(this.#reader.vpic, { vin, codes, modelYear }, this.#currentYear(), this.#scratch.vpic);
  }

  suggest(text: string, hints: Hints = {}): Suggestion[] {
    return suggest(this, text, hints);
  }

  candidates(vin: string, hints: Hints = {}): CandidatesAnswer {
    if (!MASKED.test(vin)) {
      throw new RangeError('candidates takes 11 to 17 characters of a VIN, with * for each that is not known.');
    }
    const text = vin.padEnd(VIN_LENGTH, '*');
    const year = this.#currentYear();
    const known = this.#answers.of(text, hints, year);
    if (known !== undefined) return known;
    const answer = this.#find(text, hints, year, this.#scratch);
    return this.#answers.keep(this.#scratch.codes, hints, year, answer, text);
  }

  suggestInSteps(text: string, hints: Hints = {}): Generator<undefined, Suggestion[], undefined> {
    return suggestInSteps(this, text, hints);
  }

  /** Returns the report of VINs like this one: of one that was decoded before, or of this one, decoded now. */
  #reportOf(vin: string): CachedReport {
    return this.#known(vin) ?? this.#read(vin);
  }

  /** Reads the codes of a VIN. @returns the report of VINs like it, where one was decoded before. */
  #known(vin: string): CachedReport | undefined {
    const { codes } = this.#scratch;
    readWellFormed(vin, codes);
    return this.#reports.of(vin, codes.codes, this.#currentYear());
  }

  /** Decodes a VIN whose codes are read, and keeps its report. */
  #read(vin: string): CachedReport {
    const { codes } = this.#scratch;
    const year = this.#currentYear();
    const { reading } = this.#settle(vin, year, this.#scratch);
    const report = new CachedReport(year, reading.region, reading.draft);
    this.#reports.keep(vin, codes.codes, codes.bounds, report);
    return report;
  }

  /**
   * Reads a VIN whose codes are in the scratch completely: without learned rows where with them an answer would be lost
   * or become another one. Of the reading only the draft and the region are valid.
   */
  #settle(vin: string, year: number, scratch: Scratch): { reading: Reading; by: MarqueDecoder } {
    scratch.world.hasLearned = false;
    const reading = this.#reader.read(vin, year, scratch);
    this.#reader.complete(reading);
    if (this.#base === undefined || !scratch.world.hasLearned) return { reading, by: this };
    const before = this.#base.#settle(vin, year, scratch);
    return keepsAnswers(reportOf(before.reading), reportOf(reading)) ? { reading, by: this } : before;
  }

  /** Finds candidates, by the same rule. */
  #find(vin: string, hints: Hints, year: number, scratch: Scratch): CandidatesAnswer {
    scratch.world.hasLearned = false;
    const answer = this.#candidates.find(vin, hints, year, scratch);
    // Rows may be too many behind a mask.
    if (this.#base === undefined || !(scratch.world.hasLearned || vin.includes('*'))) return answer;
    const before = this.#base.#find(vin, hints, year, scratch);
    return keepsAnswers(before.report, answer.report) ? answer : before;
  }
}

/**
 * Returns true if NHTSA's tables rather than the world's facts decode a well-formed VIN: cheaper than to explain it.
 */
export function isReadByVpic(decoder: Decoder, vin: string): boolean {
  return decoder instanceof MarqueDecoder ? decoder.isReadByVpic(vin) : decoder.explain(vin).reading.startsWith('vPIC');
}

function readWellFormed(vin: string, codes: VinCodes): void {
  if (!isWellFormed(vin)) throw new RangeError('decode takes a well-formed VIN; readVin makes one of a text.');
  codes.read(vin);
}

function reportOf({ vin, region, draft }: Reading): VehicleReport {
  return writeReport(vin, region, draft);
}

function infoOf(container: Container, bytes: number): CatalogInfo {
  const { meta } = container;
  return {
    hash: String(meta['hash'] ?? ''),
    formatVersion: container.formatVersion,
    bytes,
    wmis: Number(meta['wmis'] ?? 0),
    vpicSchemas: Number(meta['vpicSchemas'] ?? 0),
    vpicRows: Number(meta['vpicRows'] ?? 0),
    worldProfiles: Number(meta['worldProfiles'] ?? 0),
    worldRows: Number(meta['worldRows'] ?? 0),
    approvalRows: Number(meta['approvalRows'] ?? 0),
    sources: JSON.parse(String(meta['sources'] ?? '[]')) as CatalogSource[],
  };
}
