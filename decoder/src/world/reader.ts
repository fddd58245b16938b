import { CHECK_DIGIT_CONDITIONS } from './fields.ts';
import { matchFacts, profileFit } from './match.ts';
import { WorldReading } from './reading.ts';
import { modelFixed, resolve } from './resolve.ts';
import type { WorldTables } from './tables.ts';
import { overlap, YearCandidates } from './years.ts';

const ANY = CHECK_DIGIT_CONDITIONS.indexOf('any');
/** A fitting condition outranks any number of positions that the model fixes. */
const CONDITION_WEIGHT = 100;
/** A WMI of six characters says three positions more. */
const LONG_WMI_FIT = 3;

/** Reads VINs by the world's facts. */
export class WorldReader {
  readonly tables: WorldTables;
  #latestYear = 0;
  readonly #years = new YearCandidates();
  #best = new WorldReading();
  #trial = new WorldReading();

  constructor(tables: WorldTables) {
    this.tables = tables;
  }

  /** Begins a VIN: no layout has read it yet. `latestYear` is the last model year that can have been coded. */
  begin(latestYear: number): void {
    this.#latestYear = latestYear;
    this.#best.clear();
  }

  /** The reading of the best fitting layout so far; its profile is -1 when none fits. Valid until the next VIN. */
  get reading(): WorldReading {
    return this.#best;
  }

  /** Tries the layouts of a WMI; the one whose condition and model fix most positions is kept. */
  tryProfiles(
    profiles: Uint16Array,
    start: number,
    end: number,
    longWmi: boolean,
    codes: Uint8Array,
    hasCheckDigit: () => boolean,
  ): void {
    for (let index = start; index < end; index++) {
      const profile = profiles[index] as number;
      const fit = profileFit(this.tables, profile, codes, hasCheckDigit);
      if (fit < 0) continue;
      const condition = this.tables.profileCondition[profile] === ANY ? 0 : 1;
      const weight = (fit + condition + (longWmi ? LONG_WMI_FIT : 0)) * CONDITION_WEIGHT;
      // Even a model that fixes every position could not make up for a weaker condition.
      if (weight + CONDITION_WEIGHT <= this.#best.rank) continue;
      this.#try(profile, weight, codes);
    }
  }

  #try(profile: number, weight: number, codes: Uint8Array): void {
    const trial = this.#trial;
    trial.clear();
    trial.profile = profile;
    if (!this.#years.read(this.tables, profile, codes, this.#latestYear)) return;
    trial.factCount = matchFacts(this.tables, profile, codes, trial.facts);
    if (this.#years.count === 0) this.#dropOtherEras(trial);
    resolve(this.tables, trial, this.#years);
    trial.rank = weight + modelFixed(this.tables, trial);
    if (trial.rank <= this.#best.rank) return;
    this.#trial = this.#best;
    this.#best = trial;
  }

  /** Without a year from the VIN, facts of years before or after the layout cannot hold. */
  #dropOtherEras(trial: WorldReading): void {
    const { tables } = this;
    const from = tables.profileFrom[trial.profile] as number;
    const to = tables.profileTo[trial.profile] as number;
    let kept = 0;
    for (let index = 0; index < trial.factCount; index++) {
      const fact = trial.facts[index] as number;
      if (!overlap(tables.factFrom[fact] as number, tables.factTo[fact] as number, from, to)) continue;
      trial.facts[kept++] = fact;
    }
    trial.factCount = kept;
  }
}
