import { ELEMENT, ELEMENTS } from '@marque/decoder/format';

import type { StringTable } from '../binary/string-table.ts';
import { putNarrow, type Sections } from '../binary/sections.ts';
import type { VpicFacts } from './facts.ts';
import type { VpicTables } from './tables.ts';

/** Long, and in the catalog already: the decoder lists these from its makes, models and WMIs. */
const LISTED_ELSEWHERE: ReadonlySet<number> = new Set([ELEMENT.make, ELEMENT.manufacturer, ELEMENT.model]);

/** Writes every value that NHTSA's tables have for an element, including those that no VIN gives. */
export function compileLookups(tables: VpicTables, facts: VpicFacts, strings: StringTable, sections: Sections): void {
  const counts = new Uint16Array(ELEMENTS);
  const ids: number[] = [];
  const names: number[] = [];
  for (let element = 0; element < ELEMENTS; element++) {
    const values = valuesOf(element, tables, facts);
    counts[element] = values.length;
    for (const [id, name] of values) {
      ids.push(id);
      names.push(strings.id(name));
    }
  }
  putNarrow(sections, 'vpic.lookup.count', [...counts]);
  putNarrow(sections, 'vpic.lookup.id', ids);
  sections.set('vpic.lookup.name', Uint32Array.from(names));
}

function valuesOf(element: number, { lookupOfElement, lookups }: VpicTables, facts: VpicFacts): [number, string][] {
  const table = lookupOfElement.get(element);
  if (table === undefined || LISTED_ELSEWHERE.has(element)) return [];
  const values = lookups.get(table) ?? facts.lookups.get(table) ?? new Map<string, string>();
  return [...values].map(([id, name]): [number, string] => [Number(id), name]).toSorted(([a], [b]) => a - b);
}
