import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';

import { type RegisterName, REGISTERS } from '../../sources/registers/index.ts';
import { type FileFacts, locate, type Register } from '../../sources/registers/register.ts';
import type { Families } from '../../sources/specs/names.ts';
import { type OnShare, TableError, type Watch } from '../../sources/specs/open-table.ts';
import { readLines, type TableLine } from '../../sources/specs/records.ts';
import { readVpicJson } from '../../sources/registers/vpic-json.ts';
import { Contents } from './contents.ts';
import { Collector, type RegisterTables } from './collector.ts';
import { type Refusal, Refusals } from './refusals.ts';

/** The contents of a register's files, without any effect; a refused reading has the reason for a person. */
export type RegisterReading =
  | ({ kind: 'read'; records: number; taken: number; refused: Refusal[] } & RegisterTables)
  | { kind: 'refused'; reason: string };

/**
 * Reads a register's files into variants over spans of years and types by VIN mask. Streams, in bounded memory.
 *
 * @param families called when a file turns out to be one of the register: to read them takes seconds.
 */
export async function readRegister(
  name: RegisterName,
  files: readonly string[],
  families: () => Families,
  onShare: OnShare = () => undefined,
): Promise<RegisterReading> {
  const reader = new Reader(name, families, files.length > 1);
  const contents = new Contents();
  try {
    const sizes = files.map((file) => (existsSync(file) ? statSync(file).size : 0));
    const total = sizes.reduce((sum, size) => sum + size, 0) || 1;
    let before = 0;
    for (const [index, file] of files.entries()) {
      const size = sizes[index] ?? 0;
      const hash = createHash('sha256');
      await reader.read(file, { onShare: (share) => onShare((before + share * size) / total), hash });
      contents.note(file, hash);
      before += size;
    }
    return reader.outcome(files);
  } catch (error) {
    if (error instanceof TableError) return { kind: 'refused', reason: error.message };
    if (isFileError(error)) return { kind: 'refused', reason: `A file cannot be read: ${error.message}.` };
    throw error;
  } finally {
    reader.close();
  }
}

class Reader {
  readonly #name: RegisterName;
  readonly #register: Register;
  readonly #several: boolean;
  readonly #families: () => Families;
  #collector: Collector | undefined;
  readonly #refusals = new Refusals();
  #records = 0;
  #taken = 0;

  constructor(name: RegisterName, families: () => Families, several: boolean) {
    this.#name = name;
    this.#register = REGISTERS[name];
    this.#several = several;
    this.#families = families;
  }

  async read(file: string, watch: Watch): Promise<void> {
    const facts: FileFacts = { year: yearInName(file) };
    let places: ReadonlyMap<string, number> | undefined;
    const lines = isJson(file) ? readVpicJson(file, watch) : readLines(file, this.#register.format, watch);
    for await (const line of lines) {
      if (places === undefined) {
        const located = locate(this.#register, line.fields);
        if (located.missing.length > 0) throw new TableError(strangeHeader(this.#name, file, located.missing, line));
        ({ places } = located);
      } else this.#take(line, places, facts, file);
    }
    if (places === undefined) throw new TableError(`${file} is empty.`);
  }

  #take({ line, fields }: TableLine, places: ReadonlyMap<string, number>, facts: FileFacts, file: string): void {
    this.#records++;
    const text = (column: string): string => fields[places.get(column) ?? -1]?.trim() ?? '';
    const entry = this.#register.read(text, facts);
    const fault = typeof entry === 'string' ? entry : this.#collect().add(entry);
    if (fault === undefined) this.#taken++;
    else this.#refusals.add(fault, this.#several ? `${basename(file)}:${line}` : String(line));
  }

  #collect(): Collector {
    return (this.#collector ??= new Collector(this.#families()));
  }

  outcome(files: readonly string[]): RegisterReading {
    const where = files.join(', ');
    const tables = this.#collect().tables(this.#register.fewest);
    if (tables === undefined) return { kind: 'refused', reason: `${where}: more variants than any register has.` };
    const refused = this.#refusals.list();
    if (tables.specs.length === 0 && tables.approvals.length === 0) {
      const why = refused.map(({ reason, records }) => `${records} records: ${reason}`).join('; ');
      return { kind: 'refused', reason: `${where}: no vehicle that a VIN could be read as. ${why}`.trim() };
    }
    return { kind: 'read', records: this.#records, taken: this.#taken, refused, ...tables };
  }

  close(): void {
    this.#collector?.close();
  }
}

/** Returns the refusal of a file that lacks columns: their names, and the register that it seems to be of. */
function strangeHeader(name: RegisterName, file: string, missing: readonly string[], { fields }: TableLine): string {
  const other = Object.entries(REGISTERS).find(
    ([id, register]) => id !== name && locate(register, fields).missing.length === 0,
  );
  const lacks = `${file} is no ${name} table: it lacks the columns ${missing.join(', ')}.`;
  if (other !== undefined) return `${lacks} It seems to be of ${other[1].title}: import it as ${other[0]}.`;
  const names = fields.slice(0, 5).map((field) => field.trim().slice(0, 30));
  return `${lacks} Its first line begins with ${names.join(' | ')}.`;
}

function yearInName(file: string): number {
  const years = new Set(basename(file).match(/(?<!\d)20[12]\d(?!\d)/g));
  return years.size === 1 ? Number([...years][0]) : 0;
}

function isJson(file: string): boolean {
  return /\.json$/i.test(file);
}

/** Returns true if a file could not be read, rather than another fault. */
export function isFileError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(?:ENOENT|EACCES|EISDIR|EPERM)$/.test(String(error.code));
}
