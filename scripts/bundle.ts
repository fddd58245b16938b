// Bundles the JavaScript of the service into service/bundle/, so that a start loads fewer files: our own code with the
// two libraries that consist of hundreds of files each. All others stay packages. Does nothing when the bundle is newer
// than its inputs.
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Plugin, rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const BUILT = join(ROOT, 'service', 'dist');
const BUNDLE = join(ROOT, 'service', 'bundle');

/** Matches bundled modules: relative imports, and these packages. */
const BUNDLED = /^(?:\.{0,2}\/|@marque\/(?:decoder|catalog\/(?:cells|tables|values))$|(?:kysely|typebox)(?:\/|$))/;

/** The module that locates the catalog's files by its own place: it stays in its package. */
const CATALOG_PATHS = join(ROOT, 'catalog', 'dist', 'src', 'root.js');

/** Matches files that are not part of the service. */
const OTHERS = /\.test\.js$|^testing\/|\/testing\/|^contract-files\//;

/** The script of a thread, named by the module that starts it. */
const THREAD = /scriptBeside\(import\.meta\.url, ['"]([\w-]+)['"]\)/g;

const modules = globSync('**/*.js', { cwd: BUILT })
  .map((path) => path.replaceAll(sep, '/'))
  .filter((path) => !OTHERS.test(path));

/**
 * A module finds assets, documents and the scripts of threads from where it is. In the bundle it is where it was built,
 * with `bundle` instead of `dist`.
 */
const moduleUrls: Plugin = {
  name: 'module-urls',
  transform(code, id) {
    if (!id.startsWith(BUILT)) return undefined;
    const path = relative(BUILT, id).replaceAll(sep, '/');
    return code.replaceAll('import.meta.url', `__moduleUrl(${JSON.stringify(path)})`);
  },
  renderChunk(code, { fileName }) {
    return code.replaceAll(/__moduleUrl\("([^"]+)"\)/g, (_, path: string) => {
      const from = posix.relative(posix.dirname(fileName), path);
      return `new URL(${JSON.stringify(from)}, import.meta.url).href`;
    });
  },
};

const catalogPaths: Plugin = {
  name: 'catalog-paths',
  async resolveId(source, importer) {
    const found = await this.resolve(source, importer, { skipSelf: true });
    return found?.id === CATALOG_PATHS ? { id: '@marque/catalog/paths', external: true } : null;
  },
};

if (!isFresh()) await bundle();

/** Returns true if the bundle was written after all of its inputs. */
function isFresh(): boolean {
  if (!existsSync(BUNDLE)) return false;
  const packages = globSync('{catalog,decoder}/dist/**/*.js', { cwd: ROOT }).map((path) => join(ROOT, path));
  const own = [fileURLToPath(import.meta.url), join(ROOT, 'package-lock.json')];
  const sources = [...modules.map((path) => join(BUILT, path)), ...packages, ...own];
  const since = statSync(BUNDLE).mtimeMs;
  return sources.every((path) => statSync(path).mtimeMs < since);
}

async function bundle(): Promise<void> {
  const built = await rolldown({
    input: Object.fromEntries(['cli.js', ...modules.flatMap(threadsOf)].map((path) => [path, join(BUILT, path)])),
    platform: 'node',
    // The inputs are JavaScript.
    tsconfig: false,
    external: (id, _importer, isResolved) => !isResolved && !BUNDLED.test(id) && !id.startsWith(ROOT),
    plugins: [catalogPaths, moduleUrls],
  });
  // Beside the folder that it replaces: a bundle is there whole or not at all.
  const folder = `${BUNDLE}-${process.pid}`;
  try {
    const { output } = await built.write({
      dir: folder,
      format: 'esm',
      entryFileNames: '[name]',
      chunkFileNames: 'chunks/[name]-[hash].js',
    });
    const ids = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
    writeFileSync(join(folder, 'LICENSES'), licenses(ids));
    rmSync(BUNDLE, { recursive: true, force: true });
    renameSync(folder, BUNDLE);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the scripts of threads that a module starts, which are loaded by their address. */
function threadsOf(path: string): string[] {
  const code = readFileSync(join(BUILT, path), 'utf8');
  return [...code.matchAll(THREAD)].map(([, name = '']) => posix.join(posix.dirname(path), `${name}.js`));
}

/** Returns the licenses of the packages of others that these modules belong to. */
function licenses(ids: readonly string[]): string {
  const folders = ids.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll(sep, '/')) ?? []);
  return [...new Set(folders)]
    .toSorted()
    .map((folder) => {
      const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: folder });
      if (file === undefined) throw new Error(`${folder} has no license.`);
      const { name, version }: { name: string; version: string } = JSON.parse(
        readFileSync(join(folder, 'package.json'), 'utf8'),
      );
      return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8')}`;
    })
    .join('\n\n');
}
