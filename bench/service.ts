import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import autocannon from 'autocannon';

export const name = 'service';
export const title =
  'The whole service beside a bare Fastify route with the same bytes (taking turns, median of rounds)';

const ROUNDS = 3;
const ROUND_SECONDS = 3;
const CONNECTIONS = 64;
const VIN = '1HGCM82633A004352';

const CLI = fileURLToPath(new URL('../service/dist/cli.js', import.meta.url));
const BARE = fileURLToPath(new URL('bare.ts', import.meta.url));

export interface Server {
  url: string;
  process: ChildProcess;
}

interface Round {
  perSecond: number;
  p99Ms: number;
}

/** Throughput and p99 of a keyed decode, every charge durable on SQLite, against a route that does nothing. */
export async function run(print: (line: string) => void): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'marque-bench-'));
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    DATABASE_URL: '',
    PORT: String(await freePort()),
  };
  const key = newKey(env);
  const service = await startService(env);
  const bare = await startBare(await answerOf(service.url, key));
  try {
    const rounds = { bare: [] as Round[], service: [] as Round[] };
    for (let round = 0; round <= ROUNDS; round++) {
      const measured = { bare: await load(bare.url, key), service: await load(service.url, key) };
      // The first round warms both up.
      if (round === 0) continue;
      rounds.bare.push(measured.bare);
      rounds.service.push(measured.service);
    }
    const [floor, whole] = [medianOf(rounds.bare), medianOf(rounds.service)];
    print(`bare Fastify   ${Math.round(floor.perSecond)}/s   p99 ${floor.p99Ms.toFixed(1)} ms`);
    print(`whole service  ${Math.round(whole.perSecond)}/s   p99 ${whole.p99Ms.toFixed(1)} ms`);
    const share = Math.round((100 * whole.perSecond) / floor.perSecond);
    print(`share ${share} % of the throughput, ${(whole.p99Ms / floor.p99Ms).toFixed(1)} times the p99`);
    const resident = residentMib(service.process);
    if (resident !== undefined) print(`resident after it ${resident} MiB`);
  } finally {
    for (const server of [bare, service]) await stop(server);
    rmSync(dataDir, { recursive: true });
  }
}

async function load(url: string, key: string): Promise<Round> {
  const result = await autocannon({
    url,
    method: 'POST',
    connections: CONNECTIONS,
    duration: ROUND_SECONDS,
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ vin: VIN }),
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
  return { perSecond: result.requests.average, p99Ms: result.latency.p99 };
}

/** What a process holds in memory, where the system tells it in `/proc`. */
export function residentMib({ pid }: ChildProcess): number | undefined {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1];
  return kib === undefined ? undefined : Math.round(Number(kib) / 1024);
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function medianOf(rounds: readonly Round[]): Round {
  return {
    perSecond: median(rounds.map((round) => round.perSecond)),
    p99Ms: median(rounds.map((round) => round.p99Ms)),
  };
}

export async function startService(env: NodeJS.ProcessEnv): Promise<Server> {
  const child = spawn(process.execPath, [CLI, 'serve'], { env, stdio: 'ignore' });
  const origin = `http://127.0.0.1:${env['PORT']}`;
  for (;;) {
    const ready = await fetch(`${origin}/readyz`).catch(() => undefined);
    if (ready?.ok === true) return { url: `${origin}/api/decode`, process: child };
    if (child.exitCode !== null) throw new Error('The service did not start.');
    await sleep(20);
  }
}

async function startBare(body: string): Promise<Server> {
  const child = spawn(process.execPath, [BARE], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(body);
  const [origin] = await once(child.stdout, 'data');
  return { url: `${String(origin)}/api/decode`, process: child };
}

export async function stop({ process: child }: Server): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

async function answerOf(url: string, key: string): Promise<string> {
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ vin: VIN }) });
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  return response.text();
}

export function newKey(env: NodeJS.ProcessEnv): string {
  const marque = (...words: string[]): string =>
    execFileSync(process.execPath, [CLI, ...words], { env, encoding: 'utf8' });
  marque('workspace', 'create', 'bench', '--plan', 'enterprise');
  const made: { key: string } = JSON.parse(
    marque('key', 'create', '--workspace', 'bench', '--name', 'bench', '--json'),
  );
  return made.key;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
