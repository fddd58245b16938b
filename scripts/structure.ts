// Checks the structure of the source: imports go down the floors of the service, and enter a slice by its face, which hands
// out nothing of the kernel; nothing imports in a circle (no file, even for types alone, and no folder), one file names all
// slices, pages hold no SQL, the decoder names no make, and READMEs name only files that exist. Prints each fault; exit
// status 1 if there is one.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

import { parseSync } from 'oxc-parser';

import { makeFaults } from './makes.ts';
import { wordFaults } from './words.ts';

/** The service's floors, highest first: a file may import from its own floor and from those below. */
const FLOORS: readonly { name: string; path: RegExp }[] = [
  { name: 'the command line', path: /^service\/src\/(?:cli\/|cli\.ts$|contract-files\/)/ },
  { name: 'composition', path: /^service\/src\/(?:cluster\/|[^/]+$)/ },
  { name: 'the slices', path: /^service\/src\/(?!kernel\/)/ },
  { name: 'the kernel', path: /^service\/src\/kernel\// },
];

/** The imports of each place in the source. */
type Graph = Map<string, Set<string>>;

/** Matches folders that must not import one another in a circle; elsewhere only files are checked. */
const FOLDERS_IN_ORDER = /^(?:service|client|decoder|catalog\/src|catalog\/sources)(?:\/|$)/;

/** The one file that names every slice; slices' own modules are read by nothing else of the composition. */
const LIST = 'service/src/slices.ts';
/** The faces of a slice: what others may import of its code, its pages and its commands. */
const FACE = /^service\/src\/[^/]+\/(?:pages\/|cli\/)?index\.ts$/;
/** A folder of the slices' floor. */
const IN_SLICE = /^service\/src\/(?!kernel\/|cli\/|cluster\/|contract-files\/)([^/]+)\//;
const SLICE = /^service\/src\/(?!kernel\/)[^/]+\/slice\.ts$/;

/** The part of the catalog's code that measures and learns, and the face of the package, which alone may name it. */
const LAB = /^catalog\/src\/lab\//;
const CATALOG_FACE = 'catalog/src/index.ts';

/** Pages: they show what functions of the slices read. */
const IS_PAGE = /^service\/src\/(?:.*\/pages\/.*|.*\.tsx)$/;
const QUERY = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|selectNoFrom)\(|\bsql(?:<|`)/;

/** A slice's table in its declaration, and a table in a query. */
const DECLARED = /^ {2}(\w+): table\(/gm;
const QUERIED =
  /\b(?:FROM|INTO|TABLE|LIKE|UPDATE|JOIN) (\w+)|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\('(\w+)'/g;
const KERNEL = /^service\/src\/kernel\//;

const SOURCES = ['decoder/src', 'catalog/src', 'catalog/sources', 'service/src', 'client/src'];
const ALL_CODE = '{decoder,catalog,service,client,bench,deploy,scripts}/**/*.{ts,tsx,js}';
const IS_MADE = /(?:^|\/)(?:node_modules|dist|bundle|build|generated)(?:\/|$)/;

const IS_TEST = /\.test\.tsx?$|\/testing\//;

const files = SOURCES.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`))
  .map((file) => file.replaceAll(sep, '/'))
  .filter((file) => !IS_TEST.test(file));
const imports: Graph = new Map(files.map((file) => [file, importsOf(file)]));
const faults = [
  ...climbs(imports),
  ...otherLists(imports),
  ...pastFaces(imports),
  ...files.filter((file) => FACE.test(file)).flatMap(ofKernelIn),
  ...intoLab(imports),
  ...files.flatMap((file) => makeFaults(file, readFileSync(file, 'utf8'))),
  ...files.filter((file) => IS_PAGE.test(file)).flatMap(queriesIn),
  ...tablesOfSlicesInKernel(),
  ...folders(files).flatMap((folder) => circlesIn(folder, imports)),
  ...SOURCES.flatMap((folder) => globSync(`${folder}/**/README.md`)).flatMap(missingFiles),
  ...globSync(ALL_CODE, { exclude: (path) => IS_MADE.test(path.replaceAll(sep, '/')) })
    .map((file) => file.replaceAll(sep, '/'))
    .flatMap((file) => wordFaults(file, readFileSync(file, 'utf8'))),
];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;

/**
 * Lists files that a README names and that do not exist. It names a file by its path from the README's folder, or from
 * the root.
 */
function missingFiles(readme: string): string[] {
  const names = [...readFileSync(readme, 'utf8').matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name]) => name ?? '');
  return names
    .filter((name) => !name.includes('NNNN') && !existsSync(name) && !existsSync(join(dirname(readme), name)))
    .map((name) => `${readme} names ${name}, which does not exist`);
}

/** Returns the files of ours that a file imports, types included. */
function importsOf(file: string): Set<string> {
  const ours = modulesOf(file).filter((name) => name.startsWith('.'));
  return new Set(ours.map((name) => join(dirname(file), name).replaceAll(sep, '/')));
}

/** Returns the files of ours that a file loads when it needs them. They may make circles, but go up no floor. */
function lazyImportsOf(file: string): string[] {
  const names = readFileSync(file, 'utf8').matchAll(/\bimport\('(\.[^']+)'\)/g);
  return [...names].map(([, name]) => join(dirname(file), name ?? '').replaceAll(sep, '/'));
}

/** Lists the imports of a file, by their specifiers, types included. */
function modulesOf(file: string): string[] {
  const { module } = parseSync(file, readFileSync(file, 'utf8'));
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
  ];
}

