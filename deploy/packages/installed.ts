import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const CLONE = fileURLToPath(new URL('../../', import.meta.url));

/** The packages that are published, by their folder. */
const PACKAGES = ['decoder', 'catalog', 'service', 'client'] as const;

/** An empty folder with the packages installed, as their user has it. */
export interface Installed extends Disposable {
  folder: string;
  /** What a command in the folder sees: this Node first, no registry, and its own home. */
  env: NodeJS.ProcessEnv;
}

/**
 * Packs every package as it would be published, and puts them into an empty folder as npm does. Of other packages only
 * those are there that ours declare to need: they come from the clone, so that no registry has to answer.
 */
export async function installPackages(): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'marque-packages-'));
  const env = {
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: folder,
    npm_config_offline: 'true',
    // As many machines set it: a package must be whole without its scripts.
    npm_config_ignore_scripts: 'true',
  };
  const pack = ['pack', '--silent', ...PACKAGES.map((name) => `--workspace=${name}`), `--pack-destination=${folder}`];
  const { stdout } = await run('npm', pack, { cwd: CLONE, env });
  const files = stdout.trim().split('\n');
  await Promise.all(PACKAGES.map(async (name, index) => install(name, join(folder, files[index] ?? ''), folder)));
  return { folder, env, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

async function install(name: string, file: string, folder: string): Promise<void> {
  const home = join(folder, 'node_modules', '@marque', name);
  mkdirSync(home, { recursive: true });
  await run('tar', ['-xzf', file, '-C', home, '--strip-components=1']);
  const { bin = {}, dependencies = {} }: Manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  for (const [command, file] of Object.entries(bin)) {
    link(join(home, file), join(folder, 'node_modules', '.bin', command));
  }
  for (const needed of Object.keys(dependencies)) {
    if (!needed.startsWith('@marque/')) link(inClone(name, needed), join(folder, 'node_modules', needed));
  }
}

/** npm keeps a package beside the only one of ours that needs it, or beside all. */
function inClone(name: string, needed: string): string {
  const own = join(CLONE, name, 'node_modules', needed);
  return existsSync(own) ? own : join(CLONE, 'node_modules', needed);
}

interface Manifest {
  bin?: Record<string, string>;
  dependencies?: Record<string, string>;
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) symlinkSync(target, path);
}

/** The examples of one language in a package's README, in order. */
export function examplesIn(folder: string, language: string): string[] {
  const file = join(folder, 'README.md');
  if (!existsSync(file)) throw new Error(`There is no ${file}.`);
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)].flatMap(([, named, code = '']) =>
    named === language ? [code] : [],
  );
}
