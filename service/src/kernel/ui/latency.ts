import type { FastifyInstance } from 'fastify';

/** Answers that are kept: enough for the slowest in a hundred to be more than chance. */
const CAPACITY = 5_000;

/** How long the last decodes of this instance took, from the request's arrival to the end of its answer. */
export class Latency {
  readonly #milliseconds = new Float64Array(CAPACITY);
  #count = 0;

  note(milliseconds: number): void {
    this.#milliseconds[this.#count % CAPACITY] = milliseconds;
    this.#count += 1;
  }

  /** How many answers the figures come from. */
  get samples(): number {
    return Math.min(this.#count, CAPACITY);
  }

  /** The time that a share of answers stayed under; undefined: there was none yet. */
  quantile(share: number): number | undefined {
    const sorted = this.#milliseconds.slice(0, this.samples).toSorted();
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  }
}

/** Remembers how long decodes take. Add it before the routes. */
export function watchLatency(app: FastifyInstance): Latency {
  const latency = new Latency();
  app.addHook('onResponse', (request, reply, done) => {
    if (request.routeOptions.url === '/api/decode') latency.note(reply.elapsedTime);
    done();
  });
  return latency;
}
