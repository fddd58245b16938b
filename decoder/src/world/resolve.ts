import { IDENTITY_FIELDS, OPEN_FROM, OPEN_TO, YEAR_RULES } from '../report/world-fields.ts';
import { retireOtherEras, settlePlant, settleProduction, yearsMissed } from './production.ts';
import { FIELD, FIELDS, type WorldReading } from './reading.ts';
import type { WorldTables } from './tables.ts';
import { NO_VALUE, put, rankOf, SPLIT, topRank, valueAt, VOTE } from './votes.ts';
import { fit, type YearCandidates } from './years.ts';

const NO_RULE = YEAR_RULES.indexOf('none');

/**
 * Resolves the facts that matched into values: for each field more fixed positions beat fewer, then a window that
 * contains the year beats one beside it, then confidence decides; values that are still tied and disagree are left out.
 */
export function resolve(tables: WorldTables, into: WorldReading, years: YearCandidates): void {
  settleYear(tables, into, years);
  openVotes(tables, into, years);
  settleVehicle(tables, into);
  if (missedByYear(tables, into) > YEARS_MISSED) {
    // Type codes are reused decades later; ignore the earlier car's rows.
    retireRows(tables, into, into.value[FIELD.modelYear] as number);
    settleVehicle(tables, into);
  }
  const known = into.modelYear !== 0;
  const single = into.productionFrom !== OPEN_FROM && into.productionFrom === into.productionTo;
  // A row about one of two cycles does not choose between them.
  if (years.count === 2) return;
  // Serial numbers give the year of the cars that have them: of a type that was not built then, they are others.
  if (missedByYear(tables, into) > 0) into.modelYear = 0;
  else if (into.has(FIELD.modelYear)) into.modelYear = into.value[FIELD.modelYear] as number;
  else if (!known && single && tables.layoutYear[into.layout] === NO_RULE) into.modelYear = into.productionFrom;
}

function settleVehicle(tables: WorldTables, into: WorldReading): void {
  for (let field = 0; field < IDENTITY_FIELDS; field++) {
    settleIdentity(tables, into, field);
    if (field === FIELD.model) retireOtherEras(tables, into);
  }
  settleMake(tables, into);
  admitGuarded(tables, into);
  settleFields(tables, into);
  settleBodies(tables, into);
  settleProduction(tables, into);
  settlePlant(tables, into);
}

/** Returns the most years by which a row's model year is outside those of the other rows. */
function missedByYear(tables: WorldTables, into: WorldReading): number {
  return into.has(FIELD.modelYear) ? yearsMissed(tables, into, into.value[FIELD.modelYear] as number) : 0;
}

/** Removes the votes of the facts that do not cover a year, and the values that they decided. */
function retireRows(tables: WorldTables, into: WorldReading, year: number): void {
  for (let index = 0; index < into.factCount; index++) {
    if (into.fit[index] === 0) continue;
    const fact = into.facts[index] as number;
    const guard = tables.factGuard[fact] === 0 ? VOTE.active : VOTE.guarded;
    into.vote[index] = isAbout(tables, fact, year) ? guard : VOTE.none;
  }
  into.settled.fill(0);
  into.bodies.length = 0;
  into.productionFrom = OPEN_FROM;
  into.productionTo = OPEN_TO;
}

/** Returns the most positions that a fact with a model fixes: the fit of the layout to the VIN. */
export function modelFixed(tables: WorldTables, into: WorldReading): number {
  let most = 0;
  for (let index = 0; index < into.factCount; index++) {
    if (into.fit[index] === 0) continue;
    const fact = into.facts[index] as number;
    if (valueAt(tables, fact, FIELD.model) >= 0) most = Math.max(most, tables.factFixed[fact] as number);
  }
  return most;
}

/**
 * Settles the one year under which the model is best explained; both stay candidates if they explain it equally well.
 */
function settleYear(tables: WorldTables, into: WorldReading, years: YearCandidates): void {
  into.modelYear = years.count === 1 && !isOfNoModel(tables, into, years.first) ? years.first : 0;
  if (years.count !== 2) return;
  const { first, second } = years;
  const longest = [explained(tables, into, first), explained(tables, into, second)] as const;
  const model = longest[0] === longest[1] ? modelOfLongest(tables, into, years, longest[0]) : NO_VALUE;
  const isFirst = model >= 0 ? isTold(tables, into, model, first, second) : longest[0] > longest[1];
  const isSecond = model >= 0 ? isTold(tables, into, model, second, first) : longest[1] > longest[0];
  if (isFirst === isSecond) return;
  years.count = 1;
  if (isSecond) years.first = second;
  into.modelYear = years.first;
}

