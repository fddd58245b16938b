import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { SPEC_FLAGS, SPEC_KINDS, SPEC_MARKETS, type SpecKind, type SpecMarket } from '@marque/decoder/format';

import { REGISTERS } from '../../sources/registers/index.ts';
import { csvLines } from '../csv.ts';
import { faultOf, isSpecColumn, SPEC_COLUMNS, type SpecRow } from './columns.ts';
import { type DriveCode, readDriveCodes } from './drive-codes.ts';
import { proportionFaults } from './proportions.ts';

/** Origins of a value. `registered`: as the maker declared it to an authority or published it. */
export const BASES = ['measured', 'registered', 'estimated'] as const;

/** Coverage of a table: all variants of the cars that it names, or some of them. */
export const COVERAGES = ['all', 'some'] as const;

/** A table of facts/specs with its entry in sources.csv. */
export interface SpecSource {
  id: string;
  /** The market of the table's cars: its values never answer for another one. */
  market: SpecMarket;
  basis: (typeof BASES)[number];
  coverage: (typeof COVERAGES)[number];
  title: string;
  /** The kind of its rows; variants if absent. */
  lists?: SpecKind;
  /** Further properties for the decoder. */
  flags?: readonly SpecFlag[];
  rows: readonly SpecRow[];
}

/** The words of the column `flags`, with the bit of each in the catalog file. */
export const FLAGS = {
  'one-country': SPEC_FLAGS.oneCountry,
  'estimates-weight': SPEC_FLAGS.estimatesWeight,
  'overrules-engine': SPEC_FLAGS.overrulesEngine,
  'canadian-specifications': SPEC_FLAGS.canadian,
  'all-years': SPEC_FLAGS.allYears,
} as const;

export type SpecFlag = keyof typeof FLAGS;

/** All of facts/specs. */
export interface SpecFacts {
  sources: readonly SpecSource[];
  driveCodes: readonly DriveCode[];
}

/** Thrown with every fault of the tables, one a line, each with its file and line. */
class SpecFactsError extends Error {
  override name = 'SpecFactsError';
}

/** Returns the folder facts/specs, from the sources and from the build alike; ends in a slash. */
export function specFactsFolder(): URL {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const facts = join(folder, 'facts', 'specs');
    if (existsSync(facts)) return pathToFileURL(`${facts}/`);
    if (folder === dirname(folder)) throw new Error('facts/specs not found above the specs module');
  }
}

/** The project's own tables: they take seconds to read, and do not change while a program runs. */
let ownSpecs: SpecFacts | undefined;

/**
 * Reads the tables that sources.csv lists, in its order: the first that has a car's field decides it. Also reads the
 * codes of VINs that give the driven wheels.
 *
 * @throws SpecFactsError that lists every fault.
 */
export function loadSpecs(): SpecFacts {
  return (ownSpecs ??= readSpecs());
}

function readSpecs(): SpecFacts {
  const folder = specFactsFolder();
  const { sources, faults } = readSources(folder);
  const driveCodes = readDriveCodes(folder);
  faults.push(...driveCodes.faults);
  if (faults.length > 0) throw new SpecFactsError(faults.join('\n'));
  return { sources, driveCodes: driveCodes.codes };
}

const FLAG_WORDS = Object.keys(FLAGS) as SpecFlag[];

function readSources(folder: URL): { sources: SpecSource[]; faults: string[] } {
  const faults: string[] = [];
  const [header = [], ...lines] = csvLines(readFileSync(new URL('sources.csv', folder), 'utf8'));
  const sources = lines.map((cells): SpecSource => {
    const cell = (name: string): string => cells[header.indexOf(name)] ?? '';
    const id = cell('id');
    const oneOf = <Word extends string>(name: string, words: readonly Word[], text: string, otherwise: Word): Word => {
      const found = words.find((word) => word === text);
      if (found === undefined) faults.push(`sources.csv: ${id}: ${name} "${text}" is none of ${words.join(', ')}`);
      return found ?? otherwise;
    };
    const flags = cell('flags')
      .split(' ')
      .filter((word) => word !== '');
    const read = readSpecTable(`${id}.csv`, readFileSync(new URL(`${id}.csv`, folder), 'utf8'));
    faults.push(...read.faults);
    return {
      id,
      market: oneOf('market', SPEC_MARKETS, cell('market'), 'north-america'),
      basis: oneOf('basis', BASES, cell('basis'), 'registered'),
      coverage: oneOf('coverage', COVERAGES, cell('coverage'), 'all'),
      title: cell('title'),
      // Tables of imported registers list variants.
      lists: oneOf('lists', SPEC_KINDS, cell('lists') || 'variants', 'variants'),
      flags: flags.map((word) => oneOf('flag', FLAG_WORDS, word, 'one-country')),
      rows: read.rows,
    };
  });
  return { sources, faults };
}

/**
 * Returns the facts with the tables that an operator imported, which decide before the others: they are the fuller
 * lists. A folder without any gives the facts as they are.
 *
 * @throws SpecFactsError that lists every fault of the imported tables.
 */
export function withImports(facts: SpecFacts, folder: string): SpecFacts {
  if (!existsSync(join(folder, 'sources.csv'))) return facts;
  const imported = readSources(pathToFileURL(`${folder}/`));
  if (imported.faults.length > 0) throw new SpecFactsError(imported.faults.join('\n'));
  const sources = imported.sources.map((source) => Object.assign(source, { flags: flagsOfRegister(source.id) }));
  return { ...facts, sources: [...sources, ...facts.sources] };
}

function flagsOfRegister(id: string): readonly SpecFlag[] {
  const register: { flags?: readonly SpecFlag[] } | undefined = Object.entries(REGISTERS).find(
    ([name]) => name === id,
  )?.[1];
  return register?.flags ?? [];
}

/** Reads one table; faults name the file and line. */
export function readSpecTable(file: string, text: string): { rows: SpecRow[]; faults: string[] } {
  const faults: string[] = [];
  const [header = [], ...lines] = csvLines(text);
  const columns = header.map((name) => {
    if (isSpecColumn(name)) return name;
    if (!NOTES.has(name)) faults.push(`${file}:1: there is no column "${name}"`);
    return undefined;
  });
  for (const name of ['make', 'model', 'from', 'to'] as const) {
    if (!columns.includes(name)) faults.push(`${file}:1: the column "${name}" is missing`);
  }
  const rows: SpecRow[] = [];
  for (const [index, fields] of lines.entries()) {
    const where = `${file}:${index + 2}`;
    if (fields.length !== header.length) faults.push(`${where}: ${fields.length} fields, not ${header.length}`);
    const row: SpecRow = { make: '', model: '', from: 0, to: 0 };
    for (const [at, name] of columns.entries()) {
      const value = fields[at] ?? '';
      if (name === undefined || value === '') continue;
      const fault = faultOf(name, value);
      if (fault !== undefined) faults.push(`${where}: ${name}: ${fault}`);
      else Object.assign(row, { [name]: SPEC_COLUMNS[name].kind === 'number' ? Number(value) : value });
    }
    faults.push(...proportionFaults(row).map((fault) => `${where}: ${fault}`));
    rows.push(row);
  }
  return { rows, faults };
}

/** Columns for people: the page that a row was read on, a publication that it can be checked against, and notes. */
const NOTES: ReadonlySet<string> = new Set(['source', 'check_against', 'note']);
