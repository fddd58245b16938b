import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { RegisterName } from '../../sources/registers/index.ts';
import { Families } from '../../sources/specs/names.ts';
import { readRegister, type RegisterReading } from '../import/read-register.ts';

/** Families that the tests' registers name. */
const FAMILIES = [
  ['Skoda', 'Octavia'],
  ['Citroen', 'C4'],
  ['Renault', 'Clio'],
  ['Honda', 'Civic'],
  ['Honda', 'Accord'],
  ['Volkswagen', 'Passat'],
  ['Nissan', 'Murano'],
  ['Subaru', 'Legacy'],
] as const;

const families = new Families(
  FAMILIES.map(([make, model]) => ({ make, model, badges: [] })),
  'make,pattern,model\n',
);

/** The files of one test file. */
export const folder = mkdtempSync(join(tmpdir(), 'register-'));
let files = 0;

/** Writes a file and gives its path. */
export function fileOf(bytes: string | Buffer, name = `register-${files++}.csv`): string {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

/** Returns a table's text: the header's line and the records'. */
export function table(header: string, records: readonly string[], end = '\r\n'): string {
  return [header, ...records, ''].join(end);
}

/** Reads files as a register. */
export const read = (name: RegisterName, ...paths: string[]): Promise<RegisterReading> =>
  readRegister(name, paths, () => families);

/** Returns the same, of files that are not refused. */
export async function tablesOf(
  name: RegisterName,
  ...paths: string[]
): Promise<Extract<RegisterReading, { kind: 'read' }>> {
  const reading = await read(name, ...paths);
  if (reading.kind === 'refused') throw new Error(reading.reason);
  return reading;
}

/** A record as often as it takes to be no slip of the pen. */
export const three = (record: string): string[] => Array<string>(3).fill(record);
