import { readFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import { afterEach, expect, test, vi } from 'vitest';

import type { Exchange } from '../kernel/http/exchanges.ts';
import { localRateLimit } from '../kernel/limits/token-buckets.ts';
import { scriptBeside, ThreadPool } from '../kernel/threads/pool.ts';
import { rowsText } from './file-pages.ts';
import { textCell, workbookFile } from './testing/workbook.ts';
import { TransferLimits } from './transfer-limits.ts';
import type { PackedFile, Unpacked } from './unpack.ts';

/** Empty, and costly to find that out: within every bound on what a file declares. */
const COSTLY = await workbookFile(...Array.from({ length: 4 }, () => Array.from({ length: 60_000 }, () => [])));
const SMALL = await workbookFile([[textCell('A1', '1HGCM82633A004352')]]);
const ALSO_SMALL = await workbookFile([[textCell('A1', '1HGCM82633A004352')], []]);

let transfers: TransferLimits;

afterEach(() => transfers.close());

function exchange(): Exchange {
  const request = new IncomingMessage(new Socket());
  return { request, response: new ServerResponse(request) };
}

/** Watches the files that begin to be unpacked, which the length of their bytes tells apart. */
function watchFiles() {
  const run = vi.spyOn(ThreadPool.prototype, 'run');
  const begun = () => run.mock.calls.map(([{ bytes }]: [{ bytes: Uint8Array }, ...unknown[]]) => bytes.length);
  return { run, begun };
}

/** Sends a workbook as a workspace, and ends the upload when it is unpacked. */
async function send(id: string, bytes: Uint8Array): Promise<Unpacked> {
  return sendPacked(id, {
    form: 'workbook',
    bytes: new Uint8Array(bytes),
    column: '',
    mostRows: 100,
    mostBytes: 50_000_000,
  });
}

function listOf(count: number): PackedFile {
  const text = JSON.stringify({ vins: Array.from({ length: count }, () => '1HGCM82633A004352') });
  const bytes = new Uint8Array(Buffer.from(text));
  return { form: 'json', bytes, column: '', mostRows: 200_000, mostBytes: 50_000_000, encoding: '' };
}

async function sendPacked(id: string, file: PackedFile): Promise<Unpacked> {
  const upload = await transfers.receive({ id, isPaid: id.startsWith('paid') }, exchange());
  try {
    return await upload.unpack(file);
  } finally {
    upload.leave();
  }
}

test('beside eight workspaces with costly workbooks, one that pays has its turn at once, another free one after one of each, and CSV never waits', async () => {
  const { run, begun } = watchFiles();
  const bounds = { unpacking: { waitMs: 600_000 } };
  transfers = new TransferLimits({ rateLimit: localRateLimit, clock: () => 0, bounds });
  const hostile = Array.from({ length: 16 }, (_, number) => send(`hostile ${number % 8}`, COSTLY).catch(() => {}));
  // All of them are unpacked or wait for it, so that the places for other files are free.
  const csv = await transfers.receive({ id: 'csv', isPaid: false }, exchange());
  csv.leave();
  const paid = send('paid', SMALL);
  const honest = send('honest', ALSO_SMALL);
  await setImmediate();
  // No process can have answered yet.
  expect(begun()).toEqual([COSTLY.length, SMALL.length]);
  expect((await paid).kind).toBe('read');
  expect((await honest).kind).toBe('read');
  // One turn of each, and the one that pays; without turns sixteen more.
  expect(begun().indexOf(ALSO_SMALL.length)).toBeLessThanOrEqual(9);
  await transfers.close();
  await Promise.all(hostile);
  run.mockRestore();
});

test('behind workspaces whose files take all the time that they may, the first file of another has its turn next', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const lengths: number[] = [];
  const run = vi.spyOn(ThreadPool.prototype, 'run').mockImplementation(async (file) => {
    const { bytes }: { bytes: Uint8Array } = file;
    lengths.push(bytes.length);
    if (bytes.length > 1) await new Promise((resolve) => setTimeout(resolve, 20_000));
    return { kind: 'refused', message: 'unpacked' };
  });
  transfers = new TransferLimits({ rateLimit: localRateLimit, clock: () => 0 });
  const hostile = ['a', 'a', 'b', 'b'].map((id) => send(id, new Uint8Array(2)).catch(() => {}));
  await vi.advanceTimersByTimeAsync(1);
  const honest = send('honest', new Uint8Array(1)).catch((error: Error) => error);
  await vi.advanceTimersByTimeAsync(40_000);
  expect(await honest).toEqual({ kind: 'refused', message: 'unpacked' });
  expect(lengths.indexOf(1)).toBeLessThanOrEqual(2);
  await vi.advanceTimersByTimeAsync(100_000);
  await Promise.all(hostile);
  run.mockRestore();
  vi.useRealTimers();
});

