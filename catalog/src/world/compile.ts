import { BODY_STYLES, type BodyStyle, formatPattern, parsePattern, type PositionSet } from '@marque/decoder';
import {
  CHECK_DIGIT_CONDITIONS,
  CHECK_DIGIT_RULES,
  CONFIDENCES,
  MOST_FACTS,
  NUMERIC_WORLD_FIELDS,
  OPEN_FROM,
  OPEN_TO,
  TENTHS,
  WORLD_FIELDS,
  YEAR_RULES,
} from '@marque/decoder/format';

import { putDistinct, putSparse, type Sections } from '../binary/sections.ts';
import type { StringTable } from '../binary/string-table.ts';
import { bodyLabel } from '../values/labels.ts';
import type { WorldOutputs, VinLayout, WorldRow } from './model.ts';
import { weightOf } from './weight.ts';

const CODES = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** A key of more positions would not fit the 53 bits of a number; the rest is tested one by one. */
const KEY_POSITIONS = 10;
/** Sets are written out as single characters up to this many rows; beyond, they are tested one by one. */
const EXPANSION_LIMIT = 64;

/** Compiles layouts and rows into the sections `world.*`; gives the layouts of each WMI. */
export function compileWorld(
  layouts: readonly VinLayout[],
  strings: StringTable,
  sections: Sections,
): Map<string, number[]> {
  const writer = new WorldSectionWriter(strings);
  const layoutsOf = new Map<string, number[]>();
  for (const [index, layout] of layouts.entries()) {
    writer.add(layout);
    for (const wmi of layout.wmis) layoutsOf.set(wmi, [...(layoutsOf.get(wmi) ?? []), index]);
  }
  writer.finish(sections);
  return layoutsOf;
}

/** A row with every set of its key positions replaced by one character. */
interface Entry {
  positions: number[];
  key: number;
  rest: [position: number, set: string][];
  fact: number;
}

