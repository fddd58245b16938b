import { setTimeout } from 'node:timers/promises';

import { Parser } from 'csv-parse';
import { expect, test, vi } from 'vitest';

import { anyTurn, LoopTurns } from '../kernel/limits/loop-turns.ts';
import { systemClock } from '../kernel/clock.ts';
import { signUp } from '../people/testing/people.ts';
import { testService } from '../testing/service.ts';
import { until } from '../testing/until.ts';
import { createKey, revokeKey, setPlan, systemRandom } from '../workspaces/index.ts';
import { resultLines } from './api/results.ts';
import { exportFile, RESULT_FORM_NAMES } from './export.ts';
import { readFile } from './read-file.ts';
import { textOf } from './sent-text.ts';

/** Counts turns of the event loop. */
function turns() {
  const counted = { turn: 0, end: () => clearImmediate(next) };
  let next = setImmediate(function count() {
    counted.turn += 1;
    next = setImmediate(count);
  });
  return counted;
}

test.each([
  ['LF', '\n'],
  ['CR', '\r'],
])('of many files that are read at once, one piece of at most 500 rows is read in a turn: %s', async (_, end) => {
  const counted = turns();
  const pieces: { turn: number; text: string }[] = [];
  const write: unknown = Reflect.get(Parser.prototype, 'write');
  if (typeof write !== 'function') throw new Error('A parser is not written to.');
  const written = vi.spyOn(Parser.prototype, 'write').mockImplementation(function note(this: Parser, text: string) {
    pieces.push({ turn: counted.turn, text });
    return Reflect.apply(write, this, [text]);
  });
  const text = `vin${end}${`X00000${end}`.repeat(5_000)}`;
  const shared = new LoopTurns();
  const sender = new AbortController();
  const reads = Array.from({ length: 8 }, (_of, file) =>
    readFile(text, '', { rows: 10_000, bytes: 50_000_000 }, () =>
      shared.next({ id: `${file % 3}`, isPaid: false }, sender.signal),
    ),
  );
  expect((await Promise.all(reads)).map((read) => read.kind === 'read' && read.count)).toEqual(Array(8).fill(5_000));
  written.mockRestore();
  counted.end();
  const turnsUsed = new Set(pieces.map(({ turn }) => turn));
  expect(turnsUsed.size).toBe(pieces.length);
  expect(Math.max(...pieces.map(({ text: piece }) => piece.split(end).length))).toBeLessThanOrEqual(501);
});

test('the lines that an earlier version stored for a whole file are not read for its state, nor for its results', async () => {
  await using service = await testService();
  const headers = { 'x-api-key': await service.keyFor('starter') };
  const sent = await service.app.inject({
    method: 'POST',
    url: '/api/jobs',
    headers: { ...headers, 'content-type': 'application/x-ndjson' },
    payload: '{"vin":"X00000","paid":true}\n'.repeat(300),
  });
  const { id } = sent.json<{ id: string }>();
  const { kysely } = service.database;
  const { reading } = await kysely.selectFrom('vin_files').select('reading').executeTakeFirstOrThrow();
  const lines = Array.from({ length: 10_000 }, (_, row) => [row, 2 * row]);
  const long = JSON.stringify({ ...JSON.parse(reading ?? ''), lines });
  await kysely.updateTable('vin_files').set({ reading: long, state: 'stopped' }).execute();
  const parsed = vi.spyOn(JSON, 'parse');
  const get = async (url: string, accept: string) => service.app.inject({ url, headers: { ...headers, accept } });
  const state = await get(`/api/jobs/${id}`, 'application/json');
  const asLines = await get(`/api/jobs/${id}/results`, 'application/x-ndjson');
  const asCsv = await get(`/api/jobs/${id}/results`, 'text/csv');
  const longest = Math.max(...parsed.mock.calls.map(([text]) => text.length));
  parsed.mockRestore();
  expect(state.json()).toMatchObject({ id, form: 'JSON Lines' });
  expect(asLines.body).toContain('"paid":true');
  expect(asCsv.body).toContain('X00000,true');
  expect(longest).toBeLessThan(10_000);
});

test('lines of results come in pieces, also of a file whose names of columns were stored without a bound', async () => {
  await using service = await testService();
  const headers = { 'x-api-key': await service.keyFor('starter'), 'content-type': 'application/x-ndjson' };
  const payload = '{"vin":"X00000","a":1,"b":2}\n'.repeat(200);
  const sent = await service.app.inject({ method: 'POST', url: '/api/jobs', headers, payload });
  const { id } = sent.json<{ id: string }>();
  const { database } = service;
  const header = JSON.stringify(['vin', `a${'\u4e00'.repeat(400_000)}`, 'b'.repeat(400_000)]);
  const end = { state: 'stopped', header } as const;
  await database.kysely.updateTable('vin_files').set(end).where('id', '=', id).execute();
  const pieces: string[] = [];
  for await (const piece of resultLines(database, id, 'starter', anyTurn)) pieces.push(piece);
  expect(pieces.join('').split('\n').length).toBe(201);
  expect(pieces.join('').length).toBeLessThan(1_000_000);
  const wide = JSON.stringify(['vin', `a${'\u0007'.repeat(9_000)}`, 'b'.repeat(9_000)]);
  await database.kysely.updateTable('vin_files').set({ header: wide }).where('id', '=', id).execute();
  const lengths: number[] = [];
  for await (const piece of resultLines(database, id, 'starter', anyTurn)) lengths.push(piece.length);
  expect(Math.max(...lengths)).toBeLessThan(400_000);
  expect(lengths.length).toBeGreaterThan(20);
});

