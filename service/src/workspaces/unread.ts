import type { ServerResponse } from 'node:http';

import type { FastifyInstance } from 'fastify';

import type { OpenAnswers } from '../kernel/http/exchanges.ts';
import type { NetworkOf } from './address.ts';
import type { CutNetworks } from './cut-networks.ts';

/** Bounds of answers that their clients do not read. See docs/decisions/overload.md. */
const BOUNDS = {
  /** Bytes of answers that this process may keep for clients. */
  bytes: 32_000_000,
  /** Milliseconds between two checks. */
  everyMs: 250,
};

/** The bytes of what stays with an answer, such as its request. */
const BESIDES = 16_384;

interface UnreadOptions {
  answers: OpenAnswers;
  cuts: CutNetworks;
  networkOf: NetworkOf;
  bounds?: Partial<typeof BOUNDS>;
}

/**
 * Limits the memory of answers that wait for their clients to read them. An answer can be ten times as large as its
 * request, and stays until the connection is cut for being idle.
 *
 * Beyond the limit the largest answers of the network that has most are dropped, and their connections closed.
 */
export function boundUnread(app: FastifyInstance, options: UnreadOptions): void {
  const { answers } = options;
  const { bytes, everyMs } = { ...BOUNDS, ...options.bounds };
  const timer = setInterval(() => {
    const open = answers.taken();
    if (unreadIn(open) <= bytes) return;
    const cut = cutDown(open, bytes, options);
    app.log.warn({ cut }, 'connections closed whose clients do not read their answers');
  }, everyMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

function unreadIn(answers: Iterable<ServerResponse>): number {
  let bytes = 0;
  for (const answer of answers) bytes += keptFor(answer);
  return bytes;
}

/** Returns the bytes that an answer takes while its client does not read it: that of one which is read takes none. */
function keptFor({ writableLength }: ServerResponse): number {
  return writableLength === 0 ? 0 : writableLength + BESIDES;
}

/** Closes connections until the rest is within a limit. @returns how many. */
function cutDown(answers: readonly ServerResponse[], most: number, { networkOf, cuts }: UnreadOptions): number {
  const byNetwork = Map.groupBy(answers, ({ req }) => networkOf(req));
  const networks = [...byNetwork.values()].map((own) => ({
    bytes: unreadIn(own),
    // The largest last.
    answers: own.toSorted((one, other) => keptFor(one) - keptFor(other)),
  }));
  let bytes = unreadIn(answers);
  let cut = 0;
  while (bytes > most) {
    const fullest = networks.reduce((one, other) => (other.bytes > one.bytes ? other : one));
    const answer = fullest.answers.pop();
    if (answer === undefined) break;
    bytes -= keptFor(answer);
    fullest.bytes -= keptFor(answer);
    answer.req.socket.destroy();
    cuts.note(networkOf(answer.req));
    cut += 1;
  }
  return cut;
}