class WorldSectionWriter {
  readonly #strings: StringTable;
  readonly #sets = new Map<string, number>();
  readonly #layout = {
    id: [] as number[],
    make: [] as number[],
    type: [] as number[],
    year: [] as number[],
    from: [] as number[],
    to: [] as number[],
    check: [] as number[],
    condition: [] as number[],
    needsModel: [] as number[],
    whens: [0],
    groups: [0],
  };
  readonly #when = { tokens: [0], position: [] as number[], set: [] as number[] };
  readonly #group = { positions: [0], position: [] as number[], entries: [0] };
  /** The groups of all layouts, one layout after the other. */
  readonly #groups: number[] = [];
  /** The numbers of groups by their contents: layouts that share tables share their groups, and each is kept once. */
  readonly #groupIds = new Map<string, number>();
  readonly #entry = {
    key: [] as number[],
    fact: [] as number[],
    rest: [] as number[],
    position: [] as number[],
    set: [] as number[],
  };
  readonly #fact = {
    from: [] as number[],
    to: [] as number[],
    serialFrom: [] as number[],
    serialTo: [] as number[],
    guard: [] as number[],
    fixed: [] as number[],
    confidence: [] as number[],
    source: [] as number[],
    file: [] as number[],
    line: [] as number[],
    pattern: [] as number[],
    outputs: [] as number[],
  };
  /** The facts by their rows: layouts that share a table share its rows, and each is kept once. */
  readonly #facts = new Map<WorldRow, number>();
  readonly #outputs = { start: [0], field: [] as number[], value: [] as number[] };
  readonly #outputIds = new Map<string, number>();

  constructor(strings: StringTable) {
    this.#strings = strings;
  }

  add(layout: VinLayout): void {
    const to = this.#layout;
    to.id.push(this.#strings.id(layout.id));
    to.make.push(this.#strings.id(layout.make ?? ''));
    to.type.push(this.#strings.id(layout.vehicleType ?? ''));
    to.year.push(YEAR_RULES.indexOf(layout.year));
    to.from.push(layout.years[0] ?? OPEN_FROM);
    to.to.push(layout.years[1] ?? OPEN_TO);
    to.check.push(CHECK_DIGIT_RULES.indexOf(layout.checkDigit));
    to.condition.push(CHECK_DIGIT_CONDITIONS.indexOf(layout.whenCheckDigit));
    to.needsModel.push(layout.makeNeedsModel ? 1 : 0);
    for (const pattern of layout.when) {
      for (const [index, set] of parsePattern(pattern).entries()) {
        if (set === undefined) continue;
        this.#when.position.push(index);
        this.#when.set.push(this.#setId(set));
      }
      this.#when.tokens.push(this.#when.position.length);
    }
    to.whens.push(this.#when.tokens.length - 1);
    const entries = layout.rows.flatMap((row) => this.#entriesOf(row));
    const groups = Map.groupBy(entries, (entry) => entry.positions.join(','));
    checkFactCount(layout.id, [...groups.values()]);
    for (const name of [...groups.keys()].toSorted()) this.#groups.push(this.#groupId(groups.get(name) ?? []));
    to.groups.push(this.#groups.length);
  }

  #entriesOf(row: WorldRow): Entry[] {
    const positions = parsePattern(row.pattern);
    const fact = this.#facts.get(row) ?? this.#addFact(row, positions);
    return expand(positions).map((entry) => Object.assign(entry, { fact }));
  }

  #addFact(row: WorldRow, positions: readonly PositionSet[]): number {
    const to = this.#fact;
    this.#facts.set(row, to.from.length);
    to.from.push(row.years[0] ?? OPEN_FROM);
    to.to.push(row.years[1] ?? OPEN_TO);
    to.serialFrom.push(row.serial === undefined ? 0 : Number.parseInt(row.serial[0], CODES.length));
    to.serialTo.push(row.serial === undefined ? 0 : Number.parseInt(row.serial[1], CODES.length) + 1);
    to.guard.push(this.#strings.id(row.guard?.generation ?? ''));
    to.fixed.push(weightOf(row, positions));
    to.confidence.push(CONFIDENCES.indexOf(row.confidence));
    to.source.push(this.#strings.id(row.source));
    const cut = row.origin.lastIndexOf(':');
    to.file.push(this.#strings.id(row.origin.slice(0, cut)));
    to.line.push(Number(row.origin.slice(cut + 1)));
    to.pattern.push(this.#strings.id(formatPattern(positions)));
    to.outputs.push(this.#outputsId(row.outputs));
    return to.from.length - 1;
  }

  /** Returns the number of outputs. Many facts have the same ones: these are kept once. */
  #outputsId(outputs: WorldOutputs): number {
    const name = JSON.stringify(outputs);
    const known = this.#outputIds.get(name);
    if (known !== undefined) return known;
    const id = this.#outputIds.size;
    this.#outputIds.set(name, id);
    const to = this.#outputs;
    for (const [field, output] of WORLD_FIELDS.entries()) {
      const value = outputs[output];
      if (value === undefined) continue;
      to.field.push(field);
      to.value.push(output === 'body' ? BODY_STYLES.indexOf(value as BodyStyle) : this.#valueOf(output, value));
    }
    to.start.push(to.field.length);
    return id;
  }

  #valueOf(name: keyof WorldOutputs, value: string | number): number {
    if (typeof value === 'string') return this.#strings.id(value);
    if (!NUMERIC_WORLD_FIELDS.has(name)) throw new Error(`${name} takes a text, not ${value}`);
    return Math.round(name === 'batteryCapacityKwh' ? value * TENTHS : value);
  }

  /**
   * Returns the number of a group: entries that fix the same positions, in the order of their keys, so that a search
   * finds them.
   */
  #groupId(entries: readonly Entry[]): number {
    const sorted = entries.toSorted((a, b) => a.key - b.key || a.fact - b.fact);
    const name = JSON.stringify([sorted[0]?.positions, sorted.map(({ key, fact, rest }) => [key, fact, rest])]);
    const known = this.#groupIds.get(name);
    if (known !== undefined) return known;
    const id = this.#groupIds.size;
    this.#groupIds.set(name, id);
    this.#group.position.push(...(sorted[0]?.positions ?? []));
    this.#group.positions.push(this.#group.position.length);
    for (const entry of sorted) {
      this.#entry.key.push(entry.key);
      this.#entry.fact.push(entry.fact);
      for (const [position, set] of entry.rest) {
        this.#entry.position.push(position);
        this.#entry.set.push(this.#setId(set));
      }
      this.#entry.rest.push(entry.rest.length);
    }
    this.#group.entries.push(this.#entry.key.length);
    return id;
  }

  #setId(set: string): number {
    const known = this.#sets.get(set);
    if (known !== undefined) return known;
    const id = this.#sets.size;
    this.#sets.set(set, id);
    return id;
  }

  finish(sections: Sections): void {
    const u32 = (name: string, values: number[]): void => void sections.set(`world.${name}`, Uint32Array.from(values));
    const u16 = (name: string, values: number[]): void => void sections.set(`world.${name}`, Uint16Array.from(values));
    const u8 = (name: string, values: number[]): void => void sections.set(`world.${name}`, Uint8Array.from(values));
    for (const name of ['id', 'make', 'type', 'whens', 'groups'] as const) u32(`profile.${name}`, this.#layout[name]);
    u32('profile.group', this.#groups);
    for (const name of ['from', 'to'] as const) u16(`profile.${name}`, this.#layout[name]);
    for (const name of ['year', 'check', 'condition', 'needsModel'] as const) u8(`profile.${name}`, this.#layout[name]);
    u32('when.tokens', this.#when.tokens);
    u8('when.position', this.#when.position);
    u16('when.set', this.#when.set);
    u32('group.positions', this.#group.positions);
    u8('group.position', this.#group.position);
    u32('group.entries', this.#group.entries);
    sections.set('world.entry.key', Float64Array.from(this.#entry.key));
    u32('entry.fact', this.#entry.fact);
    u8('entry.rest', this.#entry.rest);
    u8('entry.position', this.#entry.position);
    u16('entry.set', this.#entry.set);
    for (const name of ['from', 'to'] as const) u16(`fact.${name}`, this.#fact[name]);
    u16('fact.line', this.#fact.line);
    for (const name of ['pattern', 'outputs'] as const) u32(`fact.${name}`, this.#fact[name]);
    for (const name of ['serialFrom', 'serialTo', 'guard'] as const) {
      putSparse(sections, `world.fact.${name}`, this.#fact[name]);
    }
    for (const name of ['source', 'file'] as const) putDistinct(sections, `world.fact.${name}`, this.#fact[name]);
    for (const name of ['fixed', 'confidence'] as const) u8(`fact.${name}`, this.#fact[name]);
    u32('output.start', this.#outputs.start);
    u8('output.field', this.#outputs.field);
    u32('output.value', this.#outputs.value);
    u32(
      'bodyLabel',
      BODY_STYLES.map((style) => this.#strings.id(bodyLabel(style) ?? '')),
    );
    u32(
      'set.words',
      [...this.#sets.keys()].flatMap((set) => wordsOf(set)),
    );
  }
}

/**
 * Proves that no VIN matches more facts under a layout than a reading has room for: in each group at most those that
 * share the commonest key.
 *
 * @throws RangeError if one might.
 */
function checkFactCount(layout: string, groups: readonly (readonly { key: number }[])[]): void {
  const most = groups.reduce((sum, entries) => {
    const counts = Map.groupBy(entries, ({ key }) => key);
    return sum + Math.max(0, ...[...counts.values()].map(({ length }) => length));
  }, 0);
  if (most <= MOST_FACTS) return;
  throw new RangeError(
    `A VIN may match ${most} rows of ${layout}, and a reading holds ${MOST_FACTS}. Fix more positions.`,
  );
}

/** Returns the characters of a set as two words: codes 0-31 and 32-35. */
function wordsOf(set: string): [low: number, high: number] {
  let [low, high] = [0, 0];
  for (const character of set) {
    const code = CODES.indexOf(character);
    if (code < 32) low = (low | (1 << code)) >>> 0;
    else high |= 1 << (code - 32);
  }
  return [low, high];
}

/** Expands a pattern to keys of single characters, as far as the limits allow; the rest is tested one by one. */
function expand(positions: readonly PositionSet[]): Omit<Entry, 'fact'>[] {
  const fixed = positions.flatMap((set, index) => (set === undefined ? [] : [{ index, set }]));
  const bySize = fixed.toSorted((a, b) => a.set.length - b.set.length || a.index - b.index);
  const keyed: typeof fixed = [];
  let count = 1;
  for (const cell of bySize) {
    if (keyed.length >= KEY_POSITIONS || count * cell.set.length > EXPANSION_LIMIT) continue;
    keyed.push(cell);
    count *= cell.set.length;
  }
  keyed.sort((a, b) => a.index - b.index);
  const rest = fixed.filter((cell) => !keyed.includes(cell)).map(({ index, set }): [number, string] => [index, set]);
  let keys = [0];
  for (const { set } of keyed) {
    keys = keys.flatMap((key) => [...set].map((character) => key * CODES.length + CODES.indexOf(character)));
  }
  return keys.map((key) => ({ positions: keyed.map((cell) => cell.index), key, rest }));
}
