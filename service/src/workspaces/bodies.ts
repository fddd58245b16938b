import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';

import type { OpenAnswers } from '../kernel/http/exchanges.ts';
import { wideNetworkOf } from '../kernel/limits/wide-network.ts';
import type { NetworkOf } from './address.ts';
import type { CutNetworks } from './cut-networks.ts';
import type { Plan } from './plan.ts';

/** Bounds of bodies that have not arrived whole. See docs/decisions/overload.md. */
const BOUNDS = {
  /** Bytes that they may take in this process: those with a key of a paid plan, and all others. */
  paid: 128_000_000,
  free: 32_000_000,
  /** Milliseconds between two looks at what has arrived. */
  everyMs: 250,
};

/** Bodies of fewer bytes are not counted: they come in one packet, and thousands of them take little memory. */
const SMALL = 1_024;

/** The most that a body counts with: larger ones are files, of which few are read at once (`files/transfer-limits.ts`). */
const LARGE = 131_072;

/** Bytes of a compressed body, whatever has arrived: what it may unpack to, and what unpacks it. */
const COMPRESSED = LARGE + 65_536;

/** The least bytes of a body that has not arrived after two looks: what its request and its connection take. */
const LATE = 16_384;

/** The most bytes that Node reads at once, so that the beginning of a body has arrived with its headers. */
const PACKET = 65_536;

/** The share of a limit that is left once it is passed, so that not each further body is one too many. */
const LEFT = 0.75;

interface BodyOptions {
  /** The plan of a cached key. */
  planOf: (headers: IncomingHttpHeaders) => Plan | undefined;
  networkOf: NetworkOf;
  answers: OpenAnswers;
  cuts: CutNetworks;
  bounds?: Partial<typeof BOUNDS>;
}

/** Counts a body that has arrived and waits to be read. @returns a function that ends it. */
export type HoldBody = (request: IncomingMessage, bytes: number) => () => void;

/** A body that arrives, or waits to be read. */
interface Arriving {
  request: IncomingMessage;
  /** Bytes that it counts with. */
  bytes: number;
  /** Bytes of the connection before it. */
  before: number;
  network: string;
  isLate: boolean;
  /** True if it has arrived. */
  isHeld: boolean;
}

/**
 * Limits the memory of bodies that have not arrived whole: a few bytes can unpack to all that a route takes, and then
 * never end. Those that wait to be read count as well.
 *
 * Beyond the limit the connections of the network with most are closed, the oldest first: honest bodies end soon.
 *
 * @returns a function that counts one that waits.
 */
