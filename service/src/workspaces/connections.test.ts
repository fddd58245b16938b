import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openAnswers } from '../kernel/http/exchanges.ts';
import { until } from '../testing/until.ts';
import { boundConnections, connectionsWithin } from './connections.ts';
import { CutNetworks } from './cut-networks.ts';
import { PayingNetworks } from './paying-networks.ts';

const PER_PROCESS = 20;
const PER_NETWORK = 10;
const LATE = 4;
/** Bounds of a network that is full or barred, in these tests. */
const ROUNDS = 1;
const TRIALS = 3;
const NEVER_MS = 3_600_000;

let app: FastifyInstance;
let cuts: CutNetworks;
let paying: PayingNetworks;
/** True if the key that requests bring is in the cache of keys. */
let isKnown: boolean;
let port: number;
let sockets: Socket[];
/** The network that the next connection comes from. */
let from: string;
/** Requests are answered once this has resolved. */
let gate: PromiseWithResolvers<void>;

beforeEach(async () => {
  sockets = [];
  gate = Promise.withResolvers();
  cuts = new CutNetworks();
  paying = new PayingNetworks();
  isKnown = true;
  app = fastify({ forceCloseConnections: true });
  const networks = new WeakMap<object, string>();
  boundConnections(app, {
    planOf: (headers) => (headers['x-api-key'] === undefined || !isKnown ? undefined : 'starter'),
    networkOf: ({ headers, socket }) => {
      if (headers['x-forwarded-for'] !== undefined) return String(headers['x-forwarded-for']);
      const network = networks.get(socket) ?? from;
      networks.set(socket, network);
      return network;
    },
    isProxy: () => from === 'proxy',
    answers: openAnswers(app),
    cuts,
    paying,
    bounds: {
      perProcess: PER_PROCESS,
      perNetwork: PER_NETWORK,
      late: LATE,
      everyMs: 20,
      rounds: { burst: ROUNDS, refillMs: NEVER_MS },
      trials: { burst: TRIALS, refillMs: NEVER_MS },
    },
  });
  app.addHook('onRequest', async () => {
    isKnown = true;
  });
  app.get('/', async () => 'ready');
  app.post('/', async () => 'read');
  app.get('/wait', async () => gate.promise.then(() => 'done'));
  port = Number(new URL(await app.listen({ port: 0 })).port);
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

/** Opens a connection; resolves once the service has decided on it. */
async function open(network: string): Promise<Socket> {
  from = network;
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  const accepted = Promise.withResolvers<Socket>();
  app.server.once('connection', accepted.resolve);
  if ((await accepted.promise).destroyed) await once(socket.resume(), 'close');
  return socket;
}

/** Sends a request; resolves to the answer, or to nothing if the connection is closed before. */
async function ask(socket: Socket, path = '/', headers = ''): Promise<string> {
  const answered = Promise.withResolvers<string>();
  socket.once('data', (chunk) => answered.resolve(String(chunk)));
  socket.once('close', () => answered.resolve(''));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
  return answered.promise;
}

/** Opens connections whose requests are in progress. */
async function openBusy(count: number, network: string, headers?: string): Promise<Promise<string>[]> {
  const answers: Promise<string>[] = [];
  for (let index = 0; index < count; index++) {
    const socket = await open(network);
    const arrived = once(app.server, 'request');
    answers.push(ask(socket, '/wait', headers));
    await arrived;
  }
  return answers;
}

async function openIdle(count: number, network: string): Promise<Socket[]> {
  const idle: Socket[] = [];
  for (let index = 0; index < count; index++) {
    const socket = await open(network);
    expect(await ask(socket)).toContain('ready');
    idle.push(socket);
  }
  return idle;
}

const answeredIn = async (answers: readonly Promise<string>[]): Promise<number> => {
  gate.resolve();
  return (await Promise.all(answers)).filter((answer) => answer.endsWith('done')).length;
};

test('a network whose connections are all in use gets no further one, and others do', async () => {
  const busy = await openBusy(PER_NETWORK, 'hostile');
  for (let times = 0; times < 3; times++) expect((await open('hostile')).closed).toBe(true);
  expect(await ask(await open('elsewhere'))).toContain('ready');
  expect(await answeredIn(busy)).toBe(PER_NETWORK);
});

test('a network gets further connections for the oldest idle ones', async () => {
  const busy = await openBusy(2, 'here');
  const idle = await openIdle(PER_NETWORK - 2, 'here');
  for (let times = 0; times < 3; times++) expect(await ask(await open('here'))).toContain('ready');
  await until(async () => idle.filter(({ closed }) => closed).length === 3);
  expect(idle.slice(0, 3).every(({ closed }) => closed)).toBe(true);
  expect(await answeredIn(busy)).toBe(2);
});

test('a closed connection makes room for another one', async () => {
  const busy = await openBusy(PER_NETWORK, 'here');
  sockets[0]?.destroy();
  await until(async () => !(await open('here')).closed);
  expect(await answeredIn(busy)).toBe(PER_NETWORK - 1);
});

test('a proxy has any number of connections', async () => {
  expect(await answeredIn(await openBusy(PER_NETWORK + 5, 'proxy'))).toBe(PER_NETWORK + 5);
});

test('in a full process a health check gets in, and the network with most pays for it', async () => {
  const honest = await openBusy(4, 'honest');
  const hostile = await openBusy(PER_NETWORK, 'hostile');
  const others = await openBusy(PER_PROCESS - PER_NETWORK - 4, 'another');
  expect(await ask(await open('probe'))).toContain('ready');
  expect(await hostile[0]).toBe('');
  expect(await answeredIn([...honest, ...hostile, ...others])).toBe(PER_PROCESS - 1);
});

test('in a full process idle connections are closed before those in use', async () => {
  const busy = await openBusy(5, 'here');
  const [first] = await openIdle(PER_NETWORK - 5, 'here');
  const others = await openBusy(PER_PROCESS - PER_NETWORK, 'proxy', 'X-Forwarded-For: 192.0.2.1\r\n');
  expect(await ask(await open('probe'))).toContain('ready');
  await until(async () => first?.closed === true);
  expect(await answeredIn([...busy, ...others])).toBe(5 + PER_PROCESS - PER_NETWORK);
});

test('connections of a proxy count for the clients behind it', async () => {
  const answers: Promise<string>[] = [];
  for (let client = 0; client < 12; client++)
    answers.push(...(await openBusy(1, 'proxy', `X-Forwarded-For: 192.0.2.${client}\r\n`)));
  const hostile = await openBusy(PER_PROCESS - 12, 'hostile');
  expect(await ask(await open('probe'))).toContain('ready');
  expect(await hostile[0]).toBe('');
  expect(await answeredIn(answers)).toBe(12);
});

test('a network whose connections are cut again and again gets few further ones, unless it is a proxy', async () => {
  for (let times = 0; times < 400; times++) for (const network of ['hostile', 'proxy', 'other']) cuts.note(network);
  expect((await open('hostile')).closed).toBe(false);
  for (let times = 0; times < 400; times++) for (const network of ['hostile', 'proxy']) cuts.note(network);
  for (let times = 0; times < TRIALS; times++) expect((await open('hostile')).closed).toBe(false);
  expect((await open('hostile')).closed).toBe(true);
  for (const network of ['proxy', 'other']) expect(await ask(await open(network))).toContain('ready');
});

/** Opens connections whose bodies do not arrive. */
async function openLate(count: number, network: string): Promise<Socket[]> {
  const late: Socket[] = [];
  for (let index = 0; index < count; index++) {
    const socket = await open(network);
    late.push(socket);
    const arrived = once(app.server, 'request');
    socket.resume().write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n1');
    await arrived;
  }
  return late;
}

test('a paying caller gets in although others in its network hold all connections, and keeps its own', async () => {
  const paid = await open('shared');
  expect(await ask(paid, '/', 'X-Api-Key: paid\r\n')).toContain('ready');
  const late = await openLate(PER_NETWORK - 1, 'shared');
  expect(await ask(await open('shared'))).toContain('ready');
  for (let times = 0; times < 800; times++) cuts.note('shared');
  expect(await ask(await open('shared'))).toContain('ready');
  expect(await ask(paid)).toContain('ready');
  await until(async () => late.filter(({ closed }) => closed).length === 2);
});

test('a caller can show a paid key although its network is full and barred, and is let in from then on', async () => {
  isKnown = false;
  const late = await openLate(PER_NETWORK, 'shared');
  for (let times = 0; times < 800; times++) cuts.note('shared');
  expect(await ask(await open('shared'), '/', 'X-Api-Key: paid\r\n')).toContain('ready');
  for (let times = 0; times < PER_NETWORK; times++) expect(await ask(await open('shared'))).toContain('ready');
  await until(async () => late.every(({ closed }) => closed));
});

test('who shows no paid key in a full network gets in once, in the place of a late one', async () => {
  const late = await openLate(PER_NETWORK, 'hostile');
  const [further] = await openLate(1, 'hostile');
  expect(further?.closed).toBe(false);
  expect((await open('hostile')).closed).toBe(true);
  await until(async () => late.filter(({ closed }) => closed).length === 1);
});

test('a process that was told of a paying network by another one lets it in', async () => {
  const told: string[] = [];
  const other = new PayingNetworks((network) => told.push(network));
  for (let times = 0; times < 2; times++) other.note('shared');
  expect(told).toEqual(['shared']);
  for (const network of told) paying.add(network);
  await openLate(PER_NETWORK, 'shared');
  for (let times = 0; times < 5; times++) expect(await ask(await open('shared'))).toContain('ready');
});

test('connections whose headers do not end are closed, of the network that has most', async () => {
  const [idle] = await openIdle(1, 'hostile');
  const slow = await open('elsewhere');
  const hostile = await Promise.all(Array.from({ length: 8 }, () => open('hostile')));
  for (const socket of [slow, ...hostile]) socket.resume().write('GET / HTTP/1.1\r\nHost: x\r\n');
  await until(async () => hostile.filter(({ closed }) => !closed).length < LATE);
  const answered = once(slow, 'data');
  slow.write('\r\n');
  expect(String(await answered)).toContain('ready');
  expect(await ask(idle ?? slow)).toContain('ready');
});

test('a network that sends headers too long again and again gets no further connections', async () => {
  for (let times = 0; times < 500; times++) cuts.note('hostile');
  await until(async () => {
    const socket = await open('hostile');
    if (socket.closed) return true;
    socket.resume().write(`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n`);
    await once(socket, 'close');
    return false;
  });
  expect(await ask(await open('elsewhere'))).toContain('ready');
});

test('a process keeps files for its database and its other work', () => {
  expect([200, 1_024, 20_000, Infinity].map(connectionsWithin)).toEqual([100, 768, 10_000, 10_000]);
});
