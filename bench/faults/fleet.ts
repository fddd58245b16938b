import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../service/dist/cli.js', import.meta.url));

/** One running service. */
export class Instance {
  readonly origin: string;
  readonly #env: NodeJS.ProcessEnv;
  #process: ChildProcess | undefined;
  /** What it wrote to standard error. */
  said = '';

  constructor(env: NodeJS.ProcessEnv, port: number) {
    this.#env = { PATH: process.env['PATH'], LOG_LEVEL: 'error', ...env, PORT: String(port) };
    this.origin = `http://127.0.0.1:${port}`;
  }

  /** Starts it and waits until it is ready. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [CLI, 'serve'], { env: this.#env, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (piece) => (this.said += String(piece)));
    this.#process = child;
    while (!(await this.isReady())) {
      if (child.exitCode !== null) throw new Error(`It did not start: ${this.said}`);
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
export async function instances(count: number, env: NodeJS.ProcessEnv): Promise<Instance[]> {
  const made: Instance[] = [];
  for (let index = 0; index < count; index++) made.push(new Instance(env, await freePort()));
  return made;
}

/** Runs a command of marque. @returns what it printed. */
export function marque(env: NodeJS.ProcessEnv, ...words: string[]): string {
  return execFileSync(process.execPath, [CLI, ...words], {
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  });
}

/** A key of a new workspace without a limit. */
export function newKey(env: NodeJS.ProcessEnv, slug: string, plan: string): string {
  marque(env, 'workspace', 'create', slug, '--plan', plan, '--monthly-limit', 'none');
  const made: { key: string } = JSON.parse(
    marque(env, 'key', 'create', '--workspace', slug, '--name', 'drill', '--json'),
  );
  return made.key;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
