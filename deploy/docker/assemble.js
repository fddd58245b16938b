// Copies the contents of the image, and nothing else, into a folder: `node deploy/docker/assemble.js FOLDER`, from the
// root of a built clone. The image has them under /marque, and its volume under /data.
import { copyFileSync, cpSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const image = process.argv[2];
if (image === undefined) throw new Error('Usage: node deploy/docker/assemble.js FOLDER');
const target = join(image, 'marque');

const NESTED = 'node_modules/';

/** Parts of the clone that run. Corrections are checked against the facts; the documents are pages. */
const PARTS = [
  'LICENSE',
  'NOTICE',
  'decoder/package.json',
  'decoder/dist',
  'catalog/package.json',
  'catalog/dist',
  'catalog/facts',
  'catalog/build/marque.catalog',
  'service/package.json',
  'service/bin',
  'service/bundle',
  'service/src/metering/charge.sql',
  'service/assets',
  ...globSync('docs/*.md'),
  'CHANGELOG.md',
];

/** Packages that are not needed: Node, which goes elsewhere; bundlers; vPIC's tables, which are compiled. */
const BUILDING =
  /^node_modules\/(?:node-(?:linux|bin-darwin|darwin|win)-\w+$|@types\/|@marque\/client$|rolldown(?:$|\/)|@(?:rolldown|oxc-project|esbuild|cardog)\/|lightningcss)/;

/** Sources of native code, of which the package brings the binaries. */
const SOURCES = new Set(['deps', 'src'].map((folder) => join('node_modules', 'better-sqlite3', folder)));

/** The binaries that a package brings for every platform: `linux-x64.node`, beside `linuxmusl-x64.node` and others. */
const PREBUILT = /\/prebuilds\/[^/]+\.node$/;
const OWN_BINARY = `/${process.platform}-${process.arch}.node`;

/** Matches files and folders for developers only: types, sources of compiled files, manuals, tests; never a license. */
const FOR_DEVELOPERS =
  /\.(?:map|tsbuildinfo|[cm]?ts|md)$|\/(?:tests?|__tests__|examples?|benchmarks?|coverage|\.github)$/;
const LICENSE = /licen[cs]e|notice|copying/i;

/** Libraries that Node loads and the image's base lacks. */
const MISSING_LIBRARIES = /\/libatomic\.so/;

for (const part of PARTS) copy(part, (path) => !/\.(?:map|tsbuildinfo|d\.ts)$/.test(path));
for (const folder of packagesThatRun()) copy(folder, (path) => isOwn(path, folder) && runs(path));
place(process.execPath, 'bin', 'node');
mkdirSync(join(target, 'lib'), { recursive: true });
for (const library of loadedLibraries()) if (MISSING_LIBRARIES.test(library)) place(library, 'lib', basename(library));
mkdirSync(join(image, 'data'), { recursive: true });

/**
 * @param {string} path
 * @param {(path: string) => boolean} filter
 */
function copy(path, filter) {
  cpSync(path, join(target, path), { recursive: true, verbatimSymlinks: true, filter });
}

/**
 * @param {string} file
 * @param {string} folder
 * @param {string} name
 */
function place(file, folder, name) {
  mkdirSync(join(target, folder), { recursive: true });
  copyFileSync(file, join(target, folder, name));
}

/** Lists folders of the packages that the lock file counts among those that run, for this machine. */
function packagesThatRun() {
  /** @type {{ packages: Record<string, { dev?: boolean; devOptional?: boolean; peer?: boolean }> }} */
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  return Object.entries(lock.packages)
    .filter(([path, { dev, devOptional, peer }]) => path.includes(NESTED) && !dev && !devOptional && !peer)
    .map(([path]) => path)
    .filter((path) => !BUILDING.test(path) && existsSync(path));
}

/** @param {string} path of a package's file or folder */
function runs(path) {
  if (SOURCES.has(path) || (PREBUILT.test(path) && !path.endsWith(OWN_BINARY))) return false;
  return !FOR_DEVELOPERS.test(path) || LICENSE.test(basename(path));
}

/**
 * Packages inside a package are on the list themselves.
 *
 * @param {string} path
 * @param {string} folder
 */
function isOwn(path, folder) {
  return !path.slice(folder.length).includes('node_modules');
}

/** Every shared library that this process has loaded, by its path. */
function loadedLibraries() {
  /** @type {{ sharedObjects: string[] }} */
  const report = JSON.parse(JSON.stringify(process.report.getReport()));
  return report.sharedObjects;
}
