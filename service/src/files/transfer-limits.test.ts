import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';

import { localRateLimit } from '../kernel/limits/token-buckets.ts';
import { turnsDuring } from '../testing/loop-turns.ts';
import { until } from '../testing/until.ts';
import { readFile } from './read-file.ts';
import { type TransferBounds, TransferLimits } from './transfer-limits.ts';

/** More pages than the buffers of two sockets have room for. */
const PAGES = 400;
const PAGE = 'x'.repeat(65_536);

/** One whose name begins with "paid" has a paid plan. */
const tenantOf = (id: string) => ({ id, isPaid: id.startsWith('paid') });

let app: FastifyInstance;
let nowMs: number;
let made: number;
let aborted: boolean[];
let handling: PromiseWithResolvers<void>;

afterEach(() => app.close());

async function start(bounds: Partial<TransferBounds>): Promise<number> {
  const transfers = new TransferLimits({ rateLimit: localRateLimit, clock: () => nowMs, bounds });
  nowMs = 0;
  made = 0;
  aborted = [];
  handling = Promise.withResolvers();
  app = fastify({ forceCloseConnections: true });
  async function* pages(): AsyncGenerator<string> {
    for (let page = 0; page < PAGES; page++) {
      made += 1;
      yield PAGE;
      await nextTurn();
    }
  }
  app.get<{ Params: { workspace: string } }>('/results/:workspace', ({ params }, reply) =>
    reply.send(transfers.send(tenantOf(params.workspace), pages)),
  );
  app.post<{ Params: { workspace: string } }>('/files/:workspace', async ({ params, raw }, reply) => {
    const upload = await transfers.receive(tenantOf(params.workspace), { request: raw, response: reply.raw });
    const handled = new AbortController();
    const read = async (): Promise<void> => {
      for (; !handled.signal.aborted; await nextTurn()) await upload.turn();
    };
    read().catch(() => aborted.push(true));
    try {
      await handling.promise;
      return 'taken';
    } finally {
      handled.abort();
      upload.leave();
    }
  });
  await app.listen({ port: 0 });
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Asks over a socket of its own, and reads no more than the status. */
async function ask(port: number, line: string): Promise<{ status: string; socket: Socket }> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(`${line} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const [first]: Buffer[] = await once(socket, 'data');
  socket.pause();
  return { status: String(first).slice(9, 12), socket };
}

test('a client that does not read its results is disconnected, and only a few pages are made for it', async () => {
  const port = await start({ pageMs: 100 });
  const { status, socket } = await ask(port, 'GET /results/one');
  expect(status).toBe('200');
  await until(async () => {
    const count = await new Promise<number>((resolve) => app.server.getConnections((_error, open) => resolve(open)));
    return count === 0;
  });
  expect(made).toBeLessThan(PAGES);
  socket.destroy();
});

test('a client that reads gets everything, however many pages there are', async () => {
  const port = await start({ pageMs: 20_000 });
  const answer = await fetch(`http://127.0.0.1:${port}/results/one`);
  expect((await answer.text()).length).toBe(PAGES * PAGE.length);
});

test('a workspace gets a few results at once, and the next one when one of them has ended or gone', async () => {
  const port = await start({ downloads: { perTenant: 2, all: 3 } });
  const [first, second] = [await ask(port, 'GET /results/one'), await ask(port, 'GET /results/one')];
  expect([first.status, second.status]).toEqual(['200', '200']);
  expect((await ask(port, 'GET /results/one')).status).toBe('429');
  expect((await ask(port, 'GET /results/two')).status).toBe('200');
  expect((await ask(port, 'GET /results/three')).status).toBe('503');
  first.socket.destroy();
  await until(async () => (await ask(port, 'GET /results/one')).status === '200');
});

const FEW = { all: 3, reserved: 1, perTenant: 1, waiting: 4, waitingPerTenant: 1, waitMs: 20_000 };

