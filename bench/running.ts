import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import autocannon from 'autocannon';

import { freePort } from './faults/fleet.ts';

const CLI = fileURLToPath(new URL('../service/bundle/cli.js', import.meta.url));
const BARE = fileURLToPath(new URL('bare.ts', import.meta.url));
const VIN = '1HGCM82633A004352';
const STEADY = { perSecond: 400, connections: 8, requests: 1_200 };

/** A server in a process of its own, and the requests for it. */
export interface Running {
  /** The address of its decodes. */
  url: string;
  key: string;
  process: ChildProcess;
  close: () => Promise<void>;
}

/** The rate of a server's answers. */
export interface Pace {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** The parameters of a load. */
export interface Load {
  connections: number;
  seconds: number;
}

/** Starts the service as `npm start` does, in a folder of its own, with a key of a workspace without a limit. */
export async function startService(settings: Record<string, string> = {}): Promise<Running> {
  const dataDir = mkdtempSync(join(tmpdir(), 'marque-bench-'));
  const port = String(await freePort());
  const env = { ...process.env, DATABASE_URL: '', ...settings, DATA_DIR: dataDir, LOG_LEVEL: 'warn', PORT: port };
  const key = newKey(env);
  const words = ['--max-semi-space-size=8', CLI, 'serve'];
  const child = spawn(process.execPath, words, { env, stdio: 'ignore' });
  const origin = `http://127.0.0.1:${port}`;
  while (!(await isReady(origin))) {
    if (child.exitCode !== null) throw new Error('The service did not start.');
    await sleep(20);
  }
  const close = async (): Promise<void> => {
    await stop(child);
    rmSync(dataDir, { recursive: true });
  };
  return { url: `${origin}/api/decode`, key, process: child, close };
}

/** Starts a bare Fastify route that answers with a text: the most that the machine can do. */
export async function startBare(text: string): Promise<Running> {
  const child = spawn(process.execPath, [BARE], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(text);
  const [origin] = await once(child.stdout, 'data');
  return { url: `${String(origin)}/api/decode`, key: '', process: child, close: () => stop(child) };
}

/** Ends a process and waits for it. */
export async function stop(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/** Sends one VIN again and again. @throws Error when anything but an answer comes. */
export async function load({ url, key }: Pick<Running, 'url' | 'key'>, { connections, seconds }: Load): Promise<Pace> {
  const result = await autocannon({
    url,
    method: 'POST',
    connections,
    duration: seconds,
    headers: headersFor(key),
    body: JSON.stringify({ vin: VIN }),
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
  return { perSecond: result.requests.average, p50Ms: result.latency.p50, p99Ms: result.latency.p99 };
}

/** The times of single requests. */
export interface Latency {
  p50Ms: number;
  p99Ms: number;
}

/**
 * Decodes one VIN at fixed times for three seconds on a few connections, far fewer than the service can take: it
 * measures the time that a decode waits for other work, not for other decodes.
 */
export async function latencies({ url, key }: Pick<Running, 'url' | 'key'>): Promise<Latency> {
  const call = { method: 'POST', headers: headersFor(key), body: JSON.stringify({ vin: VIN }) };
  const begun = performance.now();
  const found: number[] = [];
  const connection = async (first: number): Promise<void> => {
    for (let number = first; number < STEADY.requests; number += STEADY.connections) {
      await sleep(Math.max(0, begun + (number * 1000) / STEADY.perSecond - performance.now()));
      const sentAt = performance.now();
      const response = await fetch(url, call);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`The service answered ${response.status}.`);
      found.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: STEADY.connections }, (_, first) => connection(first)));
  const sorted = found.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (STEADY.requests - 1))] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Returns one answer of a service. */
export async function answerOf({ url, key }: Pick<Running, 'url' | 'key'>): Promise<string> {
  const body = JSON.stringify({ vin: VIN });
  const response = await fetch(url, { method: 'POST', headers: headersFor(key), body });
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  return response.text();
}

/** Returns the headers of a request with a body and a key. */
export function headersFor(key: string): Record<string, string> {
  return { 'content-type': 'application/json', 'x-api-key': key };
}

/** Returns the paces of some rounds, each figure's median. */
export function medianPace(rounds: readonly Pace[]): Pace {
  const of = (figure: keyof Pace): number => median(rounds.map((round) => round[figure]));
  return { perSecond: of('perSecond'), p50Ms: of('p50Ms'), p99Ms: of('p99Ms') };
}

/** Returns the middle one of some values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Returns the memory of a process, on systems with `/proc`. */
export function residentMib({ pid }: ChildProcess): number | undefined {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1];
  return kib === undefined ? undefined : Math.round(Number(kib) / 1024);
}

/**
 * Returns the milliseconds of processor that a process and its children have used, on systems with `/proc`; undefined
 * elsewhere. Useful if others work on the machine, too.
 */
export function processorMs({ pid = 0 }: { pid?: number | undefined }): number | undefined {
  const own = timesIn(`/proc/${pid}/stat`);
  if (own === undefined) return undefined;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + (processorMs({ pid: Number(child) }) ?? 0), own);
}

/** Returns the same of a process's main thread alone. */
export function mainThreadMs({ pid = 0 }: { pid?: number | undefined }): number | undefined {
  return timesIn(`/proc/${pid}/task/${pid}/stat`);
}

function timesIn(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  // Behind the name, which may contain anything: the 14th and 15th figures are user and system time, in hundredths.
  const figures = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(figures[11]) + Number(figures[12])) * 10;
}

/** Writes a line for who runs a measurement. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Waits for a process to end. @throws Error when it fails. */
export async function finished(child: ChildProcess): Promise<void> {
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`${child.spawnargs.slice(0, 2).join(' ')} ended with status ${status}.`);
}

/** Waits for a condition. @throws Error when the process that should bring it about ends before. */
export async function until(isTrue: () => boolean, child?: ChildProcess): Promise<void> {
  while (!isTrue()) {
    if (child !== undefined && child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended.`);
    await sleep(20);
  }
}

/** Returns the processes that a process started, in whichever of its threads. */
export function childrenOf(pid = 0): number[] {
  const processes = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return processes
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([own, parent]) => (own !== undefined && parent === pid ? [own] : []));
}

/** Returns true if there is a process, on systems with `/proc`. */
export function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

async function isReady(origin: string): Promise<boolean> {
  const answer = await fetch(`${origin}/readyz`).catch(() => undefined);
  return answer?.ok === true;
}

function newKey(env: NodeJS.ProcessEnv): string {
  const marque = (...words: string[]): string =>
    execFileSync(process.execPath, [CLI, ...words], { env, encoding: 'utf8' });
  const slug = `bench-${process.hrtime.bigint()}`;
  marque('workspace', 'create', slug, '--plan', 'enterprise');
  const made: { key: string } = JSON.parse(marque('key', 'create', '--workspace', slug, '--name', 'bench', '--json'));
  return made.key;
}
