import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import type { FastifyInstance } from 'fastify';

import { type NetworkOf, wideNetworkOf } from './address.ts';
import type { Plan } from './plan.ts';

/** Bounds of bodies that have not been read whole. See docs/decisions/overload.md. */
const BOUNDS = {
  /** Bytes that they may take in this process. */
  bytes: 32_000_000,
  /** Milliseconds between two lines in the log. */
  everyMs: 1_000,
};

/** Bodies of fewer bytes are not counted: they come in one packet, and thousands of them take little memory. */
const SMALL = 1_024;

/** The most that a body counts with: larger ones are files, of which few are read at once (`files/transfer-limits.ts`). */
const LARGE = 131_072;

/** Bytes for what unpacks a body. */
const UNPACKING = 65_536;

/** The share of the limit that is left once it is passed, so that not each further body is one too many. */
const LEFT = 0.75;

interface BodyOptions {
  /** The plan of a cached key. */
  planOf: (headers: IncomingHttpHeaders) => Plan | undefined;
  networkOf: NetworkOf;
  bounds?: Partial<typeof BOUNDS>;
}

/** A body that arrives. */
interface Arriving {
  request: IncomingMessage;
  bytes: number;
  network: string;
  isPaid: boolean;
}

/**
 * Limits the memory of bodies that have not been read whole. Each counts with what it may take, since a few bytes can
 * unpack to all that a route takes and then never end.
 *
 * Beyond the limit the connections of the network with most are closed, the oldest first: honest bodies end soon. Those
 * with a key of a paid plan come last.
 */
export function boundBodies(app: FastifyInstance, { planOf, networkOf, bounds }: BodyOptions): void {
  const { bytes: most, everyMs } = { ...BOUNDS, ...bounds };
  const arriving = new Set<Arriving>();
  let bytes = 0;
  let cut = 0;

  const end = (body: Arriving): void => {
    if (arriving.delete(body)) bytes -= body.bytes;
  };

  app.server.prependListener('request', (request: IncomingMessage) => {
    const weight = weightOf(request.headers);
    if (weight < SMALL) return;
    const plan = planOf(request.headers);
    const isPaid = plan !== undefined && plan !== 'free';
    const body = { request, bytes: weight, network: wideNetworkOf(networkOf(request)), isPaid };
    arriving.add(body);
    bytes += weight;
    for (const over of ['end', 'close']) request.once(over, () => end(body));
    if (bytes <= most) return;
    for (const each of fullestOf(arriving, bytes - most * LEFT)) {
      end(each);
      each.request.socket.destroy();
      cut += 1;
    }
  });

  const timer = setInterval(() => {
    if (cut > 0) app.log.warn({ cut }, 'connections closed whose bodies did not end');
    cut = 0;
  }, everyMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

/** Returns the bytes that a body may take until it is read whole. */
function weightOf(headers: IncomingHttpHeaders): number {
  const declared = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : LARGE;
  if (declared > 0 && headers['content-encoding'] !== undefined) return LARGE + UNPACKING;
  return Math.min(declared, LARGE);
}

/** Returns bodies with so many bytes in all, always the next one of the network that has most left. */
function fullestOf(arriving: Iterable<Arriving>, wanted: number): Arriving[] {
  const groups = [...Map.groupBy(arriving, ({ network, isPaid }) => `${isPaid} ${network}`).values()].map((bodies) => ({
    isPaid: bodies[0]?.isPaid === true,
    bytes: bodies.reduce((sum, body) => sum + body.bytes, 0),
    // The oldest last.
    bodies: bodies.toReversed(),
  }));
  const chosen: Arriving[] = [];
  for (let left = wanted; left > 0;) {
    const fullest = groups.reduce((one, other) => (isFuller(other, one) ? other : one));
    const body = fullest.bodies.pop();
    if (body === undefined) break;
    fullest.bytes -= body.bytes;
    left -= body.bytes;
    chosen.push(body);
  }
  return chosen;
}

function isFuller(one: { isPaid: boolean; bytes: number }, other: { isPaid: boolean; bytes: number }): boolean {
  if (one.isPaid !== other.isPaid && one.bytes > 0 && other.bytes > 0) return other.isPaid;
  return one.bytes > other.bytes;
}
