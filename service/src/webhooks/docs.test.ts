import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { expect, test } from 'vitest';

import { freshDatabase } from '../testing/databases.ts';
import { freePort } from '../testing/free-port.ts';
import { until } from '../testing/until.ts';
import { deliveryOn, endpointAt, emitEvent, workspaceNamed } from './testing/webhooks.ts';
import { latestDeliveries } from './deliveries.ts';
import { EVENTS } from './events.ts';
import { PAUSES_MS } from './retry.ts';

const ROOT = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/webhooks.md', ROOT), 'utf8');

function example(language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page) ?? [];
  if (code === undefined) throw new Error(`There is no example in ${language}.`);
  return code;
}

function run(language: 'js' | 'python', port: number, secret: string): ChildProcess {
  const env = { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, PORT: String(port) };
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  if (language === 'python') return spawn('python3', ['-c', example('python')], { env, stdio });
  const code = example('js').replace('listen(8000)', `listen(${port}, '127.0.0.1')`);
  return spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: new URL('service/', ROOT),
    env,
    stdio,
  });
}

test.each(['js', 'python'] as const)('the receiver in %s accepts signed events, and nothing else', async (language) => {
  const data = await freshDatabase('sqlite');
  const database = await data.open();
  const port = await freePort();
  const workspaceId = await workspaceNamed(database, 'acme');
  const url = `http://127.0.0.1:${port}/`;
  const { endpoint, secret } = await endpointAt(database, workspaceId, url);
  const { endpoint: stranger } = await endpointAt(database, workspaceId, `${url}stranger`);
  const child = run(language, port, secret);
  const lines: string[] = [];
  if (child.stdout !== null) createInterface(child.stdout).on('line', (line) => lines.push(line));
  const worker = deliveryOn(database);
  try {
    await until(async () => {
      const answer = await fetch(url, { method: 'POST', body: '{}', headers: signedByNobody() }).catch(() => undefined);
      return answer?.status === 400;
    });
    await emitEvent(database, workspaceId);
    worker.start();
    await until(async () => (await latestDeliveries(database, endpoint.id, 1))[0]?.state === 'delivered');
    await until(async () => (await latestDeliveries(database, stranger.id, 1))[0]?.status === 400);
    const [delivery] = await latestDeliveries(database, endpoint.id, 1);
    await until(async () => lines.length > 0);
    expect(lines[0]).toContain(delivery?.eventId);
    expect(lines[0]).toContain('report.decided');
  } finally {
    await worker.close();
    child.kill('SIGKILL');
    await data.remove();
  }
});

function signedByNobody(): Record<string, string> {
  const now = String(Math.floor(Date.now() / 1000));
  return { 'webhook-id': 'msg-1', 'webhook-timestamp': now, 'webhook-signature': 'v1,bm9ib2R5' };
}

test('the page names the pauses that there are', () => {
  expect(page.replace(/\s+/g, ' ')).toContain('5 seconds, 5 minutes, 30 minutes, 2, 5, 10, 14 and 20 hours');
  const minutes = PAUSES_MS.map((ms) => ms / 60_000);
  expect(minutes).toEqual([5 / 60, 5, 30, 120, 300, 600, 840, 1_200]);
});

test('the description of a stopped job names each cause that the documentation has', () => {
  const row = page.split('\n').find((line) => line.startsWith('| `job.stopped`')) ?? '';
  for (const cause of ['limit was reached', 'the workspace is suspended', 'key was revoked']) {
    expect(row).toContain(cause);
    expect(EVENTS['job.stopped']).toContain(cause);
  }
});
