import type { Container, Section } from '../catalog/container.ts';
import { Strings } from '../catalog/strings.ts';
import { ApprovalTables } from '../approvals/tables.ts';
import { SpecTables } from '../specs/tables.ts';
import { CODE_OF, positionOf, shortCode } from '../vin/characters.ts';
import { fixedPositions, parsePattern } from '../vin/pattern.ts';
import { ELEMENT } from '../vpic-elements.ts';
import { VpicTables } from '../vpic/tables.ts';
import { FIELD } from '../world/reading.ts';
import { WmiTables } from '../world/wmi-tables.ts';
import { WorldTables } from '../world/tables.ts';
import { CleanTables } from './clean-tables.ts';
import { Corrections } from './corrections.ts';

/** Position 9 and the serial number, counted from 0, which the squish VIN leaves out. A bit for each position. */
const BEYOND_SQUISH = 0b1_1111_1001_0000_0000;
/** Positions 12 to 14 identify a maker of few vehicles, whose third character is 9. */
const SMALL_MAKER = 0b11_1000_0000_0000;
const NINE = CODE_OF[57];

const WMI_SECTION = 'positions.wmi';
const MASK_SECTION = 'positions.mask';

/** Positions beyond the squish VIN that the rows of a WMI look at: VINs that agree in these, too, are decoded alike. */
export class Positions {
  /** Masks by packed WMI. */
  readonly #masks: Masks;

  constructor(container: Container) {
    this.#masks = masksOf(container);
  }

  /** Returns the positions of a VIN, counted from 0, a bit for each. */
  of(codes: Uint8Array): number {
    const mask = this.#masks.get(shortCode(codes)) ?? 0;
    return codes[2] === NINE ? mask | SMALL_MAKER : mask;
  }
}

/**
 * Returns the sections that `Positions` reads, gathered from all rows of a catalog; the catalog's compiler adds them to
 * its file.
 */
export function positionSections(container: Container): [string, Section][] {
  return sectionsOf(gatherPositions(container));
}

/**
 * Returns the same of a catalog with an overlay: all that the catalog alone has, and what the overlay's rows look at.
 *
 * @param layouts the linked catalog's layouts that the overlay has rows of
 */
export function linkedPositionSections(
  base: Container,
  linked: Container,
  layouts: ReadonlySet<number>,
): [string, Section][] {
  const strings = new Strings(linked);
  const masks = masksOf(base);
  const add = adderTo(masks);
  const makeMask = makeMasks(linked, strings);
  gatherLayouts(linked, strings, makeMask, add, { layouts, wmisBefore: base.u32('wmi.code').length });
  gatherApprovals(linked, strings, ['registers'], makeMask, add);
  return sectionsOf(masks);
}

function sectionsOf(masks: Masks): [string, Section][] {
  const wmis = [...masks.keys()].toSorted((a, b) => a - b);
  return [
    [WMI_SECTION, Uint32Array.from(wmis)],
    [MASK_SECTION, Uint32Array.from(wmis, (wmi) => masks.get(wmi) ?? 0)],
  ];
}

type Masks = Map<number, number>;

/** Reads the masks that a catalog's file has. */
function masksOf(container: Container): Masks {
  const masks = container.u32(MASK_SECTION);
  return new Map(Array.from(container.u32(WMI_SECTION), (wmi, index) => [wmi, masks[index] as number]));
}

function gatherPositions(container: Container): Masks {
  const strings = new Strings(container);
  const makeMask = makeMasks(container, strings);
  const masks: Masks = new Map();
  const add = adderTo(masks);
  gatherVpic(container, new VpicTables(container, strings), new CleanTables(container), makeMask, add);
  gatherLayouts(container, strings, makeMask, add);
  gatherApprovals(container, strings, ['approvals', 'registers'], makeMask, add);
  return masks;
}

function adderTo(masks: Masks): Add {
  return (wmi, mask) => {
    const kept = mask & BEYOND_SQUISH;
    if (kept !== 0) masks.set(wmi, (masks.get(wmi) ?? 0) | kept);
  };
}

/** Returns the positions that specifications and corrections of a make look at, by the number of its name. */
function makeMasks(container: Container, strings: Strings): (make: number) => number {
  const ofMakes = positionsOfMakes(container, strings);
  return (make) => (ofMakes.size === 0 ? 0 : (ofMakes.get(strings.get(make)) ?? 0));
}

type Add = (wmi: number, mask: number) => void;

function packed(strings: Strings, id: number): number {
  const text = strings.get(id);
  return shortCode(Uint8Array.from(text.slice(0, 3), (character) => CODE_OF[character.charCodeAt(0)] ?? 0));
}

/** Returns the positions that specifications and corrections of a make look at, by its name. */
function positionsOfMakes(container: Container, strings: Strings): ReadonlyMap<string, number> {
  const specs = new SpecTables(container, strings);
  const masks = new Map<string, number>();
  const add = (make: string, mask: number): void => {
    if ((mask & BEYOND_SQUISH) !== 0) masks.set(make, (masks.get(make) ?? 0) | mask);
  };
  const keys = new Map<number, number>();
  for (const { names, columns, rows } of specs.tables) {
    if (!names.has('vin')) continue;
    for (const [key, { make }] of specs.families()) {
      for (let row = rows[key] as number; row < (rows[key + 1] as number); row++) {
        const number = columns.vin[row] as number;
        if (!keys.has(number)) keys.set(number, positionsIn(specs.word(number)));
        add(make, keys.get(number) ?? 0);
      }
    }
  }
  const corrections = new Corrections(container, strings);
  corrections.eachPosition((make, at) => add(make, 1 << at));
  corrections.eachMakeChange((make, right) => add(make, masks.get(right) ?? 0));
  return masks;
}

