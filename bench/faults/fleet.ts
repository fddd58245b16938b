import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const BUNDLE = fileURLToPath(new URL('../../service/bundle/cli.js', import.meta.url));

/** Returns the program of an environment: this build, or another one that `MARQUE_CLI` names. */
const cliOf = (env: NodeJS.ProcessEnv): string => env['MARQUE_CLI'] ?? BUNDLE;

/** As `npm start` has them. */
const FLAGS = ['--max-semi-space-size=8'];
const TUNABLES = 'glibc.malloc.mmap_threshold=65536:glibc.malloc.trim_threshold=131072';

/** The machine and the command in which an instance runs. */
export interface Surroundings {
  /** A command that runs the one behind it, such as `prlimit --nofile=200`. It must not stay between. */
  within?: readonly string[];
  /** The address that clients reach it at; 127.0.0.1 by default. */
  host?: string;
}

/** One running service. */
export class Instance {
  readonly origin: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #within: readonly string[];
  #process: ChildProcess | undefined;
  /** Its output, including the log. */
  said = '';

  constructor(env: NodeJS.ProcessEnv, port: number, { within = [], host = '127.0.0.1' }: Surroundings = {}) {
    this.#env = {
      PATH: process.env['PATH'],
      GLIBC_TUNABLES: TUNABLES,
      LOG_LEVEL: 'error',
      HOST: host,
      ...env,
      PORT: String(port),
    };
    this.#within = within;
    this.origin = `http://${host}:${port}`;
  }

  /** The process, while it runs. */
  get pid(): number {
    const pid = this.#process?.pid;
    if (pid === undefined) throw new Error('It does not run.');
    return pid;
  }

  /** The end of the process: a status or a signal; undefined while it runs. */
  get ended(): number | string | undefined {
    return this.#process?.exitCode ?? this.#process?.signalCode ?? undefined;
  }

  /** Starts it and waits until it is ready. */
  async start(): Promise<void> {
    const [command, ...words] = [...this.#within, process.execPath, ...FLAGS, cliOf(this.#env), 'serve'];
    const child = spawn(command, words, { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (this.said += String(chunk)));
    this.#process = child;
    while (!(await this.isReady())) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`It did not start: ${this.said}`);
      await sleep(20);
    }
  }

  async isReady(): Promise<boolean> {
    const answer = await fetch(`${this.origin}/readyz`).catch(() => undefined);
    await answer?.arrayBuffer();
    return answer?.ok === true;
  }

  /** Ends it. @returns how long that took, milliseconds. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return 0;
    const began = performance.now();
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
    return performance.now() - began;
  }
}

/** Makes instances on free ports; none is started. */
export async function instances(
  count: number,
  env: NodeJS.ProcessEnv,
  surroundings: Surroundings = {},
): Promise<Instance[]> {
  const made: Instance[] = [];
  for (let index = 0; index < count; index++) made.push(new Instance(env, await freePort(), surroundings));
  return made;
}

/** Returns one instance on a free port, not started. */
export async function instance(env: NodeJS.ProcessEnv, surroundings: Surroundings = {}): Promise<Instance> {
  return new Instance(env, await freePort(), surroundings);
}

/** Returns the memory of a process that is in RAM, MiB: now, or the most there was. */
export function residentMib(pid: number, which: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
}

/** Runs a command of marque. @returns its output. */
export async function marque(env: NodeJS.ProcessEnv, ...words: string[]): Promise<string> {
  const options = { env: { PATH: process.env['PATH'], ...env } };
  return (await promisify(execFile)(process.execPath, [cliOf(env), ...words], options)).stdout;
}

/** Returns a key of a new workspace without a limit. */
export async function newKey(env: NodeJS.ProcessEnv, slug: string, plan: string): Promise<string> {
  await marque(env, 'workspace', 'create', slug, '--plan', plan, '--monthly-limit', 'none');
  const made: { key: string } = JSON.parse(
    await marque(env, 'key', 'create', '--workspace', slug, '--name', 'drill', '--json'),
  );
  return made.key;
}

/** Counts charged decodes, by the three records of usage; throws if they differ. */
export async function charged(env: NodeJS.ProcessEnv): Promise<number> {
  const { decodes }: { decodes: number } = JSON.parse(await marque(env, 'db', 'verify', '--json'));
  return decodes;
}

/** Returns a port of 127.0.0.1 that nothing listens at. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
