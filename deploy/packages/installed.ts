import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { inject } from 'vitest';

import { diskFolder } from '../../service/src/testing/data-folder.ts';
import { linkTree } from '../../service/src/testing/link-tree.ts';
import type { Packed } from '../../service/src/testing/pack-packages.ts';
import { shippedPackages } from '../shipped.js';

const run = promisify(execFile);

const CLONE = fileURLToPath(new URL('../../', import.meta.url));

/** An empty folder with the packages installed, as their user has it. */
export interface Installed extends Disposable {
  folder: string;
  /** The environment of a command in the folder: this Node first, no registry, and its own home. */
  env: NodeJS.ProcessEnv;
}

/**
 * Has npm install the packages, packed as they would be published, in an empty folder with everything they need. On
 * this machine nothing can be compiled, and there is no registry.
 */
export async function installPackages(): Promise<Installed> {
  const folder = diskFolder('marque packages ü-');
  const env = {
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: folder,
    npm_config_offline: 'true',
    // Many machines set it: a package must be whole without its scripts.
    npm_config_ignore_scripts: 'true',
  };
  linkDependencies(folder);
  // Here npm unpacks each archive to read its dependencies: in memory if there is room.
  const cache = mkdtempSync(join(tmpdir(), 'npm-'));
  const installing = {
    ...env,
    CC: 'false',
    CXX: 'false',
    npm_config_cache: cache,
    npm_config_ignore_scripts: 'false',
    // A package that this Node is too old for is refused.
    npm_config_engine_strict: 'true',
  };
  const packed = [...(await packedAt('decoder')), ...(await packedAt('others'))];
  // Named, since npm would unpack an archive of unknown name once more.
  const wanted = packed.map(({ name, archive }) => `${name}@file:${archive}`);
  await run('npm', ['install', '--no-audit', ...wanted], { cwd: folder, env: installing });
  rmSync(cache, { recursive: true });
  return { folder, env, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

async function packedAt(place: string): Promise<Packed[]> {
  const answer = await fetch(`${inject('packagesDesk')}/${place}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return JSON.parse(text);
}

interface Locked {
  version?: string;
  optional?: boolean;
  hasInstallScript?: boolean;
}

/** Folders for packages that others need, by their folder in the clone: those of the service alone stay with it. */
const PLACES = { node_modules: 'node_modules', 'service/node_modules': 'node_modules/@marque/service/node_modules' };

/**
 * Puts packages that others need, and the links to their programs, where npm would put them: to unpack them again would
 * take it most of its time. It keeps those that the packages' own lists ask for and removes the others, so a package
 * that is missing in a list is missing. Files of install scripts are not there yet: the scripts run.
 */
function linkDependencies(folder: string): void {
  const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync(join(CLONE, 'package-lock.json'), 'utf8'));
  const shipped = shippedPackages();
  const needed = Object.entries(lock.packages).flatMap(([path, { version, optional, hasInstallScript }]) =>
    optional || hasInstallScript || !shipped.has(`${path.split('node_modules/').at(-1)}@${version}`) ? [] : [path],
  );
  for (const [from, to] of Object.entries(PLACES)) {
    const names = needed.filter((path) => path.startsWith(`${from}/`)).map((path) => path.slice(from.length + 1));
    for (const name of names.filter((one) => /^(?!@marque\/)(?:@[^/]+\/)?[^/]+$/.test(one))) {
      linkTree(join(CLONE, from, name), join(folder, to, name));
    }
    linkPrograms(join(CLONE, from, '.bin'), join(folder, to, '.bin'));
  }
}

/** Links the programs of a folder whose packages are in the other folder, too. */
function linkPrograms(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    const program = readlinkSync(join(from, name));
    if (existsSync(join(to, program))) symlinkSync(program, join(to, name));
  }
}

/** Returns the examples of one language in a package's README, in order. */
export function examplesIn(folder: string, language: string): string[] {
  const file = join(folder, 'README.md');
  if (!existsSync(file)) throw new Error(`There is no ${file}.`);
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)].flatMap(([, named, code = '']) =>
    named === language ? [code] : [],
  );
}
