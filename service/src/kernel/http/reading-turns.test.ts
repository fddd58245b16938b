import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { watchPieces } from './read-no-more.ts';
import { ReadingTurns } from './reading-turns.ts';

const BYTES = 4_000_000;
const COUNT = 16;

let server: Server;
/** The most bytes that were read in a turn of the event loop. */
let most: number;
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeEach(async () => {
  most = 0;
  let inTurn = 0;
  const turns = new ReadingTurns();
  server = createServer((arrived, response) => answer(arrived, response));
  server.prependListener('request', ({ socket }: IncomingMessage) => {
    watchPieces(socket, (bytes) => {
      if (inTurn === 0) setImmediate(() => (inTurn = 0));
      inTurn += bytes;
      most = Math.max(most, inTurn);
      turns.count(socket, bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends large bodies at once, in a thread of its own. */
const SENDER = `
  const { request } = require('node:http');
  const { parentPort, workerData: { port, count, bytes } } = require('node:worker_threads');
  const { text } = require('node:stream/consumers');
  const send = async (_, index) => {
    const { promise, resolve } = Promise.withResolvers();
    const options = { port, host: '127.0.0.1', method: 'POST', agent: false, headers: { connection: 'keep-alive' } };
    const sent = request(options, (answer) => resolve(text(answer)));
    sent.on('error', (error) => resolve(error.message)).end(Buffer.alloc(bytes + index, 'a'));
    return promise;
  };
  Promise.all(Array.from({ length: count }, send)).then((answers) => parentPort.postMessage(answers));
`;

/** Sends large bodies at once. @returns the answers. */
async function sendAll(count: number): Promise<unknown> {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const worker = new Worker(SENDER, { eval: true, workerData: { port, count, bytes: BYTES } });
  let connected = 0;
  server.on('connection', () => {
    // Until much of each body has arrived.
    if (++connected === count) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  });
  const [answers] = await once(worker, 'message');
  await worker.terminate();
  return answers;
}

/** In the first turn each connection sends a packet of 64 KiB before it waits. */
const MOST = COUNT * 65_536 + 200_000;

test('large bodies are read whole, in turns that leave time for others', async () => {
  answer = (arrived, response) => void text(arrived).then((body) => response.end(String(body.length)));
  expect(await sendAll(COUNT)).toEqual(Array.from({ length: COUNT }, (_, index) => String(BYTES + index)));
  expect(most).toBeLessThan(MOST);
});

test('bodies that nobody reads are dropped in turns, too', async () => {
  answer = (_, response) => void response.end('refused');
  expect(await sendAll(COUNT)).toEqual(Array(COUNT).fill('refused'));
  expect(most).toBeLessThan(MOST);
});

test('a body that its reader takes slowly waits for the reader', async () => {
  let kept = 0;
  answer = (arrived, response) => {
    const read = (): void => {
      kept = Math.max(kept, arrived.readableLength);
      if (arrived.readableEnded) response.end('read');
      else setImmediate(read);
      arrived.read(1_000 + arrived.readableLength / 2);
    };
    read();
  };
  expect(await sendAll(1)).toEqual(['read']);
  expect(kept).toBeLessThan(200_000);
});