test('the encoding of a text is guessed in many turns', async () => {
  let count = 0;
  const bytes = Buffer.concat([Buffer.from('vin\n'), Buffer.alloc(18_000, Buffer.from([0xff, 0xfe, 0xfd]))]);
  const read = await textOf(bytes, '', async () => void (count += 1));
  expect(read).toMatchObject({ kind: 'text', encoding: 'windows-1254' });
  expect(count).toBeGreaterThanOrEqual(16);
});

test.each([
  ['is decoded', Buffer.alloc(2_000_000, Buffer.from([0x88, 0xa0])), 'shift_jis', 7],
  ['loses its NUL characters', Buffer.alloc(2_000_000, 'aab\0'), 'utf-8', 14],
])('a long text %s in many turns', async (_, bytes, asked, least) => {
  let count = 0;
  const turn = async (): Promise<void> => void (count += 1);
  const read = await textOf(bytes, asked, turn);
  if (read.kind === 'refused') throw new Error(read.message);
  if (read.text.includes('\0')) await readFile(read, '', { rows: 10, bytes: 50_000_000 }, turn);
  expect(count).toBeGreaterThanOrEqual(least);
});

test('results of a file that is removed while they are sent do not end as if they were whole', async () => {
  await using service = await testService();
  const headers = { 'x-api-key': await service.keyFor('starter'), 'content-type': 'text/csv' };
  const payload = `vin,n\n${'X00000,1\n'.repeat(1_000)}`;
  const { id } = (await service.app.inject({ method: 'POST', url: '/api/jobs', headers, payload })).json<{
    id: string;
  }>();
  const { kysely } = service.database;
  await kysely.updateTable('vin_files').set({ state: 'stopped' }).execute();
  const results = [
    resultLines(service.database, id, 'starter', anyTurn),
    exportFile(service.database, id, 'starter', 'csv', anyTurn),
  ];
  // CSV begins with its header.
  await results[1]?.next();
  for (const result of results) expect(await result.next()).toMatchObject({ done: false });
  await kysely.deleteFrom('vin_files').execute();
  for (const result of results) await expect(restOf(result)).rejects.toThrow('was removed');
});

test('results end unfinished once their reader may not have them: a revoked key, a removed member', async () => {
  await using service = await testService();
  const { database } = service;
  const { kysely } = database;
  const owner = await signUp(service, 'ada@example.com', 'ada-motors');
  const { id: workspaceId } = await kysely.selectFrom('workspaces').select('id').executeTakeFirstOrThrow();
  const deps = { database, clock: systemClock, random: systemRandom };
  await setPlan(deps, 'ada-motors', { plan: 'business', limit: { kind: 'none' } }, 'cli:test');
  const made = await createKey(deps, { workspaceId, name: 'main' }, 'cli:test');
  const headers = { 'x-api-key': made.key, 'content-type': 'text/csv' };
  const payload = `vin,n\n${'X00000,1\n'.repeat(1_000)}`;
  const sent = await service.app.inject({ method: 'POST', url: '/api/jobs', headers, payload });
  const { id } = sent.json<{ id: string }>();
  const file = kysely.selectFrom('vin_files').select('state');
  await until(async () => (await file.executeTakeFirstOrThrow()).state === 'completed');
  const next: unknown = Reflect.get(LoopTurns.prototype, 'next');
  if (typeof next !== 'function') throw new Error('No turn is given.');
  let turns = 0;
  let atSixth: (() => Promise<unknown>) | undefined;
  vi.spyOn(LoopTurns.prototype, 'next').mockImplementation(async function wait(this: LoopTurns, ...of) {
    await Reflect.apply(next, this, of);
    const [tenant] = of;
    if (tenant.id !== workspaceId) return;
    turns += 1;
    if (turns !== 6 || atSixth === undefined) return;
    await atSixth();
    // The right is looked at once a second.
    await setTimeout(1_100);
  });
  const asked = [
    () => service.app.inject({ url: `/api/jobs/${id}/results`, headers: { 'x-api-key': made.key } }),
    () => owner.get(`/portal/ada-motors/files/${id}/result.csv`),
  ];
  const ends = [() => revokeKey(deps, made.id, 'cli:test'), () => kysely.deleteFrom('workspace_members').execute()];
  for (const [place, ask] of asked.entries()) {
    expect((await ask()).statusCode).toBe(200);
    turns = 0;
    atSixth = ends[place];
    await expect(ask()).rejects.toThrow('destroyed');
    atSixth = undefined;
  }
  vi.restoreAllMocks();
});

test('each page of results is read in a turn, and written in another, whatever the database takes for its answer', async () => {
  await using service = await testService();
  const headers = { 'x-api-key': await service.keyFor('starter'), 'content-type': 'text/csv' };
  const payload = `vin,n\n${'X00000,1\n'.repeat(1_000)}`;
  const sent = await service.app.inject({ method: 'POST', url: '/api/jobs', headers, payload });
  const { id } = sent.json<{ id: string }>();
  const { database } = service;
  await database.kysely.updateTable('vin_files').set({ state: 'stopped' }).execute();
  const { length } = await database.kysely.selectFrom('vin_file_pages').select('first_row').execute();
  expect(length).toBeGreaterThan(3);
  let taken = 0;
  const turn = async (): Promise<void> => void (taken += 1);
  const forms = RESULT_FORM_NAMES.map((form) => exportFile(database, id, 'starter', form, turn));
  for (const result of [resultLines(database, id, 'starter', turn), ...forms]) {
    taken = 0;
    await restOf(result);
    // Before a page is read, before its decodes are, and after that.
    expect(taken).toBeGreaterThanOrEqual(3 * length);
  }
});

async function restOf(pieces: AsyncGenerator): Promise<void> {
  for (;;) if ((await pieces.next()).done === true) return;
}
