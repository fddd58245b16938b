import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { claimOn } from '../corrections/testing/corrections.ts';
import { UNWRITABLE } from '../kernel/http/health.ts';
import { type TestService, testService } from '../testing/service.ts';

let service: TestService;

beforeEach(async () => {
  service = await testService();
});

afterEach(async () => {
  await service[Symbol.asyncDispose]();
});

const path = (name: string): string => join(service.env['DATA_DIR'] ?? '', name);

const post = async (url: string, payload: object) => {
  const { statusCode, headers } = await service.app.inject({ method: 'POST', url, payload });
  return { statusCode, retryAfter: headers['retry-after'] };
};
const decode = () => post('/api/decode', { vin: '1HGCM82633A004352' });
const report = () => post('/api/report-decode-issue', claimOn('1HGCM82633A004352'));
const ready = async () => (await service.app.inject('/readyz')).statusCode;

const REFUSED = { statusCode: 503, retryAfter: expect.stringMatching(/^\d+$/) };

test.each(['marque.db', 'marque.db-wal', 'marque.db-shm'])(
  'when %s is moved away nothing is answered that would be lost, until it is back',
  async (name) => {
    expect(await decode()).toMatchObject({ statusCode: 200 });
    expect(await ready()).toBe(200);
    renameSync(path(name), path('away'));
    expect(await decode()).toEqual(REFUSED);
    expect(await report()).toEqual(REFUSED);
    const refusal = await service.app.inject('/readyz');
    expect([refusal.statusCode, refusal.json()]).toEqual([503, { error: UNWRITABLE }]);
    expect(existsSync(path(name))).toBe(false);
    expect(service.logged()).toContain('no longer the file that is open');
    renameSync(path('away'), path(name));
    expect(await decode()).toMatchObject({ statusCode: 200 });
    expect(await service.charged()).toBe(2);
  },
);

test('another program that reads the open database leaves its log alone, also after a look at its readiness', async () => {
  expect(await decode()).toMatchObject({ statusCode: 200 });
  expect(await ready()).toBe(200);
  const read =
    'import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute("SELECT * FROM decodes"); db.close()';
  execFileSync('python3', ['-c', read, path('marque.db')]);
  expect(existsSync(path('marque.db-wal'))).toBe(true);
  expect(await decode()).toMatchObject({ statusCode: 200 });
  expect(await ready()).toBe(200);
});

test('a database that is deleted before the first charge is not made anew', async () => {
  rmSync(path('marque.db'));
  expect(await decode()).toEqual(REFUSED);
  expect(await ready()).toBe(503);
  expect(existsSync(path('marque.db'))).toBe(false);
});

test('a database that replaces another one is recognized as new', async () => {
  renameSync(path('marque.db'), path('away'));
  closeSync(openSync(path('marque.db'), 'w'));
  expect(await decode()).toEqual(REFUSED);
  expect(await ready()).toBe(503);
});

test('a database that is overwritten is not ready, charges nothing, and stays so', async () => {
  expect(await decode()).toMatchObject({ statusCode: 200 });
  if (service.database.engine !== 'sqlite') throw new Error('This is about SQLite.');
  service.database.direct.pragma('wal_checkpoint(TRUNCATE)');
  overwrite(4_096);
  expect(await decode()).toEqual(REFUSED);
  expect(await report()).toEqual(REFUSED);
  expect(await ready()).toBe(503);
  expect(await decode()).toEqual(REFUSED);
});

test('a database whose beginning is overwritten is not ready, and takes nothing from then on', async () => {
  expect(await decode()).toMatchObject({ statusCode: 200 });
  overwrite(0);
  expect(await ready()).toBe(503);
  expect(await decode()).toEqual(REFUSED);
});

/** Overwrites the database with other bytes, from an offset to its end. */
function overwrite(from: number): void {
  const file = path('marque.db');
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(statSync(file).size - from, 0xff), 0, undefined, from);
  closeSync(handle);
}
