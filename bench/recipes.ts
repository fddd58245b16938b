// The recipes of docs/data.md, run as they are printed, in a folder of their own.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { distinctVins } from './distinct-vins.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs', 'data.md'), 'utf8');
/** The folder in which the page installs the package: the only part that is not used as printed. */
const INSTALLED = '/opt/marque';
const PYTHON = process.env['PYTHON'] ?? '/usr/bin/python3';
const MOST_FILES = 40;

/** The file of the catalog that the package contains. */
export const CATALOG = join(ROOT, 'catalog', 'build', 'marque.catalog');

const NEEDS: readonly { what: string; engine?: string; isThere: () => boolean; install: string }[] = [
  {
    what: 'the Python package',
    isThere: () => existsSync(join(ROOT, 'decoder/python/src/marque_decoder/node/worker.mjs')),
    install: 'npm ci && npm run python',
  },
  { what: 'venv', isThere: () => imports('venv, ensurepip'), install: 'apt-get install python3-venv' },
  { what: 'pandas', isThere: () => imports('pandas'), install: 'apt-get install python3-pandas' },
  {
    what: 'Dask',
    engine: 'dask',
    isThere: () => imports('dask.dataframe, distributed'),
    install: 'apt-get install python3-distributed',
  },
  {
    what: 'ClickHouse',
    engine: 'clickhouse',
    isThere: () => resolved('chdb'),
    install: 'npm install --no-save chdb@3.4.0',
  },
];

/** Lists programs to install for the chosen engines, and how; a line each. */
export function missing(isWanted: (engine: string) => boolean): string[] {
  const needed = NEEDS.filter(({ engine, isThere }) => (engine === undefined || isWanted(engine)) && !isThere());
  return needed.map(({ what, install }) => `${what} is missing: ${install}`);
}

/** Returns the code under a heading of the page, in one language, in its order. @throws Error when there is none. */
export function recipes(heading: string, language: string): string[] {
  const section = PAGE.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const found = blocks.filter(([, its]) => its === language).map(([, , code = '']) => code);
  if (found.length === 0) throw new Error(`docs/data.md has no ${language} under "${heading}".`);
  return found;
}

/** Returns the first of them. @throws Error when there is none. */
export function recipe(heading: string, language: string): string {
  return recipes(heading, language)[0] ?? '';
}

/** Prints how long all rows took since a time, beside the same rows in a pipe. */
export type Tell = (what: string, begunMs: number) => void;

/** A folder to run recipes in, with the tables that they read. */
export class Workplace {
  readonly folder = mkdtempSync(join(tmpdir(), 'marque-engines-'));
  /** The rows of each file but the last. */
  readonly #most: number;
  /** The rows of each file. */
  readonly #sizes: number[] = [];

  /** The number of VINs in the fleet. */
  readonly rows: number;

  constructor(rows: number) {
    this.rows = rows;
    this.#most = Math.ceil(rows / MOST_FILES);
    for (const name of ['fleet', 'decoded', 'catalogs', 'user_scripts']) mkdirSync(this.path(name));
    for (let left = rows; left > 0; left -= this.#most) {
      const file = this.#sizes.push(Math.min(left, this.#most)) - 1;
      const lines = this.vinsOf(file).map((vin, row) => `${this.firstOf(file) + row},${vin}\n`);
      writeFileSync(this.path('fleet', `${String(file).padStart(2, '0')}.csv`), `id,vin\n${lines.join('')}`);
    }
    // The first line of the recipe builds the clone, which is there.
    const lines = recipe('Install', 'sh').trim().split('\n').slice(1);
    for (const line of lines) this.#run('sh', ['-c', this.placed(line).replace(/^python3 /, `${PYTHON} `)], ROOT);
  }

  /** The number of files of the fleet. */
  get files(): number {
    return this.#sizes.length;
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  /** Returns the VINs of a file, the same ones every time. */
  vinsOf(file: number): string[] {
    return distinctVins(this.#sizes[file] ?? 0, file + 1);
  }

  /** Returns the number of a file's first row. */
  firstOf(file: number): number {
    return file * this.#most;
  }

  /** Returns a recipe with the package where it is installed here. */
  placed(recipe: string): string {
    return recipe.replaceAll(INSTALLED, this.path('installed'));
  }

  /** Runs Python. @returns its output. */
  python(code: string): string {
    return this.#run(this.path('installed/bin/python'), ['-c', code]);
  }

  /** The same, without waiting; give it to `finished`. */
  startPython(code: string): ChildProcess {
    return spawn(this.path('installed/bin/python'), ['-c', code], { ...this.#options(), stdio: 'inherit' });
  }

  /** Starts a line of shell that runs until it is ended. */
  start(line: string): ChildProcess {
    return spawn('sh', ['-c', `exec ${this.placed(line)}`], {
      ...this.#options(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  #run(command: string, words: string[], cwd = this.folder): string {
    return execFileSync(command, words, { ...this.#options(), cwd, encoding: 'utf8' });
  }

  #options() {
    return { cwd: this.folder, env: withTools() };
  }
}

/** Returns the environment with this Node, and the command `marque`, on the path. */
export function withTools(): NodeJS.ProcessEnv {
  const path = [dirname(process.execPath), join(ROOT, 'node_modules', '.bin'), process.env['PATH']];
  return { ...process.env, PATH: path.join(delimiter) };
}

function imports(modules: string): boolean {
  try {
    execFileSync(PYTHON, ['-c', `import ${modules}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function resolved(name: string): boolean {
  try {
    return createRequire(import.meta.url).resolve(name) !== '';
  } catch {
    return false;
  }
}
