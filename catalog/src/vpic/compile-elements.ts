import { ELEMENT, ELEMENTS } from '@marque/decoder/format';

import type { StringTable } from '../binary/string-table.ts';
import { putDistinct, putNarrow, type Sections } from '../binary/sections.ts';
import { CONVERSIONS, convert } from './conversions.ts';
import type { VpicFacts } from './facts.ts';
import { MULTI_VALUED } from './ranks.ts';
import type { ElementNote, EngineModelPatternRow, VpicTables } from './tables.ts';
import type { ValueTable } from './values.ts';

/**
 * Body classes that make vPIC warn (docs/vpic-procedures.md 1.5): codes 9 and 10, and the incomplete vehicles of code
 * 156.
 */
const GLIDER = new Set(['64']);
const OFF_ROAD = new Set(['69', '84', '86', '88', '97', '105', '113', '124', '126', '127']);
const INCOMPLETE = new Set([
  '62',
  '63',
  '64',
  '65',
  '67',
  '70',
  '71',
  '72',
  '74',
  '75',
  '76',
  '77',
  '78',
  '107',
  '112',
  '116',
]);

/** Writes what elements and their values say: texts, weights, makes of models, engines, conversions, defaults. */
export function compileElements(
  tables: VpicTables,
  facts: VpicFacts,
  strings: StringTable,
  values: ValueTable,
  sections: Sections,
): void {
  // Engine models first: they add values that no pattern has.
  compileEngines(tables, values, sections);
  const base = new Uint32Array(ELEMENTS + 1);
  const text: number[] = [];
  for (let element = 0; element < ELEMENTS; element++) {
    base[element] = text.length;
    for (const attribute of values.attributes(element)) text.push(values.stringId(element, attribute));
  }
  base[ELEMENTS] = text.length;
  sections.set('vpic.value.base', base);
  compileValueIds(tables, values, sections);
  sections.set('vpic.value.text', Uint32Array.from(text));
  const makes = values.attributes(ELEMENT.model).map((model) => strings.id(tables.makeOfModel.get(model) ?? ''));
  putDistinct(sections, 'vpic.model.make', makes);
  putNarrow(sections, 'vpic.model.id', values.attributes(ELEMENT.model).map(Number));
  compileMakes(tables, values, strings, sections);
  const bodies = values.attributes(ELEMENT.body);
  sections.set(
    'vpic.body.flags',
    Uint8Array.from(
      bodies,
      (id) => (GLIDER.has(id) ? 1 : 0) | (OFF_ROAD.has(id) ? 2 : 0) | (INCOMPLETE.has(id) ? 4 : 0),
    ),
  );
  compileConversions(strings, values, sections);
  compileFacts(tables, facts, strings, sections);
}

/** Writes NHTSA's numbers of the values that it looks up; those of models have a separate section. */
function compileValueIds(tables: VpicTables, values: ValueTable, sections: Sections): void {
  const base = new Uint32Array(ELEMENTS + 1);
  const ids: number[] = [];
  for (let element = 0; element < ELEMENTS; element++) {
    base[element] = ids.length;
    if (element !== ELEMENT.model && tables.lookupOfElement.has(element))
      ids.push(...values.attributes(element).map(Number));
  }
  base[ELEMENTS] = ids.length;
  sections.set('vpic.value.idBase', base);
  sections.set('vpic.value.id', Uint32Array.from(ids));
}

/** Writes NHTSA's numbers of the makes that a WMI or a model has, by name. */
function compileMakes(tables: VpicTables, values: ValueTable, strings: StringTable, sections: Sections): void {
  const used = new Set(tables.wmis.flatMap(({ makes }) => makes));
  for (const model of values.attributes(ELEMENT.model)) used.add(tables.makeOfModel.get(model) ?? '');
  const makes = [...(tables.lookups.get(tables.lookupOfElement.get(ELEMENT.make) ?? '') ?? [])]
    .filter(([, name]) => name !== '' && used.has(name))
    .toSorted(([a, nameOfA], [b, nameOfB]) =>
      nameOfA === nameOfB ? Number(a) - Number(b) : nameOfA < nameOfB ? -1 : 1,
    );
  putNarrow(
    sections,
    'vpic.make.id',
    makes.map(([id]) => Number(id)),
  );
  sections.set(
    'vpic.make.name',
    Uint32Array.from(makes, ([, name]) => strings.id(name)),
  );
}

