import type { Container, Section } from '../catalog/container.ts';
import { NUMERIC_WORLD_FIELDS, WORLD_FIELDS } from '../report/world-fields.ts';
import { FIELD } from '../world/reading.ts';
import { WorldTables } from '../world/tables.ts';
import { joined, joinedStarts } from './sections.ts';

/** The rows of an overlay behind those of a catalog. */
export interface LinkedWorld {
  sections: Map<string, Section>;
  /** The catalog's number of each of the overlay's layouts; the catalog may have it already. */
  layouts: Uint32Array;
  /** The number of layouts that it lacks. */
  added: number;
}

/** @param number gives the catalog's number of a string of the overlay's */
export function linkWorld(base: Container, overlay: Container, number: (string: number) => number): LinkedWorld {
  const [first, second] = [new WorldTables(base), new WorldTables(overlay)];
  const { layouts, added } = linkLayouts(first, second, number);
  const sections = new Map([
    ...layoutSections(first, second, layouts, added, number),
    ...whenSections(first, second, added),
    ...entrySections(first, second),
    ...factSections(base, overlay, number),
    ...outputSections(first, second, number),
  ]);
  sections.set('world.set.words', joined(first.setWords, second.setWords));
  return { sections, layouts, added: added.length };
}

/** Links the layouts of both by their names. */
function linkLayouts(first: WorldTables, second: WorldTables, number: (string: number) => number) {
  const known = new Map([...first.layoutId].map((id, index) => [id, index]));
  const added: number[] = [];
  const layouts = second.layoutId.map((id, index) => {
    const place = known.get(number(id));
    return place ?? first.layoutId.length + added.push(index) - 1;
  });
  return { layouts, added };
}

function layoutSections(
  first: WorldTables,
  second: WorldTables,
  layouts: Uint32Array,
  added: readonly number[],
  number: (string: number) => number,
): [string, Section][] {
  const texts = (own: Uint32Array, other: Uint32Array): Section =>
    joined(
      own,
      Uint32Array.from(added, (index) => number(other[index] as number)),
    );
  const bytes = (own: Uint8Array, other: Uint8Array): Section =>
    joined(
      own,
      Uint8Array.from(added, (index) => other[index] as number),
    );
  const years = (own: Uint16Array, other: Uint16Array): Section =>
    joined(
      own,
      Uint16Array.from(added, (index) => other[index] as number),
    );
  return [
    ['world.profile.id', texts(first.layoutId, second.layoutId)],
    ['world.profile.make', texts(first.layoutMake, second.layoutMake)],
    ['world.profile.type', texts(first.layoutType, second.layoutType)],
    ['world.profile.from', years(first.layoutFrom, second.layoutFrom)],
    ['world.profile.to', years(first.layoutTo, second.layoutTo)],
    ['world.profile.year', bytes(first.layoutYear, second.layoutYear)],
    ['world.profile.check', bytes(first.layoutCheck, second.layoutCheck)],
    ['world.profile.condition', bytes(first.layoutCondition, second.layoutCondition)],
    ['world.profile.needsModel', bytes(first.layoutNeedsModel, second.layoutNeedsModel)],
    ...groupLists(first, second, layouts, added.length),
  ];
}

/** Returns the groups of each layout: the catalog's, then the overlay's. */
function groupLists(first: WorldTables, second: WorldTables, layouts: Uint32Array, added: number): [string, Section][] {
  const before = first.groupEntries.length - 1;
  const own = Array.from(first.layoutId, (_, layout) => groupsOf(first, layout));
  const lists = [...own, ...Array.from({ length: added }, (): number[] => [])];
  for (const [index, layout] of layouts.entries()) {
    lists[layout]?.push(...groupsOf(second, index).map((group) => group + before));
  }
  let end = 0;
  return [
    ['world.profile.groups', Uint32Array.from([0, ...lists.map(({ length }) => (end += length))])],
    ['world.profile.group', Uint32Array.from(lists.flat())],
  ];
}

function groupsOf({ layoutGroup, layoutGroups }: WorldTables, layout: number): number[] {
  return [...layoutGroup.subarray(layoutGroups[layout], layoutGroups[layout + 1])];
}

