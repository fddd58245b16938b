import { CODES, characterOf, positionOf } from '../vin/characters.ts';
import { keyHolds, type Pass } from './pass.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import { fixedPositions, formatPattern, type PositionSet } from '../vin/pattern.ts';
import type { VpicTables } from './tables.ts';

/** A row that matched, with its place: for explanations only. */
export interface TracedRow {
  element: number;
  value: number;
  schema: number;
  entry: number;
  /** First year of the link: the later schema wins. */
  since: number;
}

/** Lists every row that matches the VIN in the pass's year, in the order of the tables. Slow and plain. */
export function traceRows(tables: VpicTables, pass: Pass, vin: VinCodes): TracedRow[] {
  const found: TracedRow[] = [];
  if (pass.wmi < 0) return found;
  const end = tables.wmiLinks[pass.wmi + 1] ?? 0;
  for (let link = tables.wmiLinks[pass.wmi] ?? 0; link < end; link++) {
    const since = tables.linkFrom[link] ?? 0;
    if (pass.year !== 0 && (pass.year < since || pass.year > (tables.linkTo[link] ?? 0))) continue;
    const schema = tables.linkSchema[link] ?? 0;
    const last = tables.schemaEntries[schema + 1] ?? 0;
    for (let entry = tables.schemaEntries[schema] ?? 0; entry < last; entry++) {
      if (!keyHolds(tables, tables.entryKey[entry] ?? 0, vin)) continue;
      const lastRow = tables.entryRows[entry + 1] ?? 0;
      for (let row = tables.entryRows[entry] ?? 0; row < lastRow; row++) {
        found.push({
          element: tables.rowElement[row] ?? 0,
          value: tables.rowValue[row] ?? 0,
          schema,
          entry,
          since,
        });
      }
    }
  }
  return found;
}

function setHolds(tables: VpicTables, set: number, code: number): boolean {
  return (((tables.setWords[set * 2 + (code < 32 ? 0 : 1)] ?? 0) >>> (code & 31)) & 1) === 1;
}

/** Counts the columns of a key that have an allowed character. */
export function keyLikeness(tables: VpicTables, key: number, vin: VinCodes): number {
  let alike = 0;
  const end = tables.keyStart[key + 1] ?? 0;
  for (let token = tables.keyStart[key] ?? 0; token < end; token++) {
    const column = tables.keyColumn[token] ?? 0;
    const code = vin.columns[column] ?? 0;
    if (setHolds(tables, tables.keySet[token] ?? 0, code)) alike++;
  }
  return alike;
}

/** Returns a key of NHTSA's as a pattern over the VIN, and the positions that it fixes. */
export function describeKey(tables: VpicTables, key: number): { text: string; positions: number[] } {
  const sets: PositionSet[] = [];
  const end = tables.keyStart[key + 1] ?? 0;
  for (let token = tables.keyStart[key] ?? 0; token < end; token++) {
    const position = positionOf(tables.keyColumn[token] ?? 0);
    while (sets.length < position) sets.push(undefined);
    sets[position - 1] = charactersOf(tables, tables.keySet[token] ?? 0);
  }
  return { text: formatPattern(sets), positions: fixedPositions(sets) };
}

function charactersOf(tables: VpicTables, set: number): string {
  let text = '';
  for (let code = 0; code < CODES; code++) if (setHolds(tables, set, code)) text += characterOf(code);
  return text;
}
