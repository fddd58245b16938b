import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import Database from 'better-sqlite3';

import { npmPackageFile } from './npm-package-file.ts';

/**
 * Opens the npm package's vPIC tables read-only.
 *
 * The unpacked file (75 MB) is kept in the system's temporary folder under its hash, so the next open is quick.
 */
export function openNpmPackage(): Database.Database {
  const packed = readFileSync(npmPackageFile());
  const hash = createHash('sha256').update(packed).digest('hex').slice(0, 16);
  const file = join(tmpdir(), 'marque-vpic', `${hash}.db`);
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    const partial = `${file}.${process.pid}`;
    writeFileSync(partial, gunzipSync(packed));
    renameSync(partial, file);
  }
  return new Database(file, { readonly: true, fileMustExist: true });
}
