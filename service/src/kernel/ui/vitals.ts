import { randomUUID } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

import { type Clock, MINUTE_MS } from '../clock.ts';

const KEPT_MINUTES = 24 * 60;

/** The outcomes of one minute's requests. */
export interface Minute {
  atMs: number;
  answered: number;
  /** Answered with a status of 500 or more: the service's own fault. */
  failed: number;
  /** Requests refused because of overload. */
  shed: number;
}

/** The outcomes of requests over some time. */
export type Tally = Omit<Minute, 'atMs'>;

/** Returns the minutes from a moment on, together. Pure. */
export function tallyOf(minutes: readonly Minute[], fromMs: number, untilMs = Infinity): Tally {
  const tally = { answered: 0, failed: 0, shed: 0 };
  for (const { atMs, answered, failed, shed } of minutes) {
    if (atMs < fromMs || atMs >= untilMs) continue;
    tally.answered += answered;
    tally.failed += failed;
    tally.shed += shed;
  }
  return tally;
}

/** This process's requests by minute, for the last day or since its start. */
export class Vitals {
  /** Names this process among all that ever ran. */
  readonly instance = randomUUID();
  readonly startedAtMs: number;
  readonly #clock: Clock;
  /**
   * Minutes by their start, in the order in which they were first seen, since a clock may be set back. `beat` adds one
   * without a request.
   */
  readonly #minutes = new Map<number, Minute>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.startedAtMs = clock();
  }

  /** Notes every answer. Add it before the routes. */
  watch(app: FastifyInstance): void {
    app.addHook('onResponse', (_request, reply, done) => {
      this.note(reply.statusCode >= 500 ? 'failed' : 'answered');
      done();
    });
  }

  note(outcome: keyof Tally): void {
    this.#thisMinute()[outcome] += 1;
  }

  /** Notes that this process runs, even if nothing is requested. */
  beat(): void {
    this.#thisMinute();
  }

  #thisMinute(): Minute {
    const atMs = this.#clock();
    const minuteMs = atMs - (atMs % MINUTE_MS);
    const known = this.#minutes.get(minuteMs);
    if (known !== undefined) return known;
    const minute = { atMs: minuteMs, answered: 0, failed: 0, shed: 0 };
    this.#minutes.set(minuteMs, minute);
    const [first] = this.#minutes.keys();
    if (this.#minutes.size > KEPT_MINUTES && first !== undefined) this.#minutes.delete(first);
    return minute;
  }

  /**
   * Returns the minutes of the last 24 hours in which this process ran, oldest first. Each is one object for as long as
   * it is kept.
   * After the clock was set back, there may be some in the future.
   */
  get minutes(): readonly Minute[] {
    const sinceMs = this.#clock() - KEPT_MINUTES * MINUTE_MS;
    const kept = [...this.#minutes.values()].filter(({ atMs }) => atMs > sinceMs);
    return kept.toSorted((one, other) => one.atMs - other.atMs);
  }
}

/** Kept answers: enough for the slowest 1% to be more than chance. */
const KEPT_DECODES = 5_000;

/** The times of the last decodes of this instance, from the request's arrival to the end of its answer. */
export class Latency {
  readonly #milliseconds = new Float64Array(KEPT_DECODES);
  #count = 0;

  note(milliseconds: number): void {
    this.#milliseconds[this.#count % KEPT_DECODES] = milliseconds;
    this.#count += 1;
  }

  /** Returns the number of answers that the figures come from. */
  get samples(): number {
    return Math.min(this.#count, KEPT_DECODES);
  }

  /** Returns the time that a share of answers stayed under; undefined if there was none yet. */
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

/** Kept failures: more than an operator reads. */
const KEPT_FAILURES = 50;

/** A failed answer of this instance. */
export interface Failure {
  atMs: number;
  method: string;
  /** The route's pattern, not its URL, which may contain a VIN. */
  route: string;
  status: number;
}

/** The last failed answers of this instance, latest first. */
export class Failures {
  #latest: Failure[] = [];

  note(failure: Failure): void {
    this.#latest = [failure, ...this.#latest].slice(0, KEPT_FAILURES);
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
