import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The databases of the releases: a folder for each version. */
export const RELEASES = fileURLToPath(new URL('../../../releases/', import.meta.url));

/** What is in a release's databases, as its users know it. */
export interface Known {
  key: string;
  revokedKey: string;
  /** Of a person who is signed in, and stays so. */
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

/** The files of one engine's database of a release. */
export interface ReleaseFiles {
  sqlite: string;
  postgres: string;
  known: string;
}

/** Where the databases of a release are. */
export function filesOf(version: string): ReleaseFiles {
  const folder = join(RELEASES, version);
  return {
    sqlite: join(folder, 'marque.db.gz'),
    postgres: join(folder, 'marque.sql'),
    known: join(folder, 'known.json'),
  };
}

/** The releases that a database is kept of. */
export function releases(): string[] {
  return readdirSync(RELEASES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}
