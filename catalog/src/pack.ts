import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { keptFamilies } from '../sources/specs/vocabulary.ts';
import { ensureCatalog } from './build.ts';
import { putInPlace } from './put-in-place.ts';
import { PACKED_CATALOG, PROJECT_ROOT } from './root.ts';

const PACKAGES = ['decoder', 'catalog', 'service', 'client'];

/** Papers of the project that go into packages, by what each is called there. */
const PAPERS: readonly (readonly [from: string, to: string])[] = [
  ...PACKAGES.map((name) => ['LICENSE', `${name}/LICENSE`] as const),
  ...PACKAGES.filter((name) => name !== 'client').map((name) => ['NOTICE', `${name}/NOTICE`] as const),
  ...globSync('docs/*.md', { cwd: PROJECT_ROOT }).map((path) => [path, `service/docs/${basename(path)}`] as const),
  ['CHANGELOG.md', 'service/docs/changelog.md'],
];

/**
 * A second more of compression: the catalog is packed once, and downloaded by each browser. Little memory makes short
 * blocks, each with its own code, which suit the catalog's many tables: 2 % less than with all the memory.
 */
const SMALLEST = { level: 9, memLevel: 5 };

/**
 * Writes the packages' files beside their code: the catalog compressed for browsers, the names of families, license,
 * sources and documents. Part of each build, not of `npm pack`, which leaves out scripts if a setting forbids them.
 */
export function packCatalog(): void {
  const { file } = ensureCatalog();
  keptFamilies();
  if (isOlder(PACKED_CATALOG, file)) putInPlace(gzipSync(readFileSync(file), SMALLEST), PACKED_CATALOG);
  for (const [from, to] of PAPERS) copyNewer(join(PROJECT_ROOT, from), join(PROJECT_ROOT, to));
}

/** Copies a newer file. An image is built from less than the clone: missing files are not needed. */
function copyNewer(from: string, to: string): void {
  if (!existsSync(from) || !existsSync(dirname(dirname(to))) || !isOlder(to, from)) return;
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

function isOlder(file: string, than: string): boolean {
  return !existsSync(file) || statSync(file).mtimeMs < statSync(than).mtimeMs;
}