/** Compiles vPIC's values for each engine model that a pattern names, one for each element (the newest row). */
function compileEngines(tables: VpicTables, values: ValueTable, sections: Sections): void {
  const idsOf = new Map<string, number[]>();
  for (const [id, name] of tables.engineModels) {
    const key = name.trim().toLowerCase();
    idsOf.set(key, [...(idsOf.get(key) ?? []), id]);
  }
  const rowsOf = Map.groupBy(tables.engineModelPatterns, (row) => row.engineModelId);
  const start = [0];
  const element: number[] = [];
  const value: number[] = [];
  for (const name of values.attributes(ELEMENT.engineModel)) {
    const rows = (idsOf.get(name.trim().toLowerCase()) ?? []).flatMap((id) => rowsOf.get(id) ?? []);
    for (const row of winners(rows)) {
      element.push(row.element);
      value.push(values.index(row.element, row.attribute));
    }
    start.push(element.length);
  }
  sections.set('vpic.engine.start', Uint32Array.from(start));
  sections.set('vpic.engine.element', Uint8Array.from(element));
  sections.set('vpic.engine.value', Uint16Array.from(value));
}

function winners(rows: EngineModelPatternRow[]): EngineModelPatternRow[] {
  const taken = new Set<number>();
  return rows
    .toSorted((a, b) => b.changed - a.changed || a.id - b.id)
    .filter((row) => {
      const free = !taken.has(row.element) || MULTI_VALUED.has(row.element);
      taken.add(row.element);
      return free;
    });
}

/** Compiles both conversions of each value of the displacement elements; the texts are made here, none at run time. */
function compileConversions(strings: StringTable, values: ValueTable, sections: Sections): void {
  for (const [index, { from, operator, factor }] of CONVERSIONS.entries()) {
    const texts = values.attributes(from).map((value) => strings.id(convert(value, operator, factor)));
    sections.set(`vpic.conversion.${index}`, Uint32Array.from(texts));
  }
}

/** Compiles NHTSA's notes on its elements. Descriptions are long, and decoding does not need them. */
function compileNotes(tables: VpicTables, strings: StringTable, sections: Sections): void {
  const column = (text: (note: ElementNote) => string): Uint32Array =>
    Uint32Array.from({ length: ELEMENTS }, (_, element) => {
      const note = tables.elements.get(element);
      return strings.id(note === undefined ? '' : text(note));
    });
  sections.set(
    'vpic.element.dataType',
    column((note) => note.dataType),
  );
  sections.set(
    'vpic.element.group',
    column((note) => note.group),
  );
  sections.set(
    'vpic.element.description',
    column((note) => note.description),
  );
}

function compileFacts(tables: VpicTables, facts: VpicFacts, strings: StringTable, sections: Sections): void {
  const weight = new Uint8Array(ELEMENTS);
  const shown = new Uint8Array(ELEMENTS);
  const name = new Uint32Array(ELEMENTS);
  const code = new Uint32Array(ELEMENTS);
  for (const element of facts.elements) {
    weight[element.element] = element.weight;
    shown[element.element] = element.shown ? 1 : 0;
    name[element.element] = strings.id(element.name);
    code[element.element] = strings.id(element.code);
  }
  compileNotes(tables, strings, sections);
  sections.set('vpic.element.weight', weight);
  sections.set('vpic.element.shown', shown);
  sections.set('vpic.element.name', name);
  sections.set('vpic.element.code', code);
  sections.set(
    'vpic.default.type',
    Uint8Array.from(facts.defaults, (row) => row.vehicleType),
  );
  sections.set(
    'vpic.default.element',
    Uint8Array.from(facts.defaults, (row) => row.element),
  );
  sections.set(
    'vpic.default.text',
    Uint32Array.from(facts.defaults, (row) => strings.id(row.value)),
  );
  sections.set(
    'vpic.error.code',
    Uint16Array.from(facts.errorCodes, (row) => row.code),
  );
  sections.set(
    'vpic.error.weight',
    Int32Array.from(facts.errorCodes, (row) => row.weight),
  );
  sections.set(
    'vpic.error.text',
    Uint32Array.from(facts.errorCodes, (row) => strings.id(row.text)),
  );
  sections.set(
    'vpic.error.more',
    Uint32Array.from(facts.errorCodes, (row) => strings.id(row.additionalText)),
  );
  sections.set(
    'vpic.descriptor.text',
    Uint32Array.from(facts.descriptors, (row) => strings.id(row.descriptor)),
  );
  sections.set(
    'vpic.descriptor.year',
    Uint16Array.from(facts.descriptors, (row) => row.modelYear),
  );
  compileVehicleTypes(tables, strings, sections);
}

function compileVehicleTypes(tables: VpicTables, strings: StringTable, sections: Sections): void {
  const types = tables.lookups.get(tables.lookupOfElement.get(ELEMENT.vehicleType) ?? '') ?? new Map<string, string>();
  const typeText = new Uint32Array(32);
  const typeName = new Uint32Array(32);
  for (const [id, type] of types) {
    typeText[Number(id)] = strings.id(type.toUpperCase());
    typeName[Number(id)] = strings.id(type);
  }
  sections.set('vpic.vehicleType.text', typeText);
  sections.set('vpic.vehicleType.name', typeName);
}
