import { SPEC_KINDS, SPEC_MARKETS, SPEC_TABLE_COLUMNS } from '@marque/decoder/format';

import type { Sections } from '../binary/sections.ts';
import type { StringTable } from '../binary/string-table.ts';
import { driveNames } from '../values/index.ts';
import { SPEC_COLUMNS, type SpecColumn, type SpecRow } from './columns.ts';
import type { DriveCode } from './drive-codes.ts';
import { BASES, COVERAGES, FLAGS, type SpecFacts, type SpecSource } from './load.ts';

const FIRST_YEAR = 1980;

/**
 * Compiles the tables into the sections `specs.*`: makes and models once as sorted keys, words once in a dictionary,
 * each table as columns over rows in the order of their keys, and the names of driven wheels.
 */
export function compileSpecs({ sources, driveCodes }: SpecFacts, strings: StringTable, sections: Sections): void {
  const keys = [...new Set([...sources.flatMap(({ rows }) => rows.map(keyOf)), ...driveCodes.map(keyOf)])].toSorted(
    compare,
  );
  sections.set(
    'specs.key',
    Uint32Array.from(keys, (key) => strings.id(key)),
  );
  const words = collectWords(sources, driveCodes);
  sections.set(
    'specs.word',
    Uint32Array.from(words.keys(), (word) => strings.id(word)),
  );
  sections.set(
    'specs.source',
    Uint32Array.from(sources.flatMap(({ id, title }) => [strings.id(id), strings.id(title)])),
  );
  sections.set(
    'specs.source.kind',
    Uint8Array.from(
      sources.flatMap(({ market, basis, coverage }) => [
        SPEC_MARKETS.indexOf(market),
        BASES.indexOf(basis),
        COVERAGES.indexOf(coverage),
      ]),
    ),
  );
  sections.set(
    'specs.source.purpose',
    Uint8Array.from(
      sources.flatMap(({ lists = 'variants', flags = [] }) => [
        SPEC_KINDS.indexOf(lists),
        flags.reduce((bits, flag) => bits | FLAGS[flag], 0),
      ]),
    ),
  );
  const numbers = new Map(keys.map((key, number) => [key, number]));
  for (const [index, source] of sources.entries()) compileTable(index, source.rows, numbers, words, sections);
  compileDriveCodes(driveCodes, numbers, words, sections);
  const names = driveNames().flatMap(({ name, drive, apart }) => [name, drive, apart ? 'yes' : '']);
  sections.set(
    'specs.driveName',
    Uint32Array.from(names, (word) => strings.id(word)),
  );
}

function compileDriveCodes(
  codes: readonly DriveCode[],
  numbers: ReadonlyMap<string, number>,
  words: ReadonlyMap<string, number>,
  sections: Sections,
): void {
  const { starts, sorted } = byKey(codes, numbers);
  sections.set('specs.code.rows', starts);
  const column = (name: string, value: (code: DriveCode) => number): void =>
    void sections.set(`specs.code.${name}`, Uint8Array.from(sorted, value));
  column('from', ({ from }) => from - FIRST_YEAR);
  column('to', ({ to }) => to - FIRST_YEAR);
  column('word', ({ says }) => words.get(says) ?? 0);
  sections.set(
    'specs.code.vin',
    Uint16Array.from(sorted, ({ vin }) => words.get(vin) ?? 0),
  );
}

function keyOf(row: { make: string; model: string }): string {
  return `${row.make}|${row.model}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Returns the dictionary: empty first, then the words of closed lists, which must have numbers of one byte, then
 * badges.
 */
function collectWords(sources: readonly SpecSource[], driveCodes: readonly DriveCode[]): Map<string, number> {
  const words = new Map<string, number>([['', 0]]);
  const add = (word: string | undefined): void => {
    if (word !== undefined && !words.has(word)) words.set(word, words.size);
  };
  const rows = sources.flatMap((source) => source.rows);
  for (const row of rows) for (const name of ['body', 'fuel', 'drive', 'gearbox', 'emissions'] as const) add(row[name]);
  for (const { says } of driveCodes) add(says);
  if (words.size > 256) throw new Error(`The specifications use ${words.size} words; a byte counts to 256.`);
  for (const row of rows) {
    add(row.badge);
    add(row.generation);
    add(row.vin);
  }
  for (const { vin } of driveCodes) add(vin);
  return words;
}

function compileTable(
  index: number,
  rows: readonly SpecRow[],
  numbers: ReadonlyMap<string, number>,
  words: ReadonlyMap<string, number>,
  sections: Sections,
): void {
  const { starts, sorted } = byKey(rows, numbers);
  sections.set(`specs.${index}.rows`, starts);
  for (const { name, type } of SPEC_TABLE_COLUMNS) {
    const isWord = SPEC_COLUMNS[name].kind !== 'number';
    const value = (row: SpecRow): number =>
      isWord ? (words.get(String(row[name] ?? '')) ?? 0) : encode(name, row[name]);
    const used = sorted.some((row) => row[name] !== undefined);
    const values = used ? sorted.map(value) : [];
    sections.set(`specs.${index}.${name}`, type === 'u8' ? Uint8Array.from(values) : Uint16Array.from(values));
  }
}

/** Sorts rows by their keys, and returns where each key's rows start. */
function byKey<Row extends { make: string; model: string }>(
  rows: readonly Row[],
  numbers: ReadonlyMap<string, number>,
): { starts: Uint32Array; sorted: Row[] } {
  const numbered = rows.map((row) => ({ row, key: numbers.get(keyOf(row)) ?? 0 }));
  // A stable sort: rows of one key keep the table's order, so the same table gives the same bytes.
  numbered.sort((a, b) => a.key - b.key);
  const starts = new Uint32Array(numbers.size + 1);
  for (const { key } of numbered) starts[key + 1] = (starts[key + 1] ?? 0) + 1;
  for (let key = 0; key < numbers.size; key++) starts[key + 1] = (starts[key + 1] ?? 0) + (starts[key] ?? 0);
  return { starts, sorted: numbered.map(({ row }) => row) };
}

/** Years count from 1980 and batteries in tenths; everything else is a whole number already. */
function encode(name: SpecColumn, value: string | number | undefined): number {
  if (typeof value !== 'number') return 0;
  if (name === 'from' || name === 'to') return value - FIRST_YEAR;
  return name === 'batteryKwh' ? Math.round(value * 10) : value;
}
