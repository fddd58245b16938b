import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { freePort, Instance } from '../faults/fleet.ts';
import { Load } from '../faults/load.ts';
import { served, timed } from '../faults/scene.ts';
import { Engine, makeBases } from './container.ts';
import { needRoot } from './debian.ts';
import { account, type Findings, LOAD_COLUMNS, type Stage } from './drill.ts';
import { versionOf } from './programs.ts';

const DOCKERFILE = fileURLToPath(new URL('../../Dockerfile', import.meta.url));
const TAG = 'marque:drill';
const NAME = 'marque';
/** With its base, in bytes as an engine counts them: what the files contain. */
const LARGEST = 250_000_000;
const MARQUE = ['/marque/bin/node', 'service/bin/marque.js'];
const DECODES = 500;
/** Of which `stat` counts. */
const BLOCK = 512;

/**
 * As deploy/docker/README.md starts it, but for the network and for limits that podman would raise above this
 * machine's.
 */
const SEALED = ['--read-only', '--read-only-tmpfs=false', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
const HERE = ['--network', 'host', '--no-healthcheck', '--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=1024:1024'];

/** Tries to write where a container may not. */
const PROBE = `const { writeFileSync } = require('node:fs');
for (const path of ['/x', '/marque/x', '/tmp/x', '/etc/x', '/data/x']) try { writeFileSync(path, ''); console.log(path); } catch {}`;

/** The Dockerfile built by buildah, and run by podman and runc with a read-only root. */
export async function image(stage: Stage): Promise<Findings> {
  needRoot();
  const engine = new Engine(stage.folder);
  stage.afterwards(async () => engine.podman('rm', '--all', '--force').catch(() => ''));
  const [build = '', last = ''] = [...readFileSync(DOCKERFILE, 'utf8').matchAll(/^FROM (\S+)/gm)].map(([, base]) =>
    String(base),
  );
  stage.say("base images of Debian's packages");
  await makeBases(engine, stage.folder, { build, last });
  stage.say('the image is built');
  await engine.build(TAG);
  const size = await measure(engine, stage);
  stage.say(`${size}; it runs`);
  const { row, readyMs, stopMs } = await runIt(engine, stage);
  return {
    columns: ['size with its base', 'ready after', 'stopped after', ...LOAD_COLUMNS],
    rows: [[size, `${(readyMs / 1e3).toFixed(1)} s`, `${(stopMs / 1e3).toFixed(1)} s`, ...row]],
    versions: engine.programs.map((program) => versionOf(program)),
  };
}

/** Gives an image's size. @throws Error when it is too large or has binaries that cannot run in it. */
async function measure(engine: Engine, stage: Stage): Promise<string> {
  const container = await engine.buildah('from', '--pull-never', TAG);
  const root = await engine.buildah('mount', container);
  stage.afterwards(async () => engine.buildah('rm', container).catch(() => ''));
  let [bytes, onDisk] = [0, 0];
  const foreign: string[] = [];
  for (const path of filesOf(root)) {
    const { size, blocks } = lstatSync(path);
    bytes += size;
    onDisk += blocks * BLOCK;
    if (isForeign(path)) foreign.push(path);
  }
  if (foreign.length > 0) throw new Error(`Binaries for other platforms: ${foreign.join(', ')}`);
  if (bytes > LARGEST) throw new Error(`The image has ${bytes} bytes, more than ${LARGEST}.`);
  return `${(bytes / 1e6).toFixed(0)} MB (${(onDisk / 1e6).toFixed(0)} MB on this disk)`;
}

/** Lists the files below a folder. A recursive `readdirSync` would follow links out of it. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesOf(path);
    return entry.isFile() ? [path] : [];
  });
}

const ELF = 0x7f454c46;
/** Mach-O in its byte orders, and programs of several architectures. */
const MACH_O = new Set([0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe]);
const WINDOWS = 0x4d5a;
/** Offset of the processor in the header of ELF. */
const MACHINE_AT = 18;

/** Tells whether a file is a program or library of another system, processor, or C library than Node's. */
function isForeign(file: string): boolean {
  const head = headOf(file);
  const magic = head.readUInt32BE(0);
  if (MACH_O.has(magic) || (magic >>> 16 === WINDOWS && /\.(?:exe|dll|node)$/.test(file))) return true;
  if (magic !== ELF) return false;
  const own = headOf(process.execPath).readUInt16LE(MACHINE_AT);
  return head.readUInt16LE(MACHINE_AT) !== own || (file.endsWith('.node') && readFileSync(file).includes('libc.musl-'));
}

function headOf(file: string): Buffer {
  const head = Buffer.alloc(20);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, head, 0, head.length, 0);
  closeSync(descriptor);
  return head;
}

/** Serves under load from a read-only root, is killed, started, and stopped. */
async function runIt(engine: Engine, stage: Stage): Promise<{ row: string[]; readyMs: number; stopMs: number }> {
  const port = await freePort();
  const sealed = [...SEALED, ...HERE, '--volume', 'marque-data:/data', '--env', 'HOST=127.0.0.1'];
  const settings = ['--env', `PORT=${port}`, '--env', 'LOG_LEVEL=error'];
  const one = new Instance({}, port);
  const untilReady = async (): Promise<void> => {
    while (!(await one.isReady())) await sleep(20);
  };
  const readyMs = await timed(async () => {
    await engine.podman('run', '--detach', '--name', NAME, ...sealed, ...settings, TAG);
    await untilReady();
  });
  const marque = async (...words: string[]): Promise<string> => engine.podman('exec', NAME, ...MARQUE, ...words);
  await marque('health');
  const written = await engine.podman('exec', NAME, '/marque/bin/node', '-e', PROBE);
  if (written !== '/data/x') throw new Error(`A program in the container could write ${written}.`);
  await marque('workspace', 'create', 'drill', '--plan', 'enterprise', '--monthly-limit', 'none');
  const made = await marque('key', 'create', '--workspace', 'drill', '--name', 'drill', '--json');
  const { key }: { key: string } = JSON.parse(made);
  const load = new Load([one], key);
  await served(load, DECODES);
  stage.say('it is killed, and started again');
  await engine.podman('kill', '--signal', 'KILL', NAME);
  await engine.podman('start', NAME);
  await untilReady();
  await served(load, DECODES);
  const seen = await load.stop();
  const stopMs = await timed(() => engine.podman('stop', '--time', '30', NAME));
  const status = await engine.podman('inspect', '--format', '{{.State.ExitCode}}', NAME);
  if (status !== '0') throw new Error(`It ended with ${status} at its signal.`);
  const verified = await engine.podman('run', '--rm', ...sealed, TAG, 'db', 'verify', '--json');
  const { decodes }: { decodes: number } = JSON.parse(verified);
  return { row: account(seen, decodes), readyMs, stopMs };
}
