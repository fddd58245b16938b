import { connect, type Socket } from 'node:net';

import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { onceOver } from '../kernel/http/exchanges.ts';
import { until } from '../testing/until.ts';
import { boundPipelining, type PipeliningBounds } from './pipelining.ts';

/** More requests than one packet contains. */
const MANY = 20_000;
const PER_CONNECTION = 8;

let app: FastifyInstance;
let open: PromiseWithResolvers<void>;
/** Requests that Node has parsed. */
let parsed: number;
/** Requests that the service has begun to serve. */
let served: number;
/** The number of requests in progress. */
let inProgress: number;
let nowMs: number;

async function start(bounds: Partial<PipeliningBounds> = {}): Promise<number> {
  app = fastify({ forceCloseConnections: true });
  app.get('/api/one', async ({ raw }, reply) => {
    served += 1;
    inProgress += 1;
    onceOver({ request: raw, response: reply.raw }, () => (inProgress -= 1));
    await open.promise;
    return { ok: true };
  });
  boundPipelining(app, {
    planOf: ({ 'x-api-key': key }) => (key === 'paid' ? 'starter' : undefined),
    networkOf: ({ headers }) => String(headers['x-from'] ?? 'somewhere'),
    headers: { api: { 'x-always': 'there' }, other: {} },
    bounds,
    now: () => nowMs,
  });
  app.server.on('request', () => (parsed += 1));
  await app.listen({ port: 0 });
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

beforeEach(() => {
  open = Promise.withResolvers();
  [parsed, served, inProgress, nowMs] = [0, 0, 0, 0];
});

afterEach(() => app.close());

const one = (headers = ''): string => `GET /api/one HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

/** Sends on a connection of its own. `text`: all that came back once it has closed. */
function send(port: number, bytes: string): { socket: Socket; text: Promise<string> } {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(bytes);
  let got = '';
  socket.on('data', (chunk) => (got += String(chunk)));
  const closed = Promise.withResolvers<string>();
  // With unread requests, the service's end of the connection is a reset.
  socket.once('close', () => closed.resolve(got));
  return { socket, text: closed.promise };
}

const statuses = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

test('the permitted pipelined requests are answered in order, however often', async () => {
  const port = await start();
  open.resolve();
  const { socket, text } = send(port, one('x-api-key: paid\r\n').repeat(PER_CONNECTION));
  await until(async () => served === PER_CONNECTION && inProgress === 0);
  socket.write(one('x-api-key: paid\r\n').repeat(PER_CONNECTION));
  await until(async () => served === 2 * PER_CONNECTION && inProgress === 0);
  socket.end();
  expect(statuses(await text)).toEqual(Array(2 * PER_CONNECTION).fill(200));
});

test('one request too many is refused after the answers before it, with what to change, and ends the connection', async () => {
  const port = await start();
  const { text } = send(port, one().repeat(PER_CONNECTION + 1));
  await until(async () => served === PER_CONNECTION && parsed === PER_CONNECTION + 1);
  open.resolve();
  const answers = await text;
  expect(statuses(answers)).toEqual([...Array(PER_CONNECTION).fill(200), 429]);
  const refusal = answers.slice(answers.indexOf('HTTP/1.1 429'));
  expect(refusal).toMatch(/^x-always: there\r$/m);
  expect(refusal).toMatch(/^connection: close\r$/m);
  expect(refusal).toContain('"error":"Too many requests were sent on this connection without waiting for answers.');
});

test('of a flood on one connection few requests are parsed, and no more is read', async () => {
  const port = await start();
  const { text } = send(port, one().repeat(MANY));
  await until(async () => parsed > PER_CONNECTION);
  open.resolve();
  await text;
  expect(served).toBe(PER_CONNECTION);
  expect(parsed).toBe(PER_CONNECTION + 1);
});

test('a connection that closes gives back the places of answers that still waited behind another', async () => {
  const port = await start({ perProcess: PER_CONNECTION - 1 });
  const first = send(port, one().repeat(PER_CONNECTION));
  await until(async () => inProgress === PER_CONNECTION);
  first.socket.resetAndDestroy();
  await until(async () => inProgress === 0);
  const second = send(port, one().repeat(PER_CONNECTION));
  await until(async () => inProgress === PER_CONNECTION);
  open.resolve();
  await until(async () => inProgress === 0);
  second.socket.end();
  expect(statuses(await second.text)).toEqual(Array(PER_CONNECTION).fill(200));
});

test('all connections together have a limit of requests that nobody waited for', async () => {
  const port = await start({ perProcess: 3 });
  const paid = one('x-api-key: paid\r\n').repeat(2);
  // Others have a limit of their own.
  const connections = [paid, paid, paid, paid, one().repeat(2)].map((text) => send(port, text));
  await until(async () => parsed === 10);
  expect(served).toBe(9);
  open.resolve();
  await until(async () => inProgress === 0);
  for (const { socket } of connections) socket.end();
  const answers = await Promise.all(connections.map(({ text }) => text));
  expect(answers.flatMap(statuses).filter((status) => status === 429)).toHaveLength(1);
});

test('each network has an allowance for sending without waiting, which comes back, and paid plans need none', async () => {
  const port = await start({ perClient: { burst: 3, refillMs: 1_000 } });
  open.resolve();
  const sent = async (headers: string): Promise<number[]> => {
    const before = served;
    const { socket, text } = send(port, one(headers).repeat(3));
    // Either the refusal closes the connection, or this does once all three are over.
    await Promise.race([text, until(async () => served === before + 3 && inProgress === 0)]);
    socket.end();
    return statuses(await text);
  };
  expect(await sent('x-from: here\r\n')).toEqual([200, 200, 200]);
  expect(await sent('x-from: here\r\n')).toEqual([200, 200, 429]);
  expect(await sent('x-from: there\r\n')).toEqual([200, 200, 200]);
  expect(await sent('x-from: here\r\nx-api-key: paid\r\n')).toEqual([200, 200, 200]);
  nowMs += 2_000;
  expect(await sent('x-from: here\r\n')).toEqual([200, 200, 200]);
});
