import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Families } from '../../sources/specs/names.ts';
import { readRecords } from '../../sources/specs/records.ts';
import { type RegisterEntry, type RegisterName, REGISTERS } from '../../sources/specs/registers.ts';
import { readFamilies } from '../../sources/specs/vocabulary.ts';
import { mergeYears, writeTable } from '../../sources/specs/write.ts';
import { catalogFile, compileTo, importsFolder, inputHash, noteInputs } from '../build.ts';
import { faultOf, SPEC_COLUMNS, type SpecColumn, type SpecRow } from '../specs/columns.ts';
import { specFactsFolder } from '../specs/load.ts';
import { proportionFaults } from '../specs/proportions.ts';

/** What became of an import: how many records were taken, and why others were not, commonest reason first. */
export type RegisterOutcome =
  | {
      kind: 'imported';
      file: string;
      records: number;
      variants: number;
      refused: { reason: string; records: number }[];
    }
  | { kind: 'refused'; reason: string };

export interface RegisterOptions {
  /** Where the catalog goes; default: where the built one stands. */
  target?: string;
  /** Where the register's table is kept for later builds; default: beside the built catalog. */
  folder?: string;
  onProgress?: (share: number) => void;
  families?: Families;
}

/** A register's variants beyond this would fill the memory: such a file is none of those that are meant. */
const MOST_VARIANTS = 1_500_000;
const PROGRESS_EVERY = 50_000;

/**
 * Reads an official register, keeps what it says of variants as a table, and compiles the catalog with it. Streams: the
 * memory grows with the number of variants, not of vehicles. The catalog that stood there stays until the new one is whole.
 */
export async function importRegister(
  name: RegisterName,
  file: string,
  options: RegisterOptions = {},
): Promise<RegisterOutcome> {
  const { target = catalogFile(), folder = importsFolder(), onProgress } = options;
  const families = options.families ?? readFamilies(new URL('names.csv', specFactsFolder()));
  const read = await readRegister(name, file, families, onProgress);
  if (read.kind === 'refused') return read;
  mkdirSync(folder, { recursive: true });
  writeTable(join(folder, `${name}.csv`), read.rows);
  writeFileSync(join(folder, 'sources.csv'), sourcesOf(folder, name));
  const hash = inputHash();
  compileTo(target, hash, folder);
  if (target === catalogFile()) noteInputs(hash, 'built');
  return { kind: 'imported', file: target, records: read.records, variants: read.rows.length, refused: read.refused };
}

/** What a register's file says, without doing anything with it. */
export type RegisterReading =
  | { kind: 'read'; rows: SpecRow[]; records: number; refused: { reason: string; records: number }[] }
  | { kind: 'refused'; reason: string };

/** Reads a register's file into variants over spans of years. */
export async function readRegister(
  name: RegisterName,
  file: string,
  families: Families,
  onProgress?: (share: number) => void,
): Promise<RegisterReading> {
  if (!existsSync(file)) return { kind: 'refused', reason: `There is no file ${file}.` };
  const register = REGISTERS[name];
  const collector = new Collector(families);
  let records = 0;
  for await (const record of readRecords(file, register.format)) {
    if (records === 0) {
      const missing = register.columns.filter((column) => !record.has(column));
      if (missing.length > 0) return { kind: 'refused', reason: `${file} lacks the columns ${missing.join(', ')}.` };
    }
    if (++records % PROGRESS_EVERY === 0) onProgress?.(progressOf(records, file));
    collector.add(register.read((column) => record.get(column) ?? ''));
    if (collector.variants > MOST_VARIANTS) {
      return { kind: 'refused', reason: `${file} has more than ${MOST_VARIANTS} variants.` };
    }
  }
  const rows = mergeYears(collector.rows(register.fewest));
  if (rows.length === 0) return { kind: 'refused', reason: `${file} has no vehicle that a VIN could be read as.` };
  return { kind: 'read', rows, records, refused: collector.refusals() };
}

/** A record is about 200 bytes; the bar need not be exact. */
function progressOf(records: number, file: string): number {
  return Math.min(0.99, (records * 200) / statSync(file).size);
}

/** The list of imported tables with this one. */
function sourcesOf(folder: string, name: RegisterName): string {
  const { market, title, licence } = REGISTERS[name];
  const list = join(folder, 'sources.csv');
  const header = 'id,market,basis,coverage,title,publisher,licence,url';
  const others = existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n').slice(1) : [];
  const line = `${name},${market},registered,all,${title},,${licence},`;
  return `${[header, ...others.filter((other) => !other.startsWith(`${name},`)), line].join('\n')}\n`;
}

/** Counts variants and refusals of a register. */
class Collector {
  readonly #families: Families;
  readonly #rows = new Map<string, { row: SpecRow; count: number }>();
  readonly #refused = new Map<string, number>();

  constructor(families: Families) {
    this.#families = families;
  }

  get variants(): number {
    return this.#rows.size;
  }

  add(entry: RegisterEntry | string): void {
    const fault = typeof entry === 'string' ? entry : this.#take(entry);
    if (fault !== undefined) this.#refused.set(fault, (this.#refused.get(fault) ?? 0) + 1);
  }

  /** The variants that enough records have, since one may be a slip. */
  rows(fewest: number): SpecRow[] {
    return [...this.#rows.values()].filter(({ count }) => count >= fewest).map(({ row }) => row);
  }

  refusals(): { reason: string; records: number }[] {
    return [...this.#refused]
      .map(([reason, records]) => ({ reason, records }))
      .toSorted((a, b) => b.records - a.records || (a.reason < b.reason ? -1 : 1));
  }

  #take({ make, model, from, to, values }: RegisterEntry): string | undefined {
    const families = this.#families.find(make, model);
    if (families.length === 0) return 'a make or model that no VIN is read as';
    for (const family of families) {
      const row: SpecRow = Object.assign({ make: family.make, model: family.model, from, to }, sane(values));
      if (proportionFaults(row).length > 0) return 'proportions that no vehicle has';
      const key = JSON.stringify(row);
      const known = this.#rows.get(key);
      if (known === undefined) this.#rows.set(key, { row, count: 1 });
      else known.count++;
    }
    return undefined;
  }
}

/** The values that are within the bounds of their columns: a register's clerks also write 1 mm and 99,999 kg. */
function sane(values: RegisterEntry['values']): Partial<SpecRow> {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => name in SPEC_COLUMNS && faultOf(name as SpecColumn, String(value)) === undefined,
    ),
  );
}
