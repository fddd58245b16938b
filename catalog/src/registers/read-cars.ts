import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

import { CAR_REGISTERS, type CarRegisterName } from '../../sources/registers/index.ts';
import { type FileFacts, type Register, type RegisterEntry } from '../../sources/registers/register.ts';
import type { Families } from '../../sources/specs/names.ts';
import { TableError } from '../../sources/specs/open-table.ts';
import { Contents } from '../import/contents.ts';
import { sane } from '../import/collector.ts';
import { cellsOf, type Cells } from './cells.ts';
import { type Refusal, Refusals } from '../import/refusals.ts';
import { type PatternField, yearsText } from './fields.ts';
import { isFileError } from '../import/read-register.ts';
import { proportionFaults } from '../specs/proportions.ts';
import { patternOf, rangePatterns } from './pattern.ts';
import { PatternCounts } from './pattern-counts.ts';
import { type LeftOut, type Pattern, settlePattern } from './settle.ts';

const RECORDS_A_MARK = 500_000;
/** One car in so many is left out, to test the patterns learned from the others. */
const LEFT_OUT = 10;
const MOST_NAMES = 200_000;

/** The progress of an import. */
export interface CarProgress {
  /** The share done, from 0 to 1. */
  share: number;
  records: number;
}

/** The patterns learned from a register's cars. */
export interface ImportedCars {
  kind: 'read';
  records: number;
  cars: number;
  /** Cars that came before; they count once. */
  twice: number;
  refused: Refusal[];
  patterns: Pattern[];
  leftOut: ReadonlyMap<PatternField, LeftOut>;
  /** Records that a stopped import had counted before. */
  resumedAt: number;
}

/** The position up to which files were read. */
interface Mark {
  file: number;
  /** Records of that file. */
  read: number;
  records: number;
  cars: number;
  twice: number;
  refused: Refusal[];
  /** The contents of the files before it. */
  contents?: [hash: string, file: string][];
}

export interface CarOptions {
  families: Families;
  /** The folder of counts on the disk; an import that was stopped continues there. */
  folder: string;
  onProgress?: (progress: CarProgress) => void;
  /** After so many records of a file it is marked how far they are read. */
  recordsAMark?: number;
  /** Stops the import at its next record; it goes on from the last mark. */
  signal?: AbortSignal;
}

/** Reads the files of a register of cars in bounded memory; a refused reading has the reason for a person. */
export async function readCarsOf(
  name: CarRegisterName,
  files: readonly string[],
  options: CarOptions,
): Promise<ImportedCars | { kind: 'refused'; reason: string }> {
  const identity = JSON.stringify([name, ...files.map(identityOf)]);
  const counts = PatternCounts.open(join(options.folder, name), identity);
  if (counts === 'busy') return { kind: 'refused', reason: `Another import of ${name} is under way.` };
  let isDone = false;
  try {
    const reader = new CarReader(name, files, counts, options, identity);
    await reader.readAll();
    const imported = reader.result();
    isDone = true;
    if (imported.cars > 0) return imported;
    const why = imported.refused.map(({ reason, records }) => `${records} records: ${reason}`).join('; ');
    return { kind: 'refused', reason: `${files.join(', ')}: no car with a VIN. ${why}`.trim() };
  } catch (error) {
    if (error instanceof TableError) return { kind: 'refused', reason: error.message };
    if (isFileError(error)) return { kind: 'refused', reason: `A file cannot be read: ${error.message}.` };
    throw error;
  } finally {
    if (isDone) counts.drop();
    else counts.close();
  }
}

function identityOf(file: string): unknown {
  if (!existsSync(file)) return file;
  const { size, mtimeMs } = statSync(file);
  return [resolve(file), size, mtimeMs];
}

class CarReader {
  readonly #name: CarRegisterName;
  readonly #register: Register;
  readonly #files: readonly string[];
  readonly #counts: PatternCounts;
  readonly #options: CarOptions;
  readonly #identity: string;
  readonly #refusals: Refusals;
  readonly #contents: Contents;
  readonly #resumed: Mark;
  readonly #families = new Map<string, string>();
  #records: number;
  #cars: number;
  #twice: number;

