import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { makeDebian } from './debian.ts';
import { programOf } from './programs.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CERTIFICATES = '/etc/ssl/certs';
/** `npm ci`, a compiler and a strip, on a machine that does other things. */
const BUILT_WITHIN_MS = 1_800_000;
const MOST_OUTPUT = 64 * 1024 * 1024;

/** Of these packages the last stage's base consists. */
const DISTROLESS = [
  'base-files',
  'ca-certificates',
  'libc6',
  'libgcc-s1',
  'libgomp1',
  'libssl3t64',
  'libstdc++6',
  'media-types',
  'netbase',
  'tzdata',
];

/** Buildah and podman with a storage of their own, which nothing else on the machine sees. */
export class Engine {
  readonly #folder: string;
  readonly #buildah = programOf('buildah', 'buildah');
  readonly #podman = programOf('podman', 'podman');
  readonly #runc = programOf('runc', 'runc');

  constructor(folder: string) {
    this.#folder = folder;
  }

  get programs(): readonly string[] {
    return [this.#buildah, this.#podman, this.#runc];
  }

  get #storage(): string[] {
    return ['--root', join(this.#folder, 'storage'), '--runroot', join(this.#folder, 'run')];
  }

  /** Runs buildah. @returns its output. */
  async buildah(...words: string[]): Promise<string> {
    return printedBy(this.#buildah, [...this.#storage, ...words]);
  }

  /** Runs podman, without systemd. @returns its output. */
  async podman(...words: string[]): Promise<string> {
    const own = ['--runtime', this.#runc, '--cgroup-manager', 'cgroupfs', '--events-backend', 'file'];
    return printedBy(this.#podman, [...this.#storage, '--tmpdir', join(this.#folder, 'tmp'), ...own, ...words]);
  }

  /** Makes an image of a folder. */
  async imageOf(folder: string, tag: string): Promise<void> {
    const container = await this.buildah('from', 'scratch');
    await this.buildah('add', '--quiet', container, folder, '/');
    await this.buildah('commit', '--quiet', '--rm', container, tag);
  }

  /** Builds the clone's Dockerfile; what `npm ci` needs comes as this machine gets it. */
  async build(tag: string): Promise<void> {
    const npmrc = join(this.#folder, 'npmrc');
    const registry = await printedBy('npm', ['config', 'get', 'registry']);
    writeFileSync(npmrc, `registry=${registry}\ncache=/npm-cache\ncafile=${CERTIFICATES}/ca-certificates.crt\n`);
    const cache = await printedBy('npm', ['config', 'get', 'cache']);
    const volumes = [`${npmrc}:/root/.npmrc:ro`, `${cache}:/npm-cache`, `${CERTIFICATES}:${CERTIFICATES}:ro`];
    const network = ['--runtime', this.#runc, '--network', 'host', '--pull-never'];
    const words = ['bud', '--format', 'docker', ...network, ...volumes.flatMap((volume) => ['--volume', volume])];
    await this.buildah(...words, '--tag', tag, ROOT);
  }
}

/** Makes the Dockerfile's base images of the packages that they consist of: no registry of images is asked. */
export async function makeBases(engine: Engine, folder: string, bases: { build: string; last: string }): Promise<void> {
  const suite = /-(\w+)-slim$/.exec(bases.build)?.[1];
  if (suite === undefined) throw new Error(`${bases.build} names no suite of Debian.`);
  const [build, last] = [join(folder, 'build'), join(folder, 'last')];
  await makeDebian(build, { suite, packages: ['ca-certificates', 'libatomic1'], variant: 'minbase' });
  addNode(build);
  await engine.imageOf(build, bases.build);
  await makeDebian(last, { suite, packages: DISTROLESS, variant: 'extract' });
  await engine.imageOf(last, bases.last);
}

/** Node's own image has Node and npm in these places. */
function addNode(root: string): void {
  const npm = process.env['npm_execpath'];
  if (npm === undefined) throw new Error('Run it by npm: npm run drills -- image');
  const modules = join(root, 'usr/local/lib/node_modules');
  mkdirSync(modules, { recursive: true });
  cpSync(join(dirname(npm), '..'), join(modules, 'npm'), { recursive: true });
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'));
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
}

async function printedBy(program: string, words: string[]): Promise<string> {
  const options = { timeout: BUILT_WITHIN_MS, maxBuffer: MOST_OUTPUT, cwd: homedir() };
  return (await promisify(execFile)(program, words, options)).stdout.trim();
}
