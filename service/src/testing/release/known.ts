import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The databases of the releases: a folder for each version. */
export const RELEASES = fileURLToPath(new URL('../../../releases/', import.meta.url));

/** The contents of a release's databases, as its users know them. */
export interface Known {
  key: string;
  revokedKey: string;
  /** The cookie of a person who stays signed in. */
  cookie: string;
  /** A job that has not begun, and how many VINs it decodes. */
  jobId: string;
  jobVins: number;
  /** Decodes that were charged. */
  charged: number;
  /** A VIN with a correction in force, and the model that it gives. */
  vin: string;
  model: string;
}

/** The folder of backups from before the tables of the first release were final. */
const EARLIER = 'earlier';

/** The contents of such a backup, as its users knew them. */
export interface EarlierKnown extends Omit<Known, 'cookie'> {
  /** Each `Idempotency-Key` with which a VIN was decoded. */
  repeatable: { key: string; vin: string }[];
  /** The jobs that were done, and how a line of their results begins. */
  finishedJobs: { id: string; line: string }[];
}

/** The backups from before the first release, by the day that their program is from. */
export function earlierBackups(): { day: string; file: string; known: EarlierKnown }[] {
  const folder = join(RELEASES, EARLIER);
  const known: Record<string, EarlierKnown> = JSON.parse(readFileSync(join(folder, 'known.json'), 'utf8'));
  return Object.entries(known).map(([day, each]) => ({ day, file: join(folder, `${day}.gz`), known: each }));
}

/** The files of one engine's database of a release. */
export interface ReleaseFiles {
  sqlite: string;
  postgres: string;
  known: string;
}

/** Returns the databases of a release. */
export function filesOf(version: string): ReleaseFiles {
  const folder = join(RELEASES, version);
  return {
    sqlite: join(folder, 'marque.db.gz'),
    postgres: join(folder, 'marque.sql'),
    known: join(folder, 'known.json'),
  };
}

/** Returns the releases that a database is kept of. */
export function releases(): string[] {
  return readdirSync(RELEASES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== EARLIER)
    .map(({ name }) => name);
}