/** Sends files that are being handled, each on a connection of its own. */
async function hold(port: number, ...workspaces: string[]): Promise<Socket[]> {
  return workspaces.map((workspace) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(`POST /files/${workspace} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`);
    return socket;
  });
}

test('work on a file ends when its sender has gone, and its place goes to the next', async () => {
  const port = await start({ uploads: FEW });
  const send = async (workspace: string) => fetch(`http://127.0.0.1:${port}/files/${workspace}`, { method: 'POST' });
  const [first] = await hold(port, 'one', 'one');
  // One that is handled and one that waits.
  await until(async () => (await send('one')).status === 429);
  expect((await send('one')).headers.get('retry-after')).toBe('2');
  first?.destroy();
  await until(async () => aborted.length === 1);
  handling.resolve();
  expect((await send('one')).status).toBe(200);
});

test('a paying workspace finds a place beside any number of free ones, and what is refused takes nothing from a limit', async () => {
  const port = await start({ uploads: { ...FEW, waitMs: 1 } });
  const send = async (workspace: string) => fetch(`http://127.0.0.1:${port}/files/${workspace}`, { method: 'POST' });
  await hold(port, ...Array.from({ length: 8 }, (_, number) => `free ${number}`.replace(' ', '-')));
  // Far more than the limit on how often a workspace may send.
  for (let count = 0; count < 60; count++) expect((await send('honest')).status).toBe(503);
  const paid = send('paid');
  await nextTurn();
  handling.resolve();
  expect((await paid).status).toBe(200);
  expect((await send('honest')).status).toBe(200);
});

test('the files of a workspace come at the pace of the limit, whichever way they come', async () => {
  const port = await start({});
  handling.resolve();
  const statuses: number[] = [];
  for (let count = 0; count < 31; count++) {
    statuses.push((await fetch(`http://127.0.0.1:${port}/files/one`, { method: 'POST' })).status);
  }
  expect(statuses.slice(0, 30)).toEqual(Array(30).fill(200));
  expect(statuses[30]).toBe(429);
  nowMs = 19_500;
  const last = await fetch(`http://127.0.0.1:${port}/files/one`, { method: 'POST' });
  expect(await last.text()).toContain('Send the next one in 1 second.');
});

async function* endless(): AsyncGenerator<string> {
  for (;;) yield PAGE;
}