test('the rows of an unpacked file come as bytes, of which no turn has to make all the texts', async () => {
  transfers = new TransferLimits({ rateLimit: localRateLimit, clock: () => 0 });
  const read = await send('free', SMALL);
  if (read.kind !== 'read') throw new Error(read.message);
  expect(read.pages.map(({ rows }) => rows instanceof Uint8Array)).toEqual([true]);
  expect(read.pages.map(rowsText)).toEqual(['[["1HGCM82633A004352"]]']);
});

test('a large list of JSON has its turn beside workspaces with costly workbooks and lists, as a workbook has', async () => {
  const { run, begun } = watchFiles();
  const bounds = { unpacking: { waitMs: 600_000 } };
  transfers = new TransferLimits({ rateLimit: localRateLimit, clock: () => 0, bounds });
  const hostile = Array.from({ length: 16 }, (_, number) => {
    const id = `hostile ${number % 8}`;
    return (number % 2 === 0 ? send(id, COSTLY) : sendPacked(id, listOf(190_000))).catch(() => {});
  });
  const [ofPaid, ofHonest] = [listOf(20_000), listOf(20_001)];
  const paid = sendPacked('paid', ofPaid);
  const honest = sendPacked('honest', ofHonest);
  await setImmediate();
  expect(begun()).toEqual([COSTLY.length, ofPaid.bytes.length]);
  expect(await paid).toMatchObject({ kind: 'read', count: 20_000 });
  expect(await honest).toMatchObject({ kind: 'read', count: 20_001 });
  expect(begun().indexOf(ofHonest.bytes.length)).toBeLessThanOrEqual(9);
  await transfers.close();
  await Promise.all(hostile);
  run.mockRestore();
});

test('a file that finds no place to be unpacked takes nothing from the limit on how often files come', async () => {
  const few = { all: 1, reserved: 0, perTenant: 1, waiting: 0, waitingPerTenant: 1 };
  transfers = new TransferLimits({ rateLimit: localRateLimit, clock: () => 0, bounds: { unpacking: few } });
  const unpacked = Promise.withResolvers<Unpacked>();
  const run = vi.spyOn(ThreadPool.prototype, 'run').mockReturnValueOnce(unpacked.promise);
  const running = send('hostile', COSTLY);
  const refused = { statusCode: 503, headers: { 'retry-after': '2' } };
  for (let count = 0; count < 50; count++) await expect(send('honest', SMALL)).rejects.toMatchObject(refused);
  unpacked.resolve({ kind: 'refused', message: 'unpacked' });
  await running;
  expect((await send('honest', SMALL)).kind).toBe('read');
  run.mockRestore();
});

test('a list whose thread is lost is refused as too costly to read, not as a packed file', async () => {
  transfers = new TransferLimits({ rateLimit: localRateLimit, clock: () => 0 });
  const upload = await transfers.receive({ id: 'list', isPaid: false }, exchange());
  await transfers.close();
  const refused = 'The list takes too much time or memory to read.';
  expect(await upload.unpack(listOf(1))).toMatchObject({ kind: 'refused', message: expect.stringContaining(refused) });
  upload.leave();
});

test('a Parquet file whose columns fail one after another harms no file that comes after it', async () => {
  const whole = readFileSync(new URL('testing/written/duckdb-v2.parquet', import.meta.url));
  const damaged = Buffer.from(whole);
  // The library awaits some of the columns that it reads side by side only until the first error.
  for (const [at, byte] of [
    [251, 59],
    [406, 129],
    [1387, 128],
    [3138, 97],
  ] as const)
    damaged[at] = byte;
  transfers = new TransferLimits({ rateLimit: localRateLimit, clock: () => 0 });
  const script = scriptBeside(import.meta.url, 'unpack-thread');
  const threads = new ThreadPool<PackedFile, Unpacked>({ script, workerData: undefined, threads: 1 });
  const sent = [damaged, whole].map((bytes) =>
    threads.run({ form: 'parquet', bytes: new Uint8Array(bytes), column: '', mostRows: 9, mostBytes: 50_000_000 }),
  );
  const answered = await Promise.allSettled(sent);
  await threads.close();
  expect(answered).toMatchObject([{ value: { kind: 'refused' } }, { value: { kind: 'read' } }]);
});