export function boundBodies(app: FastifyInstance, options: BodyOptions): HoldBody {
  const { planOf, networkOf, answers, cuts } = options;
  const { paid, free, everyMs } = { ...BOUNDS, ...options.bounds };
  const groups = { paid: new Bodies(paid, cuts), free: new Bodies(free, cuts) };
  const late = new LateRequests(answers);
  /** Bytes of connections up to their last body. */
  const seen = new WeakMap<Socket, number>();

  function add(request: IncomingMessage, bytes: number, state: { isLate?: true; isHeld?: true } = {}): () => void {
    const { headers, socket } = request;
    const plan = planOf(headers);
    const before = Math.max(seen.get(socket) ?? 0, socket.bytesRead - PACKET);
    seen.set(socket, socket.bytesRead);
    const network = wideNetworkOf(networkOf(request));
    const body = { request, bytes, before, network, isLate: false, isHeld: false, ...state };
    return groups[plan === undefined || plan === 'free' ? 'free' : 'paid'].add(body);
  }

  app.server.prependListener('request', (request: IncomingMessage) => {
    const bytes = weightOf(request.headers);
    if (bytes >= SMALL) add(request, bytes);
  });

  const timer = setInterval(() => {
    for (const request of late.next())
      if (!Object.values(groups).some((group) => group.isLate(request))) add(request, LATE, { isLate: true });
    for (const group of Object.values(groups)) {
      group.cutDown();
      if (group.cut > 0) app.log.warn({ cut: group.cut }, 'connections closed whose bodies did not end');
      group.cut = 0;
    }
  }, everyMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  return (request, bytes) => (bytes >= SMALL ? add(request, bytes, { isHeld: true }) : () => undefined);
}

/** Bodies that arrive, within a limit. */
class Bodies {
  /** Connections closed since this was reset. */
  cut = 0;
  readonly #most: number;
  readonly #cuts: CutNetworks;
  readonly #arriving = new Map<IncomingMessage, Arriving>();
  #bytes = 0;

  constructor(most: number, cuts: CutNetworks) {
    this.#most = most;
    this.#cuts = cuts;
  }

  /** Adds a body, first with what it may take. @returns a function that ends it. */
  add(body: Arriving): () => void {
    const end = (): void => this.#end(body);
    // One that unpacks to its end before its last bytes arrive is read, and may wait, before it has arrived.
    const before = this.#arriving.get(body.request);
    if (before !== undefined) this.#end(before);
    this.#arriving.set(body.request, body);
    this.#bytes += body.bytes;
    if (!body.isHeld) for (const over of ['end', 'close']) body.request.once(over, end);
    if (this.#bytes > this.#most) this.cutDown();
    return end;
  }

  /** Returns true if a body is counted here, and from now on as a late one. */
  isLate(request: IncomingMessage): boolean {
    const body = this.#arriving.get(request);
    if (body !== undefined) body.isLate = true;
    return body !== undefined;
  }

  /** Counts what has arrived, and closes connections until the rest is within the limit. */
  cutDown(): void {
    for (const body of this.#arriving.values()) this.#measure(body);
    if (this.#bytes <= this.#most) return;
    for (const body of fullestOf(this.#arriving.values(), this.#bytes - this.#most * LEFT)) {
      this.#end(body);
      body.request.socket.destroy();
      this.#cuts.note(body.network);
      this.cut += 1;
    }
  }

  #measure(body: Arriving): void {
    const { request, before, isLate, isHeld } = body;
    // Neither `end` nor `close` comes for one that was answered before it had arrived.
    if (request.socket.destroyed || (request.complete && !isHeld)) {
      this.#end(body);
      return;
    }
    if (isHeld) return;
    if (request.headers['content-encoding'] !== undefined) return;
    const bytes = Math.max(Math.min(request.socket.bytesRead - before, LARGE), isLate ? LATE : 0);
    this.#bytes += bytes - body.bytes;
    body.bytes = bytes;
  }

  #end(body: Arriving): void {
    if (this.#arriving.get(body.request) !== body) return;
    this.#arriving.delete(body.request);
    this.#bytes -= body.bytes;
  }
}

/** Requests whose bodies do not arrive. */
class LateRequests {
  readonly #answers: OpenAnswers;
  #before: ReadonlySet<IncomingMessage> = new Set();

  constructor(answers: OpenAnswers) {
    this.#answers = answers;
  }

  /** Returns those that had not arrived at the last look, either. */
  next(): IncomingMessage[] {
    const now = this.#answers.taken().flatMap(({ req }) => (req.complete ? [] : [req]));
    const late = now.filter((request) => this.#before.has(request));
    this.#before = new Set(now);
    return late;
  }
}

/** Returns the bytes that a body may take until it is there. */
function weightOf(headers: IncomingHttpHeaders): number {
  const declared = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : LARGE;
  if (declared > 0 && headers['content-encoding'] !== undefined) return COMPRESSED;
  return Math.min(declared, LARGE);
}

/** Returns bodies with so many bytes in all, always the next one of the network that has most left. */
function fullestOf(arriving: Iterable<Arriving>, wanted: number): Arriving[] {
  const networks = [...Map.groupBy(arriving, ({ network }) => network).values()].map((bodies) => ({
    bytes: bodies.reduce((sum, body) => sum + body.bytes, 0),
    // The oldest last.
    bodies: bodies.toReversed(),
  }));
  const chosen: Arriving[] = [];
  for (let left = wanted; left > 0;) {
    const fullest = networks.reduce((one, other) => (other.bytes > one.bytes ? other : one));
    const body = fullest.bodies.pop();
    if (body === undefined) break;
    fullest.bytes -= body.bytes;
    left -= body.bytes;
    chosen.push(body);
  }
  return chosen;
}