test('a workspace without results finds a place beside those that have several and read slowly, and beside no others', async () => {
  const times = { ms: 0 };
  const bounds = { downloads: { perTenant: 4, all: 6, reserved: 1 } };
  const transfers = new TransferLimits({ rateLimit: localRateLimit, clock: () => 0, bounds, now: () => times.ms });
  const send = async (id: string) => {
    const stream = transfers.send(tenantOf(id), endless);
    stream.on('error', () => {});
    await once(stream, 'readable');
    return stream;
  };
  const [first, ...others] = [await send('many'), await send('many'), await send('many'), await send('many')];
  const single = await send('single');
  await expect(send('few')).rejects.toMatchObject({ statusCode: 503 });
  times.ms = 1_000;
  const few = await send('few');
  expect([first, ...others, single].map(({ destroyed }) => destroyed)).toEqual([true, false, false, false, false]);
  // Each that has one keeps it, and a paid one finds a place that is reserved.
  for (const stream of others.slice(1)) stream.destroy();
  const [more, paid] = [await send('more'), await send('paid')];
  times.ms = 2_000;
  const last = await send('last');
  await expect(send('late')).rejects.toMatchObject({ statusCode: 503 });
  for (const stream of [few, single, more, paid]) expect(stream.destroyed).toBe(false);
  // One that takes each page at once, and never ends.
  for (const stream of [...others, last]) stream.destroy();
  const steady = [await send('steady'), await send('steady')];
  for (const stream of steady) stream.resume();
  await expect(send('late')).rejects.toMatchObject({ statusCode: 503 });
  times.ms += 30_000;
  for (const stream of [...steady, ...steady]) await once(stream, 'data');
  const late = await send('late');
  expect([...steady, late].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  await transfers.close();
});

test('pages of results are made in turns of their workspaces', async () => {
  const transfers = new TransferLimits({
    rateLimit: localRateLimit,
    clock: () => 0,
    bounds: { pages: { all: 1, perTenant: 1 } },
    now: () => 0,
  });
  const order: string[] = [];
  async function* pages(name: string): AsyncGenerator<string> {
    for (let page = 0; page < 4; page++) {
      await nextTurn();
      order.push(name);
      yield 'x';
    }
  }
  const streams = ['many', 'many', 'many', 'few'].map((id) => transfers.send({ id, isPaid: false }, () => pages(id)));
  await Promise.all(streams.map((stream) => stream.toArray()));
  expect(order.slice(0, 8).filter((name) => name === 'few')).toHaveLength(4);
});

test('however many results are sent side by side, a turn of the event loop begins one page of paid plans and one of others', async () => {
  const transfers = new TransferLimits({ rateLimit: localRateLimit, clock: () => 0 });
  let turn = 0;
  const over = new AbortController();
  const counting = (async () => {
    for (; !over.signal.aborted; turn += 1) await nextTurn();
  })();
  const begun: string[] = [];
  async function* pages(isPaid: boolean): AsyncGenerator<string> {
    for (let page = 0; page < 10; page++) {
      begun.push(`${turn} ${isPaid}`);
      yield 'x';
    }
  }
  const tenants = ['free a', 'free b', 'free c', 'paid a', 'paid b'].map(tenantOf);
  await Promise.all(tenants.map((tenant) => transfers.send(tenant, () => pages(tenant.isPaid)).toArray()));
  over.abort();
  await counting;
  expect(begun).toHaveLength(50);
  expect(new Set(begun).size).toBe(50);
});

async function* onePage(): AsyncGenerator<string> {
  yield PAGE;
}

test('a result whose reader leaves while it waits for its turn is made no further', async () => {
  await start({});
  const bounds = { pages: { all: 1, perTenant: 1 } };
  const transfers = new TransferLimits({ rateLimit: localRateLimit, clock: () => 0, bounds });
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  async function* first(): AsyncGenerator<string> {
    begun.resolve();
    yield await held.promise;
  }
  const reading = transfers.send(tenantOf('a'), first).toArray();
  await begun.promise;
  const waiting = onePage();
  const ended = vi.spyOn(waiting, 'return');
  const other = transfers.send(tenantOf('b'), () => waiting).resume();
  await nextTurn();
  other.destroy();
  await until(async () => ended.mock.calls.length > 0);
  held.resolve('page');
  expect(await reading).toEqual(['page']);
  await transfers.close();
});

test('however many files are read side by side, a turn of the event loop has a piece of one, and one of free workspaces is stored at once', async () => {
  const transfers = new TransferLimits({ rateLimit: localRateLimit, clock: () => 0 });
  const text = 'X\n'.repeat(50_000);
  const pieces = text.length / 16_384;
  const receive = async (id: string) => {
    const request = new IncomingMessage(new Socket());
    return transfers.receive(tenantOf(id), { request, response: new ServerResponse(request) });
  };
  const uploads = await Promise.all(Array.from({ length: 8 }, (_, number) => receive(`free ${number}`)));
  const { turns } = await turnsDuring(async () => {
    await Promise.all(
      uploads.map(async ({ turn, store }) => {
        await readFile(`1HGCM82633A004352\n${text}`, '', { rows: 60_000, bytes: 50_000_000 }, turn);
        await store(async () => {});
      }),
    );
  });
  expect(turns).toBeGreaterThanOrEqual(uploads.length * pieces);
  let [storing, most] = [0, 0];
  const work = async (): Promise<void> => {
    storing += 1;
    most = Math.max(most, storing);
    await nextTurn();
    storing -= 1;
  };
  await Promise.all(uploads.map(({ store }) => store(work)));
  expect(most).toBe(1);
  await transfers.close();
});
