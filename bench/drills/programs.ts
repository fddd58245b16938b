import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Folders in which Debian installs servers, which are not in everybody's PATH. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];

/** The time in which a program must listen, milliseconds. */
const STARTS_WITHIN_MS = 60_000;

/**
 * Finds a program of a Debian package.
 * @throws Error that names the command which installs it.
 */
export function programOf(name: string, debianPackage: string): string {
  const found = FOLDERS.map((folder) => join(folder, name)).find(isExecutable);
  if (found === undefined) throw new Error(`${name} is missing: apt-get install ${debianPackage}`);
  return found;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Gives the first line that a program prints of its version. */
export function versionOf(program: string, flag = '--version'): string {
  const command = ['-c', '"$0" "$1" 2>&1 | head -1', program, flag];
  return execFileSync('sh', command, { encoding: 'utf8' }).trim();
}

/** A program of others, run in the foreground, with its output. */
export class Program {
  readonly #process: ChildProcess;
  /** Its output on both streams. */
  written = '';

  private constructor(process: ChildProcess) {
    this.#process = process;
    for (const stream of [process.stdout, process.stderr])
      stream?.on('data', (chunk) => (this.written += String(chunk)));
  }

  /**
   * Starts a program, and waits until it listens.
   * @param port of 127.0.0.1; undefined: it is not waited for.
   */
  static async start(
    command: readonly string[],
    port?: number,
    options: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
  ): Promise<Program> {
    const [file = '', ...words] = command;
    const { env = {}, cwd } = options;
    const child = spawn(file, words, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env }, cwd });
    const program = new Program(child);
    if (port !== undefined) await program.#untilItListens(port);
    return program;
  }

  async #untilItListens(port: number): Promise<void> {
    const giveUpAt = performance.now() + STARTS_WITHIN_MS;
    while (!(await listens(port))) {
      const { exitCode, spawnfile } = this.#process;
      if (exitCode !== null) throw new Error(`${spawnfile} ended: ${this.written}`);
      if (performance.now() > giveUpAt) throw new Error(`${spawnfile} does not listen: ${this.written}`);
      await sleep(50);
    }
  }

  get pid(): number {
    const { pid } = this.#process;
    if (pid === undefined) throw new Error(`It did not start: ${this.written}`);
    return pid;
  }

  /** Sends a signal that does not end it. */
  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Ends it, in ten seconds by force. Idempotent. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#process;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    const force = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await gone;
    clearTimeout(force);
  }
}

/** Returns true if a program listens at a port of 127.0.0.1. */
export async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
