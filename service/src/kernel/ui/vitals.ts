import type { FastifyInstance } from 'fastify';

import type { Clock } from '../clock.ts';

const MINUTE_MS = 60_000;
const KEPT_MINUTES = 24 * 60;

/** What became of the requests of one minute. */
export interface Minute {
  atMs: number;
  answered: number;
  /** Answered with a status of 500 or more: the service's own fault. */
  failed: number;
  /** Turned away because there were more than can be served. */
  shed: number;
}

/** What became of requests over some time. */
export type Tally = Omit<Minute, 'atMs'>;

/** The minutes from a moment on, together. Pure. */
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

/** What this process knows of how well it works: the requests of the last day, by minute, since it started. */
export class Vitals {
  readonly startedAtMs: number;
  readonly #clock: Clock;
  /** Oldest first; minutes without a request are left out. */
  #minutes: Minute[] = [];

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

  note(outcome: 'answered' | 'failed' | 'shed'): void {
    const atMs = this.#clock();
    const minuteMs = atMs - (atMs % MINUTE_MS);
    let minute = this.#minutes.at(-1);
    if (minute?.atMs !== minuteMs) {
      minute = { atMs: minuteMs, answered: 0, failed: 0, shed: 0 };
      this.#minutes = [...this.#minutes.slice(-KEPT_MINUTES + 1), minute];
    }
    minute[outcome] += 1;
  }

  /** Those of the last 24 hours that had requests, oldest first. */
  get minutes(): readonly Minute[] {
    const sinceMs = this.#clock() - KEPT_MINUTES * MINUTE_MS;
    return this.#minutes.filter(({ atMs }) => atMs > sinceMs);
  }
}
