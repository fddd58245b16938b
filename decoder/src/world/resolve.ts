import { CODES } from '../vpic/characters.ts';
import { CONFIDENCES, OPEN_FROM, OPEN_TO, WORLD_FIELDS, type WorldField, YEAR_RULES } from './fields.ts';
import { matchFacts, profileFit } from './match.ts';
import type { WorldTables } from './tables.ts';

const FIELDS = WORLD_FIELDS.length;
const MOST_FACTS = 512;
const MOST_YEARS = 2;

const FIELD: Readonly<Record<'model' | 'generation' | 'body' | 'bodyLabel' | 'modelYear', number>> = {
  model: WORLD_FIELDS.indexOf('model'),
  generation: WORLD_FIELDS.indexOf('generation'),
  body: WORLD_FIELDS.indexOf('body'),
  bodyLabel: WORLD_FIELDS.indexOf('bodyLabel'),
  modelYear: WORLD_FIELDS.indexOf('modelYear'),
};

/** Model years by letter, ISO 3779 and 49 CFR 565: A is 1980 and 2010. */
const YEAR_CODES = 'ABCDEFGHJKLMNPRSTVWXY123456789';
const FIRST_YEAR = 1980;
const CYCLE = 30;
/** Cars of next year's model are sold from the summer on. */
const YEARS_AHEAD = 1;

const POSITION_10 = YEAR_RULES.indexOf('position-10');
const POSITION_11 = YEAR_RULES.indexOf('position-11');

/**
 * How far a fact's window of years fits a year: 2 within it, 1 one year beside it (a model year begins in the year
 * before, and sources differ by one), 0 not at all. Without a known year every window fits.
 */
function windowFit(tables: WorldTables, fact: number, year: number): number {
  if (year === 0) return 2;
  const from = tables.factFrom[fact] as number;
  const to = tables.factTo[fact] as number;
  if (year >= from && year <= to) return 2;
  return year >= from - 1 && year <= to + 1 ? 1 : 0;
}

/**
 * What the facts of the world say of a VIN, resolved: for each field the value that the most specific facts agree on.
 * Reused from VIN to VIN.
 */
export class WorldReading {
  /** The profile that was read; -1 = none laid this VIN out. */
  profile = -1;
  /** How many positions the profile's condition fixes. */
  fit = -1;
  /** Model year that the layout tells; 0 = it does not, or not surely. */
  modelYear = 0;
  /** Window of production years that the deciding facts share. */
  productionFrom = OPEN_FROM;
  productionTo = OPEN_TO;
  /** Number of facts that matched. */
  factCount = 0;
  readonly facts = new Uint32Array(MOST_FACTS);
  /** By field: rank of the deciding facts (0 = nobody spoke), their value, and whether they disagree. */
  readonly rank = new Int32Array(FIELDS);
  readonly value = new Uint32Array(FIELDS);
  readonly split = new Uint8Array(FIELDS);
  /** Values of `bodyLabel` and `body` that remain possible where the deciding facts disagree. */
  readonly bodies: number[] = [];

  /** Whether the facts settle the field. */
  has(field: number): boolean {
    return (this.rank[field] as number) > 0 && this.split[field] === 0;
  }

  clear(): void {
    this.profile = -1;
    this.fit = -1;
    this.modelYear = 0;
    this.productionFrom = OPEN_FROM;
    this.productionTo = OPEN_TO;
    this.factCount = 0;
    this.rank.fill(0);
    this.split.fill(0);
    if (this.bodies.length > 0) this.bodies.length = 0;
  }
}

/** Reads VINs by the world's facts. */
export class WorldReader {
  readonly tables: WorldTables;
  readonly #currentYear: () => number;
  readonly #candidates = new Uint16Array(MOST_YEARS);

  constructor(tables: WorldTables, currentYear: () => number) {
    this.tables = tables;
    this.#currentYear = currentYear;
  }

