import { MULTI_VALUED_ELEMENTS } from '@marque/decoder/format';

import type { ParsedKey } from './keys.ts';
import { keysMeet } from './keys.ts';
import type { PatternColumns, VpicTables } from './tables.ts';

/** Elements whose matching rows all count: none outranks another. */
export const MULTI_VALUED: ReadonlySet<number> = new Set(MULTI_VALUED_ELEMENTS);

/**
 * Finds the rows that can ever compete for an element: rows of one schema, or of schemas that one WMI links from the
 * same year, whose keys differ and can both match some VIN. Everything else needs no rank, which is 97 % of the rows.
 */
export function competingRows(tables: VpicTables, rowsOfSchema: Map<number, number[]>, keys: ParsedKey[]): Set<number> {
  const { patterns } = tables;
  const competing = new Set<number>();
  for (const group of groupsThatCompete(tables)) {
    const byElement = new Map<number, number[]>();
    for (const schema of group) {
      for (const row of rowsOfSchema.get(schema) ?? []) {
        const element = patterns.element[row] ?? 0;
        if (MULTI_VALUED.has(element)) continue;
        const list = byElement.get(element) ?? [];
        list.push(row);
        byElement.set(element, list);
      }
    }
    for (const rows of byElement.values()) markCompeting(rows, patterns, keys, group.length > 1, competing);
  }
  return competing;
}

function markCompeting(
  rows: readonly number[],
  patterns: PatternColumns,
  keys: ParsedKey[],
  crossSchema: boolean,
  competing: Set<number>,
): void {
  for (let i = 0; i < rows.length; i++) {
    const a = rows[i] ?? 0;
    for (let j = i + 1; j < rows.length; j++) {
      const b = rows[j] ?? 0;
      if (crossSchema && patterns.schema[a] === patterns.schema[b]) continue;
      if (competing.has(a) && competing.has(b)) continue;
      const [keyA, keyB] = [keys[a], keys[b]];
      if (keyA !== undefined && keyB !== undefined && keysMeet(keyA, keyB)) competing.add(a).add(b);
    }
  }
}

/** Returns single schemas, and the sets of schemas that one WMI links from one year with windows that overlap. */
function groupsThatCompete(tables: VpicTables): number[][] {
  const groups = new Map<string, number[]>();
  for (const schema of tables.schemas.keys()) groups.set(String(schema), [schema]);
  const byStart = new Map<string, Set<number>>();
  for (const link of tables.links) {
    const start = `${link.wmiId}:${link.yearFrom}`;
    const set = byStart.get(start) ?? new Set<number>();
    set.add(link.schemaId);
    byStart.set(start, set);
  }
  for (const set of byStart.values()) {
    const list = [...set].toSorted((a, b) => a - b);
    for (let i = 0; i < list.length; i++) {
      for (let j = i + 1; j < list.length; j++) {
        const pair = [list[i] ?? 0, list[j] ?? 0];
        groups.set(pair.join(','), pair);
      }
    }
  }
  return [...groups.values()];
}

/**
 * Compares by vPIC's order among rows of equal priority (docs/vpic-procedures.md 1.4.7): the newer change, the shorter
 * key, the smaller key text, the smaller id. Negative when `a` outranks `b`.
 */
export function compareRows(patterns: PatternColumns, keys: ParsedKey[], a: number, b: number): number {
  const changed = (patterns.changed[b] ?? 0) - (patterns.changed[a] ?? 0);
  if (changed !== 0) return changed;
  const [keyA, keyB] = [keys[a], keys[b]];
  if (keyA !== undefined && keyB !== undefined) {
    if (keyA.weight !== keyB.weight) return keyA.weight - keyB.weight;
    if (keyA.plain !== keyB.plain) return keyA.plain < keyB.plain ? -1 : 1;
  }
  return (patterns.id[a] ?? 0) - (patterns.id[b] ?? 0);
}
