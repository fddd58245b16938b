import { Parser } from 'csv-parse';
import { expect, test, vi } from 'vitest';

import { LoopTurns } from '../kernel/limits/loop-turns.ts';
import { testService } from '../testing/service.ts';
import { readFile } from './read-file.ts';

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
    readFile(text, '', { rows: 10_000 }, () => shared.next({ id: `${file % 3}`, isPaid: false }, sender.signal)),
  );
  expect((await Promise.all(reads)).map((read) => read.kind === 'read' && read.count)).toEqual(Array(8).fill(5_000));
  written.mockRestore();
  counted.end();
  const turnsUsed = new Set(pieces.map(({ turn }) => turn));
  expect(turnsUsed.size).toBe(pieces.length);
  expect(Math.max(...pieces.map(({ text: piece }) => piece.split(end).length))).toBeLessThanOrEqual(501);
});

test('where empty lines are between the rows, the state of a job is read without its lines, which count as stored', async () => {
  await using service = await testService();
  const headers = { 'x-api-key': await service.keyFor('starter'), 'content-type': 'text/csv' };
  const payload = `vin\n${'X00000\n\nX00000\n'.repeat(3_000)}`;
  const sent = await service.app.inject({ method: 'POST', url: '/api/jobs', headers, payload });
  expect(sent.statusCode).toBe(202);
  const stored = await service.database.kysely.selectFrom('vin_files').select(['bytes', 'reading']).execute();
  expect(stored[0]?.reading?.length).toBeGreaterThan(20_000);
  expect(stored[0]?.bytes).toBeGreaterThan(20_000 + 2_000 * '["X00000"]'.length);
  const parsed = vi.spyOn(JSON, 'parse');
  const { id } = sent.json<{ id: string }>();
  const state = await service.app.inject({ url: `/api/jobs/${id}`, headers: { 'x-api-key': headers['x-api-key'] } });
  const longest = Math.max(...parsed.mock.calls.map(([text]) => text.length));
  parsed.mockRestore();
  expect(state.json()).toMatchObject({ id, form: 'CSV' });
  expect(longest).toBeLessThan(10_000);
});
