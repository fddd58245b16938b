import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { dataFolder } from './testing/data-folder.ts';
import { openDatabase } from './database.ts';
import { claimOn, correctionsOn, report } from './corrections/testing/corrections.ts';
import { startCollector } from './testing/collector.ts';
import { OCTAVIA, writeCzechRegister } from './testing/czech-register.ts';
import { runMarque } from './testing/run-marque.ts';
import { until } from './testing/until.ts';

const run = promisify(execFile);
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const launcher = join(root, 'service', 'bin', 'marque.js');
const VIN = '1HGCM82633A004352';

let dataDir: string;
let children: ChildProcess[];

beforeEach(() => {
  dataDir = dataFolder();
  children = [];
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true });
});

interface Served {
  url: string;
  child: ChildProcess;
  /** Everything printed so far, on both streams. */
  printed: () => string;
  /** The exit status, once it ended. */
  ended: Promise<number | null>;
}

/** Starts `marque serve` in a process of its own and waits until it reports its address. */
async function serve(env: NodeJS.ProcessEnv = {}, program = launcher): Promise<Served> {
  const child = spawn(process.execPath, [program, 'serve'], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const ended = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  let text = '';
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  const collect = (chunk: Buffer): void => {
    text += String(chunk);
    const url = /ready at (\S+)/.exec(text)?.[1];
    if (url !== undefined) resolve(url);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  void ended.then(() => reject(new Error(text)));
  return { url: await ready, child, printed: () => text, ended };
}

const decode = (url: string, headers: Record<string, string> = {}, vin = VIN) =>
  fetch(`${url}/api/decode`, { method: 'POST', headers, body: new Blob([JSON.stringify({ vin })]) });

/** Prints each loaded module of OpenTelemetry, of the compiler of catalogs, and of the HTTP client. */
const TELL_SPARED = `--import=data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      if (/\\/@opentelemetry\\/|\\/undici\\/|\\/catalog\\/dist\\/src\\/compile\\//.test(found.url)) process.stderr.write('loaded ' + found.url + '\\n');
      return found;
    },
  });
`)}`;

test('a fresh service decodes, accepts a key made beside it, stops on SIGTERM, remembers its charges, and loads nothing that it is not set up for', async () => {
  const first = await serve();
  expect(await (await decode(first.url)).json()).toMatchObject({
    report: { manufacturer: 'Honda', model: 'Accord', modelYear: '2003' },
    usage: { limit: 100, remaining: 99 },
  });

  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir };
  await run(process.execPath, [launcher, 'workspace', 'create', 'acme', '--plan', 'business'], { env });
  const made = await run(process.execPath, [launcher, 'key', 'create', '--workspace', 'acme', '--name', 'e2e'], {
    env,
  });
  const answer = await decode(first.url, { 'x-api-key': made.stdout.trim() });
  expect(answer.headers.get('x-service-client')).toBe('acme');
  expect(await answer.json()).toMatchObject({ metadata: { plan: 'business' }, usage: { remaining: 4999 } });

  // The command has neither the service's PORT nor its BASE_URL.
  const invited = await run(process.execPath, [launcher, 'admin', 'create', '--email', 'root@example.com'], { env });
  expect((await fetch(invited.stdout.trim())).url).toContain(`${first.url}/reset/`);

  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  expect(first.printed()).toContain('"msg":"stopped"');
  expect(first.printed()).not.toContain(made.stdout.trim().slice(0, 20));
  expect(
    first
      .printed()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .join(),
  ).not.toContain(VIN);

  const second = await serve({ NODE_OPTIONS: TELL_SPARED });
  expect(await (await decode(second.url)).json()).toMatchObject({ usage: { remaining: 98 } });
  second.child.kill('SIGINT');
  expect(await second.ended).toBe(0);
  expect(second.printed()).not.toMatch(/loaded .*\/@opentelemetry\/(?:core|sdk-trace|exporter)/);
  expect(second.printed()).not.toContain('trace_id');
  // It compiles only when a register is imported, and asks other servers only when a webhook or a source is set up.
  expect(second.printed()).not.toMatch(/loaded .*\/(?:catalog|undici)\//);
});

/** Gives `localhost` a second address, as `::1` is one on most machines. */
const TWO_ADDRESSES = `--import=data:text/javascript,${encodeURIComponent(`
  import dns from 'node:dns';
  const { lookup } = dns;
  const found = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
  dns.lookup = (name, options, told) => name === 'localhost' && options.all ? told(null, found) : lookup(name, options, told);
`)}`;

test('a service on localhost listens on one address: to a second server of Fastify no bounds would apply', async () => {
  const { url } = await serve({ HOST: 'localhost', NODE_OPTIONS: TWO_ADDRESSES });
  const other = new URL('/healthz', url);
  expect((await fetch(other)).status).toBe(200);
  other.hostname = '127.0.0.2';
  await expect(fetch(other)).rejects.toThrow('fetch failed');
});

test('the bundled command imports a register, a running service decodes with it, and the command takes it back', async () => {
  const bundle = join(root, 'service', 'bundle', 'cli.js');
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir };
  const marque = async (...words: string[]) => (await run(process.execPath, [bundle, ...words], { env })).stdout;
  const { url, child, ended } = await serve({ PUBLIC_MONTHLY_LIMIT: '1000000' }, bundle);
  const model = async (): Promise<string | undefined> => {
    const answer = await decode(url, {}, OCTAVIA);
    expect(answer.status).toBe(200);
    const told: { report: { model?: string } } = JSON.parse(await answer.text());
    return told.report.model;
  };
  expect(await model()).toBeUndefined();
  const file = writeCzechRegister(join(dataDir, 'vypis_vozidel.csv'), 300, 1968);
  expect(await marque('catalog', 'import', 'czech', file)).toContain('Read 300 cars of 301 records');
  await until(async () => (await model()) === 'Octavia');
  expect(await marque('catalog', 'info')).toMatch(/czech +imported \d{4}-\d\d-\d\d · 300 cars/);
  expect(await marque('catalog', 'remove', 'czech')).toContain('Removed czech');
  await until(async () => (await model()) === undefined);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('a service that is stopped under load has charged exactly the decodes it answered', async () => {
  const { url, child, ended, printed } = await serve({ PUBLIC_MONTHLY_LIMIT: '1000000' });
  let answered = 0;
  const ask = async (): Promise<void> => {
    // Until the connection is refused: then the service no longer listens.
    for (;;) {
      const answer = await decode(url).catch(() => undefined);
      if (answer === undefined) return;
      await answer.json();
      // A busy machine sheds load: a shed request is not charged.
      if (answer.status === 503) continue;
      expect(answer.status).toBe(200);
      answered += 1;
      if (answered === 200) child.kill('SIGTERM');
    }
  };
  await Promise.all(Array.from({ length: 16 }, ask));
  expect(await ended).toBe(0);
  expect(printed()).toContain('"msg":"stopped"');

  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir };
  const { stdout } = await run(process.execPath, [launcher, 'db', 'verify', '--json'], { env });
  expect(JSON.parse(stdout)).toMatchObject({ counters: 1, decodes: answered, disagreements: [] });
});

test('a service shows its health, keeps its folder and its port, and serves until its time to drain is up', async () => {
  const { url, child, ended } = await serve({ HOST: '0.0.0.0', BASE_URL: '', DRAIN_SECONDS: '4' });
  const { port } = new URL(url);
  const env = { HOST: '0.0.0.0', PORT: port };
  const health = (...words: string[]) => run(process.execPath, [launcher, 'health', ...words], { env });
  expect(await health('--wait', '20')).toEqual({ stdout: '', stderr: '' });

  await expect(serve()).rejects.toThrow(/Another service is running on the data folder/);
  const elsewhere = { HOST: '0.0.0.0', PORT: port, DATA_DIR: join(dataDir, 'other') };
  await expect(serve(elsewhere)).rejects.toThrow(`Port ${port} is taken.`);
  await expect(serve({ ...elsewhere, HOST: 'fe80::1' })).rejects.toThrow('cannot listen on fe80::1. See HOST.');

  child.kill('SIGTERM');
  const isTurnedAway = async (): Promise<boolean> => {
    const answer = await fetch(`${url}/readyz`);
    await answer.text();
    return answer.status === 503;
  };
  while (!(await isTurnedAway()));
  const answer = await decode(url);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('connection')).toBe('close');
  expect(await ended).toBe(0);
  expect(await health().catch((error) => error)).toMatchObject({ code: 1 });
});

test('signals that others use to rotate logs do nothing to a service, not even while it starts', async () => {
  await using database = createServer().listen(0, '127.0.0.1');
  await once(database, 'listening');
  const address = database.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const starting = spawn(process.execPath, [launcher, 'serve'], {
    env: { PATH: process.env['PATH'], DATABASE_URL: `postgres://marque@127.0.0.1:${port}/marque`, PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(starting);
  let printed = '';
  starting.stderr.on('data', (chunk: Buffer) => (printed += String(chunk)));
  const ended = once(starting, 'close');
  const [connection]: Socket[] = await once(database, 'connection');
  for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) starting.kill(signal);
  // The start goes on: it meets a database that leaves.
  connection?.destroy();
  database.on('connection', (further) => further.destroy());
  expect(await ended).toEqual([1, null]);
  expect(printed).toContain('DATABASE_URL');
  expect(printed).not.toContain('Debugger');
});