/** Returns the positions that a pattern fixes, counted from 0, a bit for each. */
function positionsIn(pattern: string): number {
  return fixedPositions(parsePattern(pattern)).reduce((mask, position) => mask | (1 << (position - 1)), 0);
}

function gatherVpic(
  container: Container,
  tables: VpicTables,
  clean: CleanTables,
  makeMask: (make: number) => number,
  add: Add,
): void {
  const { entryKey, keyStart, keyColumn, rowElement, rowValue, entryRows, schemaEntries } = tables;
  const ofKey = new Uint32Array(keyStart.length - 1);
  for (let key = 0; key < ofKey.length; key++) {
    for (let token = keyStart[key] as number; token < (keyStart[key + 1] as number); token++) {
      ofKey[key] = (ofKey[key] as number) | (1 << (positionOf(keyColumn[token] as number) - 1));
    }
  }
  const ofSchema = new Uint32Array(schemaEntries.length - 1);
  for (let schema = 0; schema < ofSchema.length; schema++) {
    for (let entry = schemaEntries[schema] as number; entry < (schemaEntries[schema + 1] as number); entry++) {
      let mask = ofKey[entryKey[entry] as number] as number;
      for (let row = entryRows[entry] as number; row < (entryRows[entry + 1] as number); row++) {
        if (rowElement[row] === ELEMENT.model) mask |= makeMask(clean.modelMake[rowValue[row] as number] as number);
      }
      ofSchema[schema] = (ofSchema[schema] as number) | mask;
    }
  }
  for (const [wmi, id] of container.u32('vpic.wmi.code').entries()) {
    let mask = makeMask(clean.wmiMake[wmi] as number);
    for (let link = tables.wmiLinks[wmi] as number; link < (tables.wmiLinks[wmi + 1] as number); link++) {
      mask |= ofSchema[tables.linkSchema[link] as number] as number;
    }
    if ((mask & BEYOND_SQUISH) !== 0) add(packed(tables.strings, id), mask);
  }
}

function gatherApprovals(
  container: Container,
  strings: Strings,
  names: readonly ('approvals' | 'registers')[],
  makeMask: (make: number) => number,
  add: Add,
): void {
  for (const name of names) {
    const tables = new ApprovalTables(container, strings, name);
    tables.eachMask((wmi, mask, make) => add(wmi, mask | makeMask(make)));
  }
}

/** @param only the layouts to look at, and the number of WMIs that were looked at before; default: all of them */
function gatherLayouts(
  container: Container,
  strings: Strings,
  makeMask: (make: number) => number,
  add: Add,
  only?: { layouts: ReadonlySet<number>; wmisBefore: number },
): void {
  const tables = new WorldTables(container);
  const ofLayout = Array.from(tables.layoutMake, (make, layout) =>
    only === undefined || only.layouts.has(layout)
      ? makeMask(make) | makesMask(tables, layout, makeMask) | layoutMask(tables, layout)
      : 0,
  );
  const wmis = new WmiTables(container, strings);
  for (const [wmi, id] of container.u32('wmi.code').entries()) {
    const isNew = only === undefined || wmi >= only.wmisBefore;
    let mask = isNew ? makeMask(wmis.make[wmi] as number) : 0;
    for (const layout of wmis.layouts.subarray(wmis.layoutStart[wmi], wmis.layoutStart[wmi + 1])) {
      mask |= ofLayout[layout] as number;
    }
    if ((mask & BEYOND_SQUISH) !== 0) add(packed(strings, id), mask);
  }
}

/** Returns the positions that a layout's conditions and rows look at. */
function layoutMask(tables: WorldTables, layout: number): number {
  let mask = 0;
  const addTokens = (positions: Uint8Array, from: number, to: number): void => {
    for (let token = from; token < to; token++) mask |= 1 << (positions[token] as number);
  };
  const { layoutWhens, whenTokens, whenPosition, groupPositions, groupPosition, groupEntries, entryRest } = tables;
  const whens = [layoutWhens[layout] as number, layoutWhens[layout + 1] as number] as const;
  addTokens(whenPosition, whenTokens[whens[0]] as number, whenTokens[whens[1]] as number);
  for (const group of groupsOf(tables, layout)) {
    addTokens(groupPosition, groupPositions[group] as number, groupPositions[group + 1] as number);
    const first = entryRest[groupEntries[group] as number] as number;
    addTokens(tables.entryPosition, first, entryRest[groupEntries[group + 1] as number] as number);
  }
  return mask;
}

/** Returns the positions that specifications and corrections of the makes look at that a layout's rows name. */
function makesMask(tables: WorldTables, layout: number, makeMask: (make: number) => number): number {
  const { groupEntries, entryFact, factOutputs, outputStart, outputField, outputValue } = tables;
  let mask = 0;
  for (const group of groupsOf(tables, layout)) {
    for (let entry = groupEntries[group] as number; entry < (groupEntries[group + 1] as number); entry++) {
      const outputs = factOutputs[entryFact[entry] as number] as number;
      for (let at = outputStart[outputs] as number; at < (outputStart[outputs + 1] as number); at++) {
        if (outputField[at] === FIELD.make) mask |= makeMask(outputValue[at] as number);
      }
    }
  }
  return mask;
}

function groupsOf({ layoutGroup, layoutGroups }: WorldTables, layout: number): Uint32Array {
  return layoutGroup.subarray(layoutGroups[layout], layoutGroups[layout + 1]);
}
