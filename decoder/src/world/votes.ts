import { CONFIDENCES } from '../report/world-fields.ts';
import type { WorldReading } from './reading.ts';
import type { WorldTables } from './tables.ts';

/** States of a vote. A guarded fact becomes active when the generation that it depends on is decided. */
export const VOTE = { none: 0, active: 1, guarded: 2 } as const;

/** Verdicts without a value: no row has one, or rows of equal rank have different ones. */
export const NO_VALUE = -1;
export const SPLIT = -2;

/** Returns the best rank among the active facts that say something of a field; -1 where none does. */
export function topRank(tables: WorldTables, into: WorldReading, field: number): number {
  let top = -1;
  for (let index = 0; index < into.factCount; index++) {
    if (into.vote[index] !== VOTE.active) continue;
    if (valueAt(tables, into.facts[index] as number, field) < 0) continue;
    top = Math.max(top, rankOf(tables, into, index));
  }
  return top;
}

/** Returns the weight of a fact: fixed positions first, then the fit of its years, then confidence. */
export function rankOf(tables: WorldTables, into: WorldReading, index: number): number {
  const fact = into.facts[index] as number;
  const confidence = CONFIDENCES.length - (tables.factConfidence[fact] as number);
  return (tables.factFixed[fact] as number) * 64 + (into.fit[index] as number) * 8 + confidence;
}

/** Returns the value that a fact gives to a field; -1 where it gives none. */
export function valueAt(tables: WorldTables, fact: number, field: number): number {
  const outputs = tables.factOutputs[fact] as number;
  const end = tables.outputStart[outputs + 1] as number;
  for (let at = tables.outputStart[outputs] as number; at < end; at++) {
    if (tables.outputField[at] === field) return tables.outputValue[at] as number;
  }
  return -1;
}

/** Decides a field; `fact`: the deciding one, -1 for the layout. */
export function put(into: WorldReading, field: number, value: number, fact: number): void {
  into.settled[field] = 1;
  into.value[field] = value;
  into.fact[field] = fact;
}