/** Returns the model of all facts about either year that fix the most positions; none if they differ. */
function modelOfLongest(tables: WorldTables, into: WorldReading, years: YearCandidates, longest: number): number {
  let model = NO_VALUE;
  for (let index = 0; index < into.factCount; index++) {
    const fact = into.facts[index] as number;
    const value = valueAt(tables, fact, FIELD.model);
    if (value < 0 || tables.factFixed[fact] !== longest) continue;
    if (!isAbout(tables, fact, years.first) && !isAbout(tables, fact, years.second)) continue;
    if (model !== NO_VALUE && model !== value) return SPLIT;
    model = value;
  }
  return model;
}

/**
 * Returns true if a fact gives this year of the model and not the other: a row about a body often has no years, others
 * of the model do.
 */
function isTold(tables: WorldTables, into: WorldReading, model: number, year: number, other: number): boolean {
  for (let index = 0; index < into.factCount; index++) {
    const fact = into.facts[index] as number;
    if (valueAt(tables, fact, FIELD.model) !== model) continue;
    if (isAbout(tables, fact, year) && !isAbout(tables, fact, other)) return true;
  }
  return false;
}

function isAbout(tables: WorldTables, fact: number, year: number): boolean {
  return fit(tables.factFrom[fact] as number, tables.factTo[fact] as number, year) !== 0;
}

/** Rows miss the first or the last years of a model, but not this many. */
const YEARS_MISSED = 10;

/**
 * Returns true if the VIN's characters name models, all of them built long before or after the year: its character is
 * mistyped.
 */
function isOfNoModel(tables: WorldTables, into: WorldReading, year: number): boolean {
  let isNamed = false;
  for (let index = 0; index < into.factCount; index++) {
    const fact = into.facts[index] as number;
    if (valueAt(tables, fact, FIELD.model) < 0) continue;
    const [from, to] = [tables.factFrom[fact] as number, tables.factTo[fact] as number];
    if (from - YEARS_MISSED <= year && year <= to + YEARS_MISSED) return false;
    isNamed = true;
  }
  return isNamed;
}

function explained(tables: WorldTables, into: WorldReading, year: number): number {
  let most = 0;
  for (let index = 0; index < into.factCount; index++) {
    const fact = into.facts[index] as number;
    if (valueAt(tables, fact, FIELD.model) < 0) continue;
    if (isAbout(tables, fact, year)) most = Math.max(most, tables.factFixed[fact] as number);
  }
  return most;
}

function openVotes(tables: WorldTables, into: WorldReading, years: YearCandidates): void {
  for (let index = 0; index < into.factCount; index++) {
    const fact = into.facts[index] as number;
    const yearFit = years.fit(tables.factFrom[fact] as number, tables.factTo[fact] as number);
    into.fit[index] = yearFit;
    into.vote[index] = yearFit === 0 ? VOTE.none : tables.factGuard[fact] === 0 ? VOTE.active : VOTE.guarded;
  }
}

/**
 * Decides the identity of the vehicle; facts with another value than the best ones lose their vote on everything else.
 */
function settleIdentity(tables: WorldTables, into: WorldReading, field: number): void {
  const top = topRank(tables, into, field);
  if (top < 0) return;
  // Nearly always the best facts have one value; only several are listed.
  let only = NO_VALUE;
  let first = -1;
  let held: Set<number> | undefined;
  for (let index = 0; index < into.factCount; index++) {
    if (into.vote[index] !== VOTE.active || rankOf(tables, into, index) !== top) continue;
    const value = valueAt(tables, into.facts[index] as number, field);
    if (value < 0 || value === only) continue;
    if (first < 0) [only, first] = [value, into.facts[index] as number];
    else (held ??= new Set([only])).add(value);
  }
  for (let index = 0; index < into.factCount; index++) {
    if (into.vote[index] !== VOTE.active) continue;
    const value = valueAt(tables, into.facts[index] as number, field);
    if (value >= 0 && value !== only && held?.has(value) !== true) into.vote[index] = VOTE.none;
  }
  if (held === undefined) put(into, field, only, first);
}

/**
 * Decides the make: that of the winning model if its facts name one, else the one that the other facts agree on, else
 * the layout's. For a WMI that several makes share, a layout whose condition does not separate them applies only to a
 * VIN whose model it knows.
 */
function settleMake(tables: WorldTables, into: WorldReading): void {
  const topModel = topRank(tables, into, FIELD.model);
  let make = topModel < 0 ? NO_VALUE : agreedAt(tables, into, FIELD.make, topModel, FIELD.model);
  if (make === NO_VALUE) make = agreedAt(tables, into, FIELD.make, topRank(tables, into, FIELD.make), -1);
  const layoutSpeaks = topModel >= 0 || !into.sharedWmi || tables.layoutNeedsModel[into.layout] === 0;
  if (make === NO_VALUE && layoutSpeaks) make = (tables.layoutMake[into.layout] as number) || SPLIT;
  if (make >= 0) put(into, FIELD.make, make, factWith(tables, into, FIELD.make, make));
}

