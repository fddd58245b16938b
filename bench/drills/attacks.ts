// A thread that attacks a service on this machine until its time is over: see overload.ts.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';

import { workbookFile } from '../../service/dist/files/testing/workbook.js';

/** An attack, and its means. */
export interface Attack {
  kind: 'pipelining' | 'bodies' | 'workbooks';
  origin: string;
  /** Keys of workspaces of the plan free. */
  keys: readonly string[];
  forMs: number;
}

const CONNECTIONS = 32;
/** As much as one write of a connection takes. */
const PACKET = 65_536;
const LARGE = 9_900_000;
const VIN = '1HGCM82633A004352';

/**
 * Small requests on a connection, as many as it takes, without a key and without waiting; half do not read the answers.
 */
async function pipelining({ origin, forMs }: Attack): Promise<number> {
  const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  const packet = Buffer.from(request.repeat(Math.floor(PACKET / request.length)));
  const endAt = performance.now() + forMs;
  let bytes = 0;
  const flood = (reads: boolean): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1');
      const timer = setTimeout(() => socket.destroy(), Math.max(1, endAt - performance.now()));
      const write = (): void => {
        if (!socket.destroyed) socket.write(packet, (error) => !error && setImmediate(write));
      };
      if (reads) socket.resume();
      socket.on('connect', write).on('error', () => socket.destroy());
      socket.once('close', () => {
        clearTimeout(timer);
        bytes += socket.bytesWritten;
        resolve();
      });
    });
  const again = async (reads: boolean): Promise<void> => {
    while (performance.now() < endAt) {
      await flood(reads);
      await sleep(1);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => again(index % 2 === 0)));
  return Math.round(bytes / request.length);
}

const filled = (part: string, length = LARGE): string => part.repeat(Math.floor(length / part.length));

/** Bodies that take long to parse for their length. */
const BODIES = [
  `[${filled('{},')}1]`,
  filled('['),
  `{"vins":[${filled('1,')}1]}`,
  `{"vins":[${filled(`"${VIN}",`, 3_900_000)}"${VIN}"]}`,
  `{"vins":[${filled(`"VIN: ${VIN}, seen in the yard of the workshop",`)}"${VIN}"]}`,
  `{"vins":["${filled(String.raw`\"`)}"]}`,
  filled('{"a":{"b":{"c":[]}}}\n'),
  filled(`{"vin":"${VIN}","a":1,"b":2,"c":3}\n`, 9_000_000),
  filled('"'),
  filled(','),
  filled('\n'),
  `vin\n"${filled('a\n')}`,
  filled('a,b,c,d,e,f,g,h\n'),
  `vin\n${filled(`VIN: ${VIN} seen\n`, 5_000_000)}`,
];
/** The paths that the bodies are sent to; those of jobs also take them gzipped. */
const TARGETS = [
  ...['/api/jobs?dryRun', '/api/jobs'].flatMap((path) => [
    { path, isJob: true, isPacked: false },
    { path, isJob: true, isPacked: true },
  ]),
  ...['/api/decode/batch', '/api/decode', '/mcp', '/api/report-decode-issue'].map((path) => ({
    path,
    isJob: false,
    isPacked: false,
  })),
];
const TYPES = ['application/json', 'text/csv', 'application/x-ndjson', 'text/plain'];

async function bodies(attack: Attack): Promise<number> {
  const bytes = BODIES.map((body) => Buffer.from(body));
  const packed = bytes.map((body) => gzipSync(body, { level: 1 }));
  let next = 0;
  return sendUntilOver(attack, 2, () => {
    // Each body under each type goes to each target once in a round.
    const [target, place] = [at(TARGETS, next), Math.floor(next / TARGETS.length)];
    const type = at(TYPES, place + Math.floor(place / BODIES.length));
    next += 1;
    const { path, isJob, isPacked } = target;
    if (isPacked) return { path, type, body: at(packed, place), encoding: 'gzip' };
    return { path, type, body: at(bytes, place).subarray(0, isJob ? undefined : 120_000) };
  });
}

function at<Item>(items: readonly Item[], place: number): Item {
  const item = items[place % items.length];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
}

/** Small workbooks that unpack to megabytes. */
async function workbooks(attack: Attack): Promise<number> {
  const files = [
    await workbookFile(Array.from({ length: 300_000 }, () => [])),
    await workbookFile([['<![CDATA[', '<'.repeat(20_000_000)]]),
    await workbookFile([[`<c ${'a="" '.repeat(4_000_000)}/>`]]),
  ].map((bytes) => Buffer.from(bytes));
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  let next = 0;
  return sendUntilOver(attack, 3, () => {
    next += 1;
    return { path: '/api/jobs', type, body: files[next % files.length] ?? Buffer.alloc(0) };
  });
}

/** Sends requests with every key, some at once, each after the one before it. */
async function sendUntilOver(
  { origin, keys, forMs }: Attack,
  atOnce: number,
  next: () => { path: string; type: string; body: Buffer<ArrayBuffer>; encoding?: string },
): Promise<number> {
  const over = AbortSignal.timeout(forMs);
  let sent = 0;
  const send = async (key: string): Promise<void> => {
    while (!over.aborted) {
      const { path, type, body, encoding } = next();
      sent += 1;
      const headers = {
        'x-api-key': key,
        'content-type': type,
        accept: 'application/json, text/event-stream',
        ...(encoding !== undefined && { 'content-encoding': encoding }),
      };
      const request = fetch(origin + path, { method: 'POST', headers, body, signal: over });
      await request.then(async (answer) => answer.arrayBuffer()).catch(async () => sleep(20));
    }
  };
  await Promise.all(keys.flatMap((key) => Array.from({ length: atOnce }, async () => send(key))));
  return sent;
}

const ATTACKS = { pipelining, bodies, workbooks };

if (!isMainThread) {
  const attack: Attack = workerData;
  parentPort?.postMessage(await ATTACKS[attack.kind](attack));
}
