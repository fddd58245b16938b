import type { FastifyInstance } from 'fastify';

/** Failures that are kept: more than an operator reads. */
const CAPACITY = 50;

/** An answer of this instance that was its own fault. */
export interface Failure {
  atMs: number;
  method: string;
  /** The route's pattern, not its URL, which may contain a VIN. */
  route: string;
  status: number;
}

/** The last answers of this instance that were its own fault, the latest first. */
export class Failures {
  #latest: Failure[] = [];

  note(failure: Failure): void {
    this.#latest = [failure, ...this.#latest].slice(0, CAPACITY);
  }

  get latest(): readonly Failure[] {
    return this.#latest;
  }
}

/** Remembers answers with a status of 500 or more. Add it before the routes. */
export function watchFailures(app: FastifyInstance, clock: () => number): Failures {
  const failures = new Failures();
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode >= 500) {
      const route = request.routeOptions.url ?? 'no route';
      failures.note({ atMs: clock(), method: request.method, route, status: reply.statusCode });
    }
    done();
  });
  return failures;
}