  /** Reads a VIN by the best fitting of the given profiles. */
  read(
    profiles: Uint16Array,
    start: number,
    end: number,
    codes: Uint8Array,
    hasCheckDigit: () => boolean,
    into: WorldReading,
  ): void {
    into.clear();
    for (let index = start; index < end; index++) {
      const profile = profiles[index] as number;
      const fit = profileFit(this.tables, profile, codes, hasCheckDigit);
      if (fit < 0 || fit <= into.fit) continue;
      into.profile = profile;
      into.fit = fit;
    }
    if (into.profile < 0) return;
    into.factCount = matchFacts(this.tables, into.profile, codes, into.facts);
    this.#settleYear(into, codes);
    this.#resolve(into, false);
    if (this.#hasGuards(into)) this.#resolve(into, true);
    this.#settleWindow(into);
  }

  #settleYear(into: WorldReading, codes: Uint8Array): void {
    const count = this.#yearCandidates(into.profile, codes);
    if (count === 1) into.modelYear = this.#candidates[0] as number;
    if (count !== MOST_YEARS) return;
    const [first, second] = [this.#candidates[0] as number, this.#candidates[1] as number];
    const [a, b] = [this.#support(into, first), this.#support(into, second)];
    if (a > 0 && b === 0) into.modelYear = first;
    else if (b > 0 && a === 0) into.modelYear = second;
    else if (a > b) into.modelYear = first;
    else if (b > a) into.modelYear = second;
  }

  /** The years that the letter may mean under this layout: at most two, 30 years apart. */
  #yearCandidates(profile: number, codes: Uint8Array): number {
    const { tables } = this;
    const rule = tables.profileYear[profile];
    if (rule !== POSITION_10 && rule !== POSITION_11) return 0;
    const first = YEAR_OF_CODE[codes[rule === POSITION_10 ? 9 : 10] as number] as number;
    if (first === 0) return 0;
    let count = 0;
    for (let year = first; year < first + MOST_YEARS * CYCLE; year += CYCLE) {
      if (year < (tables.profileFrom[profile] as number) || year > (tables.profileTo[profile] as number)) continue;
      if (year > this.#currentYear() + YEARS_AHEAD) continue;
      this.#candidates[count++] = year;
    }
    return count;
  }

  /** How well the facts that name a model or generation fit a year: the best of them counts. */
  #support(into: WorldReading, year: number): number {
    const { tables } = this;
    let best = 0;
    for (let index = 0; index < into.factCount; index++) {
      const fact = into.facts[index] as number;
      if (!this.#speaksOf(fact, FIELD.model) && !this.#speaksOf(fact, FIELD.generation)) continue;
      // A fact without years fits every year and so says nothing here.
      if (tables.factFrom[fact] === OPEN_FROM && tables.factTo[fact] === OPEN_TO) continue;
      best = Math.max(best, windowFit(tables, fact, year));
    }
    return best;
  }

  #speaksOf(fact: number, field: number): boolean {
    const end = this.tables.factOutputs[fact + 1] as number;
    for (let at = this.tables.factOutputs[fact] as number; at < end; at++) {
      if (this.tables.factField[at] === field) return true;
    }
    return false;
  }

  #hasGuards(into: WorldReading): boolean {
    for (let index = 0; index < into.factCount; index++) {
      if (this.tables.factGuard[into.facts[index] as number] !== 0) return true;
    }
    return false;
  }

  /**
   * All facts vote; for each field those of the highest rank decide, if they agree. Guarded facts vote in a second
   * round, when the generation that they depend on is settled.
   */
  #resolve(into: WorldReading, guarded: boolean): void {
    const { tables } = this;
    for (let index = 0; index < into.factCount; index++) {
      const fact = into.facts[index] as number;
      const guard = tables.factGuard[fact] as number;
      if ((guard !== 0) !== guarded) continue;
      if (guarded && !(into.has(FIELD.generation) && into.value[FIELD.generation] === guard)) continue;
      const fit = windowFit(tables, fact, into.modelYear);
      if (fit === 0) continue;
      const rank = rankOf(tables, fact, fit, guarded);
      const end = tables.factOutputs[fact + 1] as number;
      for (let at = tables.factOutputs[fact] as number; at < end; at++) {
        vote(into, tables.factField[at] as number, tables.factValue[at] as number, rank);
      }
    }
  }

  /** The production years of the facts that named the model, the generation or the serial range. */
  #settleWindow(into: WorldReading): void {
    const { tables } = this;
    for (let index = 0; index < into.factCount; index++) {
      const fact = into.facts[index] as number;
      if (windowFit(tables, fact, into.modelYear) === 0 || !this.#agrees(into, fact)) continue;
      const guard = tables.factGuard[fact] as number;
      if (guard !== 0 && into.value[FIELD.generation] !== guard) continue;
      into.productionFrom = Math.max(into.productionFrom, tables.factFrom[fact] as number);
      into.productionTo = Math.min(into.productionTo, tables.factTo[fact] as number);
    }
  }

  /** Whether a fact says nothing against the model and the generation that were settled, and says something. */
  #agrees(into: WorldReading, fact: number): boolean {
    const { tables } = this;
    const end = tables.factOutputs[fact + 1] as number;
    let named = tables.factSerialTo[fact] !== 0;
    for (let at = tables.factOutputs[fact] as number; at < end; at++) {
      const field = tables.factField[at] as number;
      if (field !== FIELD.model && field !== FIELD.generation) continue;
      if (!into.has(field) || into.value[field] !== tables.factValue[at]) return false;
      named = true;
    }
    return named;
  }
}

/** More fixed positions first, then guards, then the year within the window, then confidence. */
function rankOf(tables: WorldTables, fact: number, fit: number, guarded: boolean): number {
  const confidence = CONFIDENCES.length - (tables.factConfidence[fact] as number);
  return (tables.factFixed[fact] as number) * 64 + (guarded ? 32 : 0) + fit * 8 + confidence;
}

function vote(into: WorldReading, field: number, value: number, rank: number): void {
  const held = into.rank[field] as number;
  if (rank < held) return;
  if (rank > held) {
    into.rank[field] = rank;
    into.value[field] = value;
    into.split[field] = 0;
    if (field === FIELD.bodyLabel) into.bodies.length = 0;
    if (field === FIELD.bodyLabel) into.bodies.push(value);
    return;
  }
  if (into.value[field] === value) return;
  into.split[field] = 1;
  if (field === FIELD.bodyLabel && !into.bodies.includes(value)) into.bodies.push(value);
}

/** First year of each character's cycle by code; 0 = no year code. */
const YEAR_OF_CODE = new Uint16Array(CODES);
for (let index = 0; index < YEAR_CODES.length; index++) {
  YEAR_OF_CODE[Number.parseInt(YEAR_CODES.charAt(index), CODES)] = FIRST_YEAR + index;
}

/** The number of a field. */
export function worldField(name: WorldField): number {
  return WORLD_FIELDS.indexOf(name);
}
