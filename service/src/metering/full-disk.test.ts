import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { verifyUsage } from './index.ts';

/** The command that people run, as `npm test` has built it. */
const CLI = fileURLToPath(new URL('../../bundle/cli.js', import.meta.url));

/** No file may grow beyond: SQLite's log is there after some hundred decodes. Kilobytes. */
const ROOM = 2_000;

let fresh: TestDatabase;
let child: ChildProcess;

beforeEach(async () => {
  fresh = await freshDatabase('sqlite');
});

afterEach(async () => {
  child.kill('SIGKILL');
  await fresh.remove();
});

/** Starts a service for which the disk is full once a file has a size; a write beyond it fails as on a full disk. */
async function startWithLittleRoom(): Promise<string> {
  const command = `trap '' XFSZ; ulimit -f ${ROOM}; exec "$0" "$1" serve`;
  const started = spawn('bash', ['-c', command, process.execPath, CLI], {
    env: { PATH: process.env['PATH'], DATA_DIR: fresh.location.dataDir, PORT: '0', PUBLIC_MONTHLY_LIMIT: '100000' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  started.stdout.resume();
  let said = '';
  for await (const chunk of started.stderr) {
    said += String(chunk);
    const url = /ready at (\S+)/.exec(said)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(said);
}

test('on a full disk decodes are 503 and uncharged, and the service lives on', async () => {
  const url = await startWithLittleRoom();
  let delivered = 0;
  let refused: Response | undefined;
  const ask = async (): Promise<void> => {
    while (refused === undefined) {
      const answer = await fetch(`${url}/api/decode`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"vin":"1HGCM82633A004352"}',
      });
      if (answer.status === 200) delivered += 1;
      else refused ??= answer;
    }
  };
  await Promise.all(Array.from({ length: 20 }, ask));
  expect(refused?.status).toBe(503);
  expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect((await fetch(`${url}/api/vin/1HGCM82633A004352`)).status).toBe(200);
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  const { decodes, disagreements } = await verifyUsage(await fresh.open());
  expect({ decodes, disagreements }).toEqual({ decodes: delivered, disagreements: [] });
});
