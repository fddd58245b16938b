import type { FastifyBaseLogger } from 'fastify';

import { type Clock, MINUTE_MS, SECOND_MS } from '../clock.ts';
import type { PostgresDatabase } from './open.ts';
import { guarded } from './postgres-pool.ts';

/** The interval of checking the server, in milliseconds; shorter while the clocks differ. */
const LOOK_MS = MINUTE_MS;
const LOOK_AGAIN_MS = 5 * SECOND_MS;

/**
 * The largest accepted difference of this machine's clock from the server's, in milliseconds. Machines that follow a
 * time server differ by milliseconds.
 */
export const CLOCK_TOLERANCE_MS = 5 * SECOND_MS;

/** The state of a PostgreSQL server that concerns charges. */
export interface ServerState {
  /** The time by which this machine's clock is ahead of the server's, milliseconds; negative: behind. */
  aheadMs: number;
  /** True if a standby is attached, and none is synchronous: a failover loses the transactions acknowledged last. */
  isAsynchronous: boolean;
}

/**
 * Queries the server's clock and standbys. `pg_stat_replication` shows its rows to every role, but their state to few.
 * A base backup is not a standby.
 */
const QUESTION = `SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now,
  current_setting('synchronous_standby_names') AS synchronous,
  (SELECT count(*) FROM pg_stat_replication WHERE coalesce(state, 'streaming') <> 'backup') AS standbys`;

interface Answer {
  now: number;
  synchronous: string;
  standbys: number;
}

type WatchLog = Pick<FastifyBaseLogger, 'warn' | 'error'>;

/**
 * Checks a PostgreSQL server at the start and every minute: whether its clock and this machine's agree, because the
 * month of a charge is by this machine's, and whether a failover would lose charges. Logs the faults.
 */
export class ServerWatch {
  readonly #database: Pick<PostgresDatabase, 'pool'>;
  readonly #clock: Clock;
  readonly #log: WatchLog;
  #state: ServerState = { aheadMs: 0, isAsynchronous: false };
  /** This machine's clock less its monotonic one at the last look: another difference is a clock that was set. */
  #settingMs: number;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isClosed = false;

  private constructor(database: Pick<PostgresDatabase, 'pool'>, clock: Clock, log: WatchLog) {
    this.#database = database;
    this.#clock = clock;
    this.#log = log;
    this.#settingMs = clock() - performance.now();
  }

  /** Looks once, then every minute until it is closed. */
  static async open(database: Pick<PostgresDatabase, 'pool'>, clock: Clock, log: WatchLog): Promise<ServerWatch> {
    const watch = new ServerWatch(database, clock, log);
    await watch.look();
    return watch;
  }

  /** Returns the result of the last check. */
  get state(): ServerState {
    return this.#state;
  }

  /**
   * Returns true if charges may use this machine's clock: it agrees with the server's, and was not set since the last
   * check.
   */
  isClockRight(): boolean {
    const set = Math.abs(this.#clock() - performance.now() - this.#settingMs) > CLOCK_TOLERANCE_MS;
    if (set) void this.look();
    return !set && Math.abs(this.#state.aheadMs) <= CLOCK_TOLERANCE_MS;
  }

  /** Checks the server now. Never rejects: while it does not answer, the earlier state stays. */
  look(): Promise<void> {
    return (this.#looking ??= this.#look()
      .catch((error: unknown) => this.#log.warn({ err: error }, 'PostgreSQL was not looked at'))
      .finally(() => {
        this.#looking = undefined;
        this.#plan();
      }));
  }

  /** Ends the watch. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #plan(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    const agrees = Math.abs(this.#state.aheadMs) <= CLOCK_TOLERANCE_MS;
    this.#timer = setTimeout(() => void this.look(), agrees ? LOOK_MS : LOOK_AGAIN_MS).unref();
  }

  async #look(): Promise<void> {
    const askedMs = this.#clock();
    const settingMs = askedMs - performance.now();
    const { rows } = await guarded(() => this.#database.pool.query<Answer>(QUESTION));
    const [answer] = rows;
    if (answer === undefined) return;
    // The server read its clock between the question and the answer.
    const aheadMs = Math.round(nearest(answer.now, askedMs, this.#clock()));
    const isAsynchronous = answer.standbys > 0 && answer.synchronous === '';
    this.#report({ aheadMs, isAsynchronous });
    this.#state = { aheadMs, isAsynchronous };
    this.#settingMs = settingMs;
  }

  #report({ aheadMs, isAsynchronous }: ServerState): void {
    if (Math.abs(aheadMs) > CLOCK_TOLERANCE_MS) {
      this.#log.error({ aheadMs }, `nothing is charged: ${clockSentence(aheadMs)}`);
    }
    if (isAsynchronous && !this.#state.isAsynchronous) this.#log.warn(ASYNCHRONOUS);
  }
}

/** Returns the least difference between a server's time and this machine's, which was between two readings. */
function nearest(serverMs: number, fromMs: number, toMs: number): number {
  if (fromMs > serverMs) return fromMs - serverMs;
  return toMs < serverMs ? toMs - serverMs : 0;
}

/** The consequence of an asynchronous standby, and the remedy. */
export const ASYNCHRONOUS =
  'a standby of PostgreSQL is attached, and none is synchronous: a failover loses the decodes answered last, and their charges. ' +
  'Set synchronous_standby_names';

/** Describes the difference of the clocks, and the remedy. */
export function clockSentence(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / SECOND_MS);
  return `this machine's clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} PostgreSQL's. Set both by a time server`;
}
