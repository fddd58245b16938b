import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { diskFolder } from '../../service/src/testing/data-folder.ts';
import { linkTree } from '../../service/src/testing/link-tree.ts';

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
 * Packs every package as it would be published, and has npm install them in an empty folder, with all that they need. On this
 * machine nothing can be compiled.
 */
export async function installPackages(): Promise<Installed> {
  const folder = diskFolder('marque packages ü-');
  const env = {
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: folder,
    npm_config_offline: 'true',
    // As many machines set it: a package must be whole without its scripts.
    npm_config_ignore_scripts: 'true',
  };
  const pack = ['pack', '--silent', ...PACKAGES.map((name) => `--workspace=${name}`), `--pack-destination=${folder}`];
  const { stdout } = await run('npm', pack, { cwd: CLONE, env });
  const files = stdout
    .trim()
    .split('\n')
    .map((name) => join(folder, name));
  linkDependencies(folder);
  await run('npm', ['install', '--no-audit', ...files], { cwd: folder, env: installing(env.PATH) });
  return { folder, env, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

interface Locked {
  dev?: boolean;
  devOptional?: boolean;
  peer?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
}

/**
 * Puts packages that others need where npm would put them: to unpack them again would take it most of its time. It keeps those
 * that the packages' own lists ask for and removes the others, so a package that is missing in a list is missing. What has an
 * install script is not there yet, and runs it.
 */
function linkDependencies(folder: string): void {
  const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync(join(CLONE, 'package-lock.json'), 'utf8'));
  for (const [path, { dev, devOptional, peer, optional, hasInstallScript }] of Object.entries(lock.packages)) {
    if (!/^node_modules\/(?!@marque\/)(?:@[^/]+\/)?[^/]+$/.test(path)) continue;
    if (dev || devOptional || peer || optional || hasInstallScript) continue;
    linkTree(join(CLONE, path), join(folder, path));
  }
}

/**
 * As npm is set up here, proxies and certificates included, but with scripts, and without a compiler. A package that this Node is too
 * old for is refused.
 */
function installing(path: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: path,
    CC: 'false',
    CXX: 'false',
    npm_config_ignore_scripts: 'false',
    npm_config_engine_strict: 'true',
    npm_config_prefer_offline: 'true',
    // npm asks the registry also for those of these packages that it has not placed yet. Where no registry answers, it would
    // wait ten seconds, and then sixty, before it goes on with what it was given.
    npm_config_fetch_retry_mintimeout: '500',
    npm_config_fetch_retry_maxtimeout: '500',
  };
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
