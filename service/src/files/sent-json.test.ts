import { expect, test } from 'vitest';

import { anyTurn } from '../kernel/limits/loop-turns.ts';
import { readSentJson, type SentJson } from './sent-json.ts';
import { unpack } from './unpack.ts';

const VIN = '1HGCM82633A004352';
const LARGE = JSON.stringify({ vins: Array.from({ length: 20_000 }, () => VIN) });

function sent(form: SentJson['form'], bytes: Buffer, encoding = ''): SentJson<Uint8Array<ArrayBuffer>> {
  return { form, bytes: new Uint8Array(bytes), encoding, column: '', mostRows: 100_000, mostBytes: 50_000_000 };
}

test.each([
  ['JSON', sent('json', Buffer.from(LARGE))],
  ['lines', sent('lines', Buffer.from(LARGE))],
  ['lines after blanks', sent('lines', Buffer.from(' '.repeat(600) + LARGE))],
  ['lines of UTF-16 without a mark', sent('lines', Buffer.from(' '.repeat(600) + LARGE, 'utf16le'), 'utf-16le')],
])('a large list sent as %s is not parsed where requests are answered', async (_, list) => {
  expect(await readSentJson(list, anyTurn)).toBeUndefined();
});

test('a large list after blanks has the same table in a thread as a small one has where requests are answered', async () => {
  const large = await unpack(sent('lines', Buffer.from(' '.repeat(600) + LARGE)));
  expect(large).toMatchObject({ kind: 'read', count: 20_000, reading: { form: 'list' } });
  const small = await readSentJson(sent('json', Buffer.from(JSON.stringify({ vins: [VIN] }))), anyTurn);
  expect(small).toMatchObject({ kind: 'read', count: 1, reading: { form: 'list' } });
});

test('a table is not read for a sender who has disconnected', async () => {
  const lines = sent('lines', Buffer.from(`"${VIN}"\n"${VIN}"\n`));
  await expect(readSentJson(lines, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
});

test('JSON that is not UTF-8 is refused, and no character is replaced', async () => {
  const text = JSON.stringify({ vins: [`${VIN} Größe`] });
  expect(await readSentJson(sent('json', Buffer.from(text, 'latin1')), anyTurn)).toEqual({
    kind: 'refused',
    message: 'The body is not UTF-8. Encode JSON as UTF-8.',
  });
  expect(await readSentJson(sent('json', Buffer.from(`\uFEFF${text}`)), anyTurn)).toMatchObject({
    kind: 'read',
    count: 1,
  });
});
