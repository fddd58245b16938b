import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { dataFolder } from '../testing/data-folder.ts';
import { until } from '../testing/until.ts';

const CLI = fileURLToPath(new URL('../../bundle/cli.js', import.meta.url));
const READERS = 300;
const VINS = 100_000;
const HEAP_MEGABYTES = 256;

let dataDir: string;
let child: ChildProcess | undefined;
let sockets: Socket[];

beforeEach(() => {
  dataDir = dataFolder();
  sockets = [];
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  if (child !== undefined && child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
  rmSync(dataDir, { recursive: true });
});

/** Starts a service with little memory in a process of its own, and makes a free key. */
async function serve(): Promise<{ url: URL; key: string }> {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0' };
  const words = [`--max-old-space-size=${HEAP_MEGABYTES}`, CLI, 'serve'];
  const service = spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  child = service;
  const { promise: ready, resolve } = Promise.withResolvers<string>();
  let text = '';
  service.stderr.on('data', (chunk: Buffer) => {
    text += String(chunk);
    const url = /ready at (\S+)/.exec(text)?.[1];
    if (url !== undefined) resolve(url);
  });
  const url = new URL(await ready);
  execFileSync(process.execPath, [CLI, 'workspace', 'create', 'acme', '--plan', 'free'], { env });
  const made = execFileSync(process.execPath, [CLI, 'key', 'create', '--workspace', 'acme', '--name', 'k', '--json'], {
    env,
  });
  const { key }: { key: string } = JSON.parse(String(made));
  return { url, key };
}

test('hundreds of readers that do not read take no memory from a service that has little', async () => {
  const { url, key } = await serve();
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const vins = Array.from({ length: VINS }, (_, index) => `1HGCM82633A${String(index).padStart(6, '0')}`);
  const sent = await fetch(new URL('/api/jobs', url), { method: 'POST', headers, body: JSON.stringify({ vins }) });
  expect(sent.status).toBe(202);
  const job: { id: string; results: string } = JSON.parse(await sent.text());
  const stateOf = async (): Promise<unknown> =>
    JSON.parse(await (await fetch(new URL(`/api/jobs/${job.id}`, url), { headers })).text()).status;
  // A free plan has a hundred decodes. The results report all the others as not decoded.
  await until(async () => (await stateOf()) === 'stopped', 60_000);

  const statuses: string[] = [];
  const request = `GET ${job.results} HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\n\r\n`;
  const read = (): void => {
    const socket = connect(Number(url.port), '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    socket.write(request);
    socket.once('data', (data) => {
      socket.pause();
      const status = String(data).slice(9, 12);
      // A busy service sheds requests: the reader comes again.
      if (status === '503') read();
      else statuses.push(status);
    });
  };
  for (let reader = 0; reader < READERS; reader++) read();
  await until(async () => statuses.length === READERS, 60_000);
  expect(statuses.filter((status) => status === '200')).toHaveLength(4);
  expect(statuses.filter((status) => status === '429')).toHaveLength(READERS - 4);
  expect((await fetch(new URL('/readyz', url))).status).toBe(200);
  expect(child?.exitCode).toBeNull();

  // A reader that reads gets all of it, once another has ended.
  for (const socket of sockets) socket.destroy();
  let lines = 0;
  await until(async () => {
    const answer = await fetch(new URL(job.results, url), { headers });
    lines = (await answer.text()).trimEnd().split('\n').length;
    return answer.status === 200;
  }, 60_000);
  expect(lines).toBe(VINS);
});