test.runIf(existsSync('/dev/full'))('a command whose output goes to a full disk says so in a sentence', async () => {
  const full = openSync('/dev/full', 'w');
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir };
  const told = spawn(process.execPath, [launcher, 'config'], { env, stdio: ['ignore', full, 'pipe'] });
  let printed = '';
  told.stderr?.on('data', (chunk: Buffer) => (printed += String(chunk)));
  expect(await once(told, 'close')).toEqual([1, null]);
  expect(printed).toMatch(/^The output cannot be written: ENOSPC[^\n]*\n$/);
  const untold = spawn(process.execPath, [launcher, 'nonsense'], { env, stdio: ['ignore', 'ignore', full] });
  closeSync(full);
  expect(await once(untold, 'close')).toEqual([2, null]);
});

test('faulty settings stop the start with one message', async () => {
  await expect(serve({ PORT: 'http', TRUST_PROXY: 'all' })).rejects.toThrow(
    /^2 settings are wrong\. Nothing was started\./,
  );
});

test('health names the address where nothing is ready, and the setting that it needs', async () => {
  const nobody = await run(process.execPath, [launcher, 'health'], { env: { PORT: '1' } }).catch((error) => error);
  expect(nobody).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Not ready at http:\/\/127.0.0.1:1: /) });
  expect(
    await run(process.execPath, [launcher, 'health'], { env: { PORT: '0' } }).catch((error) => error),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Set PORT'),
  });
});