  constructor(
    name: CarRegisterName,
    files: readonly string[],
    counts: PatternCounts,
    options: CarOptions,
    identity: string,
  ) {
    this.#name = name;
    this.#register = CAR_REGISTERS[name];
    this.#files = files;
    this.#counts = counts;
    this.#options = options;
    this.#identity = identity;
    const [, note] = counts.mark?.split('\n') ?? [];
    this.#resumed =
      note === undefined
        ? { file: 0, read: 0, records: 0, cars: 0, twice: 0, refused: [] }
        : (JSON.parse(note) as Mark);
    ({ records: this.#records, cars: this.#cars, twice: this.#twice } = this.#resumed);
    this.#refusals = new Refusals(this.#resumed.refused);
    this.#contents = new Contents(this.#resumed.contents);
  }

  async readAll(): Promise<void> {
    const sizes = this.#files.map((file) => (existsSync(file) ? statSync(file).size : 0));
    const total = sizes.reduce((sum, size) => sum + size, 0) || 1;
    let before = 0;
    for (const [index, file] of this.#files.entries()) {
      const size = sizes[index] ?? 0;
      const start = before;
      if (index >= this.#resumed.file) {
        await this.#read(file, index, (share) =>
          this.#options.onProgress?.({ share: (start + share * size) / total, records: this.#records }),
        );
      }
      before += size;
    }
  }

  result(): ImportedCars {
    const leftOut = new Map<PatternField, LeftOut>();
    const patterns: Pattern[] = [];
    for (const counted of this.#counts.patterns()) {
      const pattern = settlePattern(counted, leftOut);
      if (pattern.cars >= this.#register.fewest && pattern.fields.size > 0) patterns.push(pattern);
    }
    const [records, cars, twice] = [this.#records, this.#cars, this.#twice];
    const resumedAt = this.#resumed.records;
    return { kind: 'read', records, cars, twice, refused: this.#refusals.list(), patterns, leftOut, resumedAt };
  }

  async #read(file: string, index: number, onShare: (share: number) => void): Promise<void> {
    const facts: FileFacts = { year: 0 };
    const { recordsAMark = RECORDS_A_MARK } = this.#options;
    const done = index === this.#resumed.file ? this.#resumed.read : 0;
    let read = done;
    const hash = createHash('sha256');
    for await (const cells of cellsOf(this.#name, file, { onShare, hash }, done)) {
      read++;
      this.#options.signal?.throwIfAborted();
      this.#take(cells, facts, this.#files.length > 1 ? `${basename(file)}:${cells.line}` : String(cells.line));
      if (read % recordsAMark === 0) this.#mark(index, read);
    }
    this.#contents.note(file, hash);
    this.#mark(index + 1, 0);
  }

  #mark(file: number, read: number): void {
    const [records, cars, twice] = [this.#records, this.#cars, this.#twice];
    const contents = this.#contents.list();
    const mark: Mark = { file, read, records, cars, twice, refused: this.#refusals.list(), contents };
    this.#counts.save(`${this.#identity}\n${JSON.stringify(mark)}`);
  }

  #take(cells: Cells, facts: FileFacts, where: string): void {
    this.#records++;
    const fault = cells.fault ?? this.#count(cells, facts);
    if (fault !== undefined) this.#refusals.add(fault, where);
  }

  /** Counts a car; else gives why not, in words. */
  #count(cells: Cells, facts: FileFacts): string | undefined {
    const entry = this.#register.read(cells.text, facts);
    if (typeof entry === 'string') return entry;
    if (entry.range !== undefined) return this.#countRange(entry.range, entry.years);
    const pattern = patternOf(entry.vin ?? '', this.#register.vinLengths);
    if (typeof pattern === 'string') return pattern;
    const said = this.#said(entry);
    if (said === undefined) return 'proportions that no vehicle has';
    if (pattern.whole !== undefined && this.#counts.seen.has(pattern.whole)) {
      this.#twice++;
      return undefined;
    }
    this.#cars++;
    this.#counts.add(pattern.mask, said, this.#cars % LEFT_OUT === 0);
    return undefined;
  }

  /** Counts a range of VINs once, however many models are given for it. */
  #countRange({ first, last }: { first: string; last: string }, years: RegisterEntry['years']): string | undefined {
    const patterns = rangePatterns(first, last);
    if (typeof patterns === 'string') return patterns;
    if (years === undefined) return 'no years of building';
    const built = yearsText(years);
    if (this.#counts.seen.has(`${first}-${last}-${built}`)) {
      this.#twice++;
      return undefined;
    }
    this.#cars++;
    for (const pattern of patterns) this.#counts.add(pattern, [['built', built]], false);
    return undefined;
  }

  /** Returns the values of a car; undefined if its numbers are in wrong columns. */
  #said(entry: RegisterEntry): (readonly [PatternField, string])[] | undefined {
    const values = sane(entry.values);
    if (proportionFaults({ make: 'any', model: 'any', from: 0, to: 0, ...values }).length > 0) return undefined;
    const said: (readonly [PatternField, string])[] = [];
    const family = this.#family(entry.make, entry.model);
    if (family !== '') said.push(['family', family]);
    if (entry.bodies !== undefined && entry.bodies.length > 0) said.push(['bodies', entry.bodies.join('|')]);
    if (entry.years !== undefined) said.push(['years', yearsText(entry.years)]);
    for (const [name, value] of Object.entries(values)) said.push([name as PatternField, String(value)]);
    return said;
  }

  /** Returns the one family of a name; "" if there is none, or several. */
  #family(make: string, model: string): string {
    const key = `${make}|${model}`;
    let family = this.#families.get(key);
    if (family !== undefined) return family;
    const [first, ...others] = this.#options.families.find(make, model);
    family = first === undefined || others.length > 0 ? '' : `${first.make}|${first.model}`;
    // Clerks' slips are without end.
    if (this.#families.size > MOST_NAMES) this.#families.clear();
    this.#families.set(key, family);
    return family;
  }
}