/** Links the conditions of layouts that the catalog lacks; those that it has keep their own. */
function whenSections(first: WorldTables, second: WorldTables, added: readonly number[]): [string, Section][] {
  const [whens, tokens] = [[...first.layoutWhens], [...first.whenTokens]];
  const [positions, sets] = [[...first.whenPosition], [...first.whenSet]];
  const before = first.setWords.length / 2;
  for (const layout of added) {
    const end = second.layoutWhens[layout + 1] as number;
    for (let when = second.layoutWhens[layout] as number; when < end; when++) {
      for (let at = second.whenTokens[when] as number; at < (second.whenTokens[when + 1] as number); at++) {
        positions.push(second.whenPosition[at] as number);
        sets.push((second.whenSet[at] as number) + before);
      }
      tokens.push(positions.length);
    }
    whens.push(tokens.length - 1);
  }
  return [
    ['world.profile.whens', Uint32Array.from(whens)],
    ['world.when.tokens', Uint32Array.from(tokens)],
    ['world.when.position', Uint8Array.from(positions)],
    ['world.when.set', Uint16Array.from(sets)],
  ];
}

function entrySections(first: WorldTables, second: WorldTables): [string, Section][] {
  const facts = first.factFrom.length;
  const sets = first.setWords.length / 2;
  const rest = joinedStarts(first.entryRest, second.entryRest);
  return [
    ['world.group.positions', joinedStarts(first.groupPositions, second.groupPositions)],
    ['world.group.position', joined(first.groupPosition, second.groupPosition)],
    ['world.group.entries', joinedStarts(first.groupEntries, second.groupEntries)],
    ['world.entry.key', joined(first.entryKey, second.entryKey)],
    [
      'world.entry.fact',
      joined(
        first.entryFact,
        second.entryFact.map((fact) => fact + facts),
      ),
    ],
    ['world.entry.rest', Uint32Array.from(rest.subarray(1), (end, index) => end - (rest[index] as number))],
    ['world.entry.position', joined(first.entryPosition, second.entryPosition)],
    [
      'world.entry.set',
      joined(
        first.entrySet,
        second.entrySet.map((set) => set + sets),
      ),
    ],
  ];
}

function factSections(base: Container, overlay: Container, number: (string: number) => number): [string, Section][] {
  const facts = base.u16('world.fact.from').length;
  const outputs = base.u32('world.output.start').length - 1;
  const u16 = (name: string): [string, Section] => [name, joined(base.u16(name), overlay.u16(name))];
  const u8 = (name: string): [string, Section] => [name, joined(base.u8(name), overlay.u8(name))];
  const mapped = (name: string, value: (own: number) => number): [string, Section] => [
    name,
    joined(base.u32(name), overlay.u32(name).map(value)),
  ];
  const sparse = (name: string, value: (own: number) => number): [string, Section][] => [
    mapped(`world.fact.${name}.at`, (at) => at + facts),
    mapped(`world.fact.${name}.is`, value),
  ];
  const distinct = (name: string): [string, Section][] => {
    const before = base.u32(`world.fact.${name}.values`).length;
    const rows = overlay.u16(`world.fact.${name}.rows`).map((row) => row + before);
    return [
      mapped(`world.fact.${name}.values`, number),
      [`world.fact.${name}.rows`, joined(base.u16(`world.fact.${name}.rows`), rows)],
    ];
  };
  return [
    ...['from', 'to', 'line'].map((name) => u16(`world.fact.${name}`)),
    ...['fixed', 'confidence'].map((name) => u8(`world.fact.${name}`)),
    mapped('world.fact.pattern', number),
    mapped('world.fact.outputs', (own) => own + outputs),
    ...['serialFrom', 'serialTo'].flatMap((name) => sparse(name, (own) => own)),
    ...sparse('guard', number),
    ...['source', 'file'].flatMap((name) => distinct(name)),
  ];
}

function outputSections(
  first: WorldTables,
  second: WorldTables,
  number: (string: number) => number,
): [string, Section][] {
  const values = second.outputValue.map((value, at) =>
    isText(second.outputField[at] as number) ? number(value) : value,
  );
  return [
    ['world.output.start', joinedStarts(first.outputStart, second.outputStart)],
    ['world.output.field', joined(first.outputField, second.outputField)],
    ['world.output.value', joined(first.outputValue, values)],
  ];
}

function isText(field: number): boolean {
  return field !== FIELD.body && !NUMERIC_WORLD_FIELDS.has(WORLD_FIELDS[field] ?? 'make');
}