test('a service sends traces to a collector until it has stopped', async () => {
  await using collector = await startCollector();
  const traced = await serve({ NODE_OPTIONS: TELL_SPARED, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  await decode(traced.url);
  traced.child.kill('SIGTERM');
  expect(await traced.ended).toBe(0);
  expect(traced.printed()).toMatch(/loaded .*\/@opentelemetry\/sdk-trace\//);
  expect(collector.spans.map(({ name }) => name)).toContain('POST /api/decode');
  expect(traced.printed()).toMatch(/"trace_id":"[0-9a-f]{32}".*"msg":"answered"/);
});

/** Returns how many mails wait after a command has decided a report, beside a service that last ran with these settings. */
async function mailsAfter(env: NodeJS.ProcessEnv): Promise<number> {
  const { child, ended } = await serve(env);
  child.kill('SIGTERM');
  await ended;
  const database = await openDatabase({ dataDir, databaseUrl: undefined }, 'tool');
  const here = await correctionsOn(database);
  const id = await report(here, claimOn(VIN), undefined, 'eve@example.com');
  const rejected = await runMarque(['corrections', 'reject', id, '--reason', 'No.'], { DATA_DIR: dataDir });
  expect(rejected).toMatchObject({ status: 0 });
  const waiting = await database.kysely.selectFrom('mail_outbox').select('id').execute();
  await here.live.close();
  await database.close();
  return waiting.length;
}

test('a decision by a command without SMTP_URL is mailed if the service beside it has a mail server', async () => {
  expect(await mailsAfter({})).toBe(0);
  expect(await mailsAfter({ SMTP_URL: 'smtp://127.0.0.1:1' })).toBe(1);
  expect(await mailsAfter({})).toBe(1);
});
