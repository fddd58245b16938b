import { hasValidCheckDigit } from '../vin/check-digit.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import { CHECK_DIGIT_CONDITIONS } from '../report/world-fields.ts';
import { type Filling, MaskedFacts } from './masked.ts';
import { matchFacts, layoutFit } from './match.ts';
import { WorldReading } from './reading.ts';
import { modelFixed, resolve } from './resolve.ts';
import type { WorldTables } from './tables.ts';
import type { WmiTables } from './wmi-tables.ts';
import { overlap, YearCandidates, type YearWindow } from './years.ts';

const ANY = CHECK_DIGIT_CONDITIONS.indexOf('any');
/** A fitting condition outranks any number of positions that the model fixes. */
const CONDITION_WEIGHT = 100;
/** The fit of a WMI of six characters: it fixes three positions more. */
const LONG_WMI_FIT = 3;

/** Memory for the readings of one VIN, used again for the next. Its owner reads one VIN at a time. */
export class WorldScratch {
  best = new WorldReading();
  trial = new WorldReading();
  readonly years = new YearCandidates();
  /** Set to true by a reading on which rows of an overlay may have an effect. */
  hasLearned = false;
}

/** Facts beside the VIN: they narrow open fields. */
export interface WorldGuide {
  /** The model year, as far as the VIN does not give it; 0: not known. */
  year: number;
  /** True if the year is that of the registration. */
  isRegistration: boolean;
  /** Drops facts that contradict known values. */
  narrow(reading: WorldReading): void;
}

/** A VIN to be read. */
export interface WorldRequest {
  vin: string;
  codes: VinCodes;
  /** The last model year that can have been coded. */
  latestYear: number;
  scratch: WorldScratch;
  guide?: WorldGuide | undefined;
  /** The years among which registers say that the model year is. */
  registeredYears?: YearWindow | undefined;
}

/** Reads VINs by the world's facts. */
export class WorldReader {
  readonly tables: WorldTables;
  readonly #wmis: WmiTables;

  constructor(tables: WorldTables, wmis: WmiTables) {
    this.tables = tables;
    this.#wmis = wmis;
  }

  /**
   * Returns the reading of the layout whose condition and model fix most positions; its layout is -1 when none fits.
   *
   * @returns valid until the scratch is used again.
   */
  read(request: WorldRequest): WorldReading {
    const { codes, scratch } = request;
    scratch.best.clear();
    const long = this.#wmis.findLong(codes.codes);
    if (long >= 0) this.#readWmi(long, LONG_WMI_FIT, request);
    const short = this.#wmis.findShort(codes.codes);
    if (Math.max(long, short) >= this.#wmis.catalogWmis) scratch.hasLearned = true;
    if (short >= 0) this.#readWmi(short, 0, request);
    return scratch.best;
  }

  /**
   * Returns the characters behind a VIN's mask on which facts of its layouts depend; undefined: more than can be
   * compared.
   */
  fillingsOf({ codes }: VinCodes): readonly Filling[] | undefined {
    const facts = new MaskedFacts(this.tables, codes);
    for (const layout of this.#layoutsOf(codes)) facts.gather(layout);
    return facts.fillings;
  }

  /** Returns true if a VIN's layouts may give a make that passes, with any characters behind its mask. */
  mayTellMake({ codes }: VinCodes, passes: (make: number) => boolean): boolean {
    const facts = new MaskedFacts(this.tables, codes);
    return this.#layoutsOf(codes).some((layout) => facts.mayTellMake(layout, passes));
  }

  #layoutsOf(codes: Uint8Array): number[] {
    const { layouts, layoutStart } = this.#wmis;
    const found: number[] = [];
    for (const wmi of [this.#wmis.findLong(codes), this.#wmis.findShort(codes)]) {
      if (wmi >= 0) found.push(...layouts.subarray(layoutStart[wmi], layoutStart[wmi + 1]));
    }
    return found;
  }

  #readWmi(wmi: number, wmiFit: number, request: WorldRequest): void {
    const { vin, codes, scratch } = request;
    const { layouts, layoutStart } = this.#wmis;
    const end = layoutStart[wmi + 1] as number;
    for (let index = layoutStart[wmi] as number; index < end; index++) {
      const layout = layouts[index] as number;
      const fit = layoutFit(this.tables, layout, codes, () => hasValidCheckDigit(vin));
      if (fit < 0) continue;
      const condition = this.tables.layoutCondition[layout] === ANY ? 0 : 1;
      const weight = (fit + condition + wmiFit) * CONDITION_WEIGHT;
      // Even a model that fixes every position could not make up for a weaker condition.
      if (weight + CONDITION_WEIGHT <= scratch.best.rank) continue;
      scratch.trial.clear();
      scratch.trial.layout = layout;
      scratch.trial.sharedWmi = this.#wmis.isShared(wmi);
      this.#try(weight, request);
    }
  }

  /** Reads by the layout of the trial; the better reading stays. */
  #try(weight: number, { codes, latestYear, scratch, guide, registeredYears }: WorldRequest): void {
    const { best, trial, years } = scratch;
    if (!years.read(this.tables, trial.layout, codes.codes, latestYear)) return;
    if (registeredYears !== undefined) years.within(registeredYears);
    if (guide !== undefined && guide.year !== 0) years.narrow(guide.year, guide.isRegistration);
    trial.factCount = matchFacts(this.tables, trial.layout, codes, trial.facts);
    const isLearned = trial.layout >= this.tables.catalogLayouts;
    // Facts are in their order, those of an overlay last.
    const last = trial.factCount === 0 ? -1 : (trial.facts[trial.factCount - 1] as number);
    if (isLearned || last >= this.tables.catalogFacts) scratch.hasLearned = true;
    if (years.count === 0) this.#dropOtherEras(trial);
    guide?.narrow(trial);
    resolve(this.tables, trial, years);
    trial.rank = weight + modelFixed(this.tables, trial);
    if (trial.rank <= best.rank) return;
    scratch.trial = best;
    scratch.best = trial;
  }

  /** Drops facts of years before or after the layout; without a year from the VIN, they cannot apply. */
  #dropOtherEras(trial: WorldReading): void {
    const { tables } = this;
    const from = tables.layoutFrom[trial.layout] as number;
    const to = tables.layoutTo[trial.layout] as number;
    let kept = 0;
    for (let index = 0; index < trial.factCount; index++) {
      const fact = trial.facts[index] as number;
      if (!overlap(tables.factFrom[fact] as number, tables.factTo[fact] as number, from, to)) continue;
      trial.facts[kept++] = fact;
    }
    trial.factCount = kept;
  }
}