/** Returns the best active fact with a value of a field; -1: none has it. */
function factWith(tables: WorldTables, into: WorldReading, field: number, value: number): number {
  let best = -1;
  let bestRank = -1;
  for (let index = 0; index < into.factCount; index++) {
    if (into.vote[index] !== VOTE.active) continue;
    const fact = into.facts[index] as number;
    const rank = rankOf(tables, into, index);
    if (rank > bestRank && valueAt(tables, fact, field) === value) [best, bestRank] = [fact, rank];
  }
  return best;
}

/** Returns the value of a field that facts of a rank agree on; `besides`: only facts that also have that field. */
function agreedAt(tables: WorldTables, into: WorldReading, field: number, rank: number, besides: number): number {
  let agreed = NO_VALUE;
  for (let index = 0; index < into.factCount; index++) {
    if (into.vote[index] !== VOTE.active || rankOf(tables, into, index) !== rank) continue;
    const fact = into.facts[index] as number;
    if (besides >= 0 && valueAt(tables, fact, besides) < 0) continue;
    const value = valueAt(tables, fact, field);
    if (value < 0) continue;
    if (agreed !== NO_VALUE && agreed !== value) return SPLIT;
    agreed = value;
  }
  return agreed;
}

function admitGuarded(tables: WorldTables, into: WorldReading): void {
  const generation = agreedAt(tables, into, FIELD.generation, topRank(tables, into, FIELD.generation), -1);
  for (let index = 0; index < into.factCount; index++) {
    if (into.vote[index] !== VOTE.guarded) continue;
    const admitted = generation >= 0 && tables.factGuard[into.facts[index] as number] === generation;
    into.vote[index] = admitted ? VOTE.active : VOTE.none;
  }
}

/** Settles all remaining fields in one pass over the active rows. */
function settleFields(tables: WorldTables, into: WorldReading): void {
  const { bestRank, split } = into;
  bestRank.fill(-1);
  split.fill(0);
  for (let index = 0; index < into.factCount; index++) {
    if (into.vote[index] !== VOTE.active) continue;
    const fact = into.facts[index] as number;
    const rank = rankOf(tables, into, index);
    const outputs = tables.factOutputs[fact] as number;
    const end = tables.outputStart[outputs + 1] as number;
    for (let at = tables.outputStart[outputs] as number; at < end; at++) {
      const field = tables.outputField[at] as number;
      if (isSettledApart(field) || rank < (bestRank[field] as number)) continue;
      const value = tables.outputValue[at] as number;
      if (rank > (bestRank[field] as number)) {
        bestRank[field] = rank;
        into.value[field] = value;
        into.fact[field] = fact;
        split[field] = 0;
      } else if (into.value[field] !== value) split[field] = 1;
    }
  }
  for (let field = IDENTITY_FIELDS; field < FIELDS; field++) {
    if (!isSettledApart(field) && (bestRank[field] as number) >= 0 && split[field] === 0) into.settled[field] = 1;
  }
  if (!into.has(FIELD.vehicleType) && tables.layoutType[into.layout] !== 0) {
    put(into, FIELD.vehicleType, tables.layoutType[into.layout] as number, -1);
  }
}

function isSettledApart(field: number): boolean {
  return field < IDENTITY_FIELDS || field === FIELD.make || field === FIELD.plantCity || field === FIELD.plantCountry;
}

/** Decides the body and its label: that of the facts that decide the body, else the usual one of the style. */
function settleBodies(tables: WorldTables, into: WorldReading): void {
  into.settled[FIELD.bodyLabel] = 0;
  const rank = into.bestRank[FIELD.body] as number;
  if (rank < 0) return;
  let label = NO_VALUE;
  for (let index = 0; index < into.factCount; index++) {
    if (into.vote[index] !== VOTE.active || rankOf(tables, into, index) !== rank) continue;
    const fact = into.facts[index] as number;
    const body = valueAt(tables, fact, FIELD.body);
    if (body < 0) continue;
    if (!into.bodies.includes(body)) into.bodies.push(body);
    const own = valueAt(tables, fact, FIELD.bodyLabel);
    label = label === NO_VALUE || label === own + 1 ? own + 1 : SPLIT;
  }
  if (!into.has(FIELD.body)) return;
  into.bodies.length = 0;
  const usual = tables.bodyLabel[into.value[FIELD.body] as number] as number;
  const fact = into.fact[FIELD.body] as number;
  put(into, FIELD.bodyLabel, label > 0 ? label - 1 : label === SPLIT ? usual : 0, fact);
  if (into.value[FIELD.bodyLabel] === 0) into.settled[FIELD.bodyLabel] = 0;
}
