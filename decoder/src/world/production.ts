import { OPEN_FROM, OPEN_TO } from '../report/world-fields.ts';
import { FIELD, FIELDS, type WorldReading } from './reading.ts';
import type { WorldTables } from './tables.ts';
import { NO_VALUE, put, rankOf, SPLIT, topRank, valueAt, VOTE } from './votes.ts';
import { overlap } from './years.ts';

/** Fields that do not say which car it is, or follow from those that do. */
const NOT_DATED: ReadonlySet<number> = new Set([FIELD.make, FIELD.plantCity, FIELD.plantCountry, FIELD.bodyLabel]);

/** Serial numbers between two model years are of either. */
const TURN_OF_YEARS = 2;

/**
 * Sets the years that all facts behind the values cover. If these have no year in common, or only the one in which a
 * window ends and another begins, the years are left open. Two long windows that touch are of two generations.
 */
export function settleProduction(tables: WorldTables, into: WorldReading): void {
  for (const guarded of [false, true]) {
    for (let index = 0; index < into.factCount; index++) {
      const fact = into.facts[index] as number;
      if (into.vote[index] !== VOTE.active || (tables.factGuard[fact] !== 0) !== guarded) continue;
      const from = Math.max(into.productionFrom, tables.factFrom[fact] as number);
      const to = Math.min(into.productionTo, tables.factTo[fact] as number);
      if (from === into.productionFrom && to === into.productionTo) continue;
      if (isAboutPlant(tables, fact) || !supportsValues(tables, into, fact)) continue;
      if (from > to) return leaveOpen(into);
      into.productionFrom = from;
      into.productionTo = to;
    }
  }
  if (into.productionFrom !== into.productionTo) return;
  const years = fewestYears(tables, into);
  if (years === 1) return;
  leaveOpen(into);
  if (years > TURN_OF_YEARS) into.settled[FIELD.generation] = 0;
}

/** Returns the most years by which a model year is outside those of the facts that give a field. */
export function yearsMissed(tables: WorldTables, into: WorldReading, year: number): number {
  let missed = 0;
  for (let field = 0; field < FIELDS; field++) {
    if (!into.has(field) || NOT_DATED.has(field)) continue;
    const fact = firstOf(tables, into, field);
    if (fact < 0) continue;
    const [from, to] = [tables.factFrom[fact] as number, tables.factTo[fact] as number];
    missed = Math.max(missed, from - year, year - (to + 1));
  }
  return missed;
}

/** Returns the first of the facts of the best rank that give a field; -1 = none. */
function firstOf(tables: WorldTables, into: WorldReading, field: number): number {
  const top = topRank(tables, into, field);
  if (top < 0) return -1;
  for (let index = 0; index < into.factCount; index++) {
    const fact = into.facts[index] as number;
    if (into.vote[index] !== VOTE.active || valueAt(tables, fact, field) < 0) continue;
    if (rankOf(tables, into, index) === top) return fact;
  }
  return -1;
}

function leaveOpen(into: WorldReading): void {
  into.productionFrom = OPEN_FROM;
  into.productionTo = OPEN_TO;
}

/** Returns the fewest years that a fact behind the values covers. */
function fewestYears(tables: WorldTables, into: WorldReading): number {
  let fewest = Infinity;
  for (let index = 0; index < into.factCount; index++) {
    const fact = into.facts[index] as number;
    const years = (tables.factTo[fact] as number) - (tables.factFrom[fact] as number) + 1;
    if (into.vote[index] !== VOTE.active || years >= fewest) continue;
    if (!isAboutPlant(tables, fact) && supportsValues(tables, into, fact)) fewest = years;
  }
  return fewest;
}

function supportsValues(tables: WorldTables, into: WorldReading, fact: number): boolean {
  const outputs = tables.factOutputs[fact] as number;
  const start = tables.outputStart[outputs] as number;
  const end = tables.outputStart[outputs + 1] as number;
  for (let at = start; at < end; at++) {
    const field = tables.outputField[at] as number;
    if (into.has(field) && into.value[field] === tables.outputValue[at]) return true;
  }
  return start === end;
}

/**
 * Decides the plant, by the facts that cover the years of the vehicle. A plant code gives no years itself: letters are
 * given to other plants later, and only the model decides between them.
 */
export function settlePlant(tables: WorldTables, into: WorldReading): void {
  for (const field of [FIELD.plantCity, FIELD.plantCountry]) {
    let top = -1;
    let plant = NO_VALUE;
    let first = -1;
    for (let index = 0; index < into.factCount; index++) {
      if (into.vote[index] !== VOTE.active) continue;
      const fact = into.facts[index] as number;
      const value = valueAt(tables, fact, field);
      const [from, to] = [tables.factFrom[fact] as number, tables.factTo[fact] as number];
      if (value < 0 || !overlap(from, to, into.productionFrom, into.productionTo)) continue;
      const rank = rankOf(tables, into, index);
      if (rank > top) [plant, first] = [value, fact];
      else if (rank === top && value !== plant) plant = SPLIT;
      top = Math.max(top, rank);
    }
    if (plant >= 0) put(into, field, plant, first);
  }
}

/** Returns true if a fact gives the plant and nothing else. */
function isAboutPlant(tables: WorldTables, fact: number): boolean {
  const outputs = tables.factOutputs[fact] as number;
  const [start, end] = [tables.outputStart[outputs] as number, tables.outputStart[outputs + 1] as number];
  for (let at = start; at < end; at++) {
    const field = tables.outputField[at] as number;
    if (field !== FIELD.plantCity && field !== FIELD.plantCountry) return false;
  }
  return start < end;
}

/**
 * Removes the votes of facts about years in which the model was not built: their codes were another vehicle's. Facts
 * that tell the year stay, since they may show that it is the model that is another's.
 */
export function retireOtherEras(tables: WorldTables, into: WorldReading): void {
  if (!into.has(FIELD.model)) return;
  const model = into.value[FIELD.model] as number;
  let first = OPEN_TO;
  let last = OPEN_FROM;
  for (let index = 0; index < into.factCount; index++) {
    const fact = into.facts[index] as number;
    if (into.vote[index] !== VOTE.active || valueAt(tables, fact, FIELD.model) !== model) continue;
    first = Math.min(first, tables.factFrom[fact] as number);
    last = Math.max(last, tables.factTo[fact] as number);
  }
  for (let index = 0; index < into.factCount; index++) {
    const fact = into.facts[index] as number;
    if ((tables.factFrom[fact] as number) <= last + 1 && first <= (tables.factTo[fact] as number) + 1) continue;
    if (valueAt(tables, fact, FIELD.modelYear) < 0) into.vote[index] = VOTE.none;
  }
}