/**
 * Files of the composition and the command line, other than the list, that name slices instead of looping over them.
 */
function otherLists(graph: Graph): string[] {
  return [...graph].flatMap(([file, targets]) =>
    file === LIST || !isAboveSlices(file)
      ? []
      : [...targets]
          .filter((target) => SLICE.test(target))
          .map((target) => `${file} names ${target}: only ${LIST} does`),
  );
}

/** Imports that reach into a slice from outside, past its faces. */
function pastFaces(graph: Graph): string[] {
  return [...graph].flatMap(([file, targets]) =>
    [...targets, ...lazyImportsOf(file)]
      .filter((target) => sliceOf(target) !== undefined && sliceOf(target) !== sliceOf(file))
      .filter((target) => !FACE.test(target) && !(file === LIST && SLICE.test(target)))
      .map((target) => `${file} imports ${target} past the faces of its slice`),
  );
}

/** Lists what a face hands out that is the kernel's: a slice declares its own things, and others find the kernel's there. */
function ofKernelIn(face: string): string[] {
  if (sliceOf(face) === undefined) return [];
  const { module } = parseSync(face, readFileSync(face, 'utf8'));
  const sources = module.staticExports.flatMap(({ entries }) =>
    entries.map(({ moduleRequest }) => moduleRequest?.value),
  );
  return sources
    .filter((source) => source?.includes('/kernel/'))
    .map((source) => `${face} hands out what ${source} declares`);
}

/** Imports of the lab by what compiles or imports facts: it must work without. */
function intoLab(graph: Graph): string[] {
  return [...graph].flatMap(([file, targets]) =>
    LAB.test(file) || file === CATALOG_FACE
      ? []
      : [...targets]
          .filter((target) => LAB.test(target))
          .map((target) => `${file} imports ${target}: only the lab does`),
  );
}

/** Returns the slice that a file belongs to; undefined: none. */
function sliceOf(file: string): string | undefined {
  return IN_SLICE.exec(file)?.[1];
}

function isAboveSlices(file: string): boolean {
  const floor = floorOf(file);
  return floor !== -1 && floor < FLOORS.findIndex(({ name }) => name === 'the slices');
}

/** Lists a page's own database queries. */
function queriesIn(file: string): string[] {
  const found = QUERY.exec(readFileSync(file, 'utf8'))?.[0];
  return [
    ...(modulesOf(file).includes('kysely') ? [`${file} is a page, but imports kysely`] : []),
    ...(found === undefined ? [] : [`${file} is a page, but asks the database: ${found}`]),
  ];
}

/** Lists queries of the kernel that name a table which a slice declares. */
function tablesOfSlicesInKernel(): string[] {
  const declared = new Set(
    files
      .filter((file) => IN_SLICE.test(file) && file.endsWith('/tables.ts'))
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(DECLARED)].map(([, name]) => name)),
  );
  return files
    .filter((file) => KERNEL.test(file))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(QUERIED)]
        .map(([, name, other]) => name ?? other)
        .filter((name) => declared.has(name))
        .map((name) => `${file} is of the kernel, but asks for ${name}, the table of a slice`),
    );
}

/** Returns a file's floor, 0 for the highest; -1: it is outside the service. */
function floorOf(file: string): number {
  return FLOORS.findIndex(({ path }) => path.test(file));
}

/** Imports that go up a floor. */
function climbs(graph: Graph): string[] {
  return [...graph].flatMap(([file, targets]) =>
    [...targets, ...lazyImportsOf(file)]
      .filter((target) => floorOf(target) !== -1 && floorOf(target) < floorOf(file))
      .map((target) => `${file} is below ${FLOORS[floorOf(target)]?.name ?? ''}, but imports ${target}`),
  );
}

/** Returns every folder with a file, at any depth. */
function folders(all: readonly string[]): string[] {
  const found = new Set<string>();
  for (const file of all) for (let at = dirname(file); at !== '.'; at = dirname(at)) found.add(at);
  return [...found];
}

/** Returns the circles among the files and folders directly in a folder. */
function circlesIn(folder: string, graph: Graph): string[] {
  const childOf = (file: string): string | undefined => {
    const path = relative(folder, file).replaceAll(sep, '/');
    return path.startsWith('..') ? undefined : path.split('/')[0];
  };
  const children: Graph = new Map();
  const examples = new Map<string, string>();
  for (const [file, targets] of graph) {
    const from = childOf(file);
    if (from === undefined) continue;
    for (const target of targets) {
      const to = childOf(target);
      if (to === undefined || to === from) continue;
      if (!FOLDERS_IN_ORDER.test(folder) && !(isFile(from) && isFile(to))) continue;
      children.set(from, (children.get(from) ?? new Set()).add(to));
      examples.set(`${from} ${to}`, `${file} -> ${target}`);
    }
  }
  return [...children.keys()].flatMap((start) => {
    const circle = wayBack(children, start);
    // A circle is reported once: where its first name begins it.
    if (circle === undefined || circle.some((name) => name < start)) return [];
    const steps = circle.map((name, index) => examples.get(`${name} ${circle[index + 1] ?? start}`));
    return [`circle in ${folder}: ${[...circle, start].join(' -> ')}\n    ${steps.join('\n    ')}`];
  });
}

function isFile(name: string): boolean {
  return name.includes('.');
}

/** Returns the shortest way from a place back to itself; undefined: there is none. */
function wayBack(graph: Graph, start: string): string[] | undefined {
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    for (const next of graph.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return way;
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}
