import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';

import { type BirpcReturn, createBirpc } from 'birpc';
import type { FastifyBaseLogger } from 'fastify';
import { AggregatorRegistry, Registry } from 'prom-client';

import type { Config } from '../kernel/config/config.ts';
import { openDatabase } from '../database.ts';
import type { SqliteDatabase } from '../kernel/db/index.ts';
import { TokenBuckets } from '../kernel/limits/token-buckets.ts';
import { backoffMs } from '../kernel/jobs/index.ts';
import { addProcessMetrics } from '../kernel/telemetry/metrics.ts';
import { SqliteBlockingCommitter } from '../metering/index.ts';
import { type PrimaryFunctions, type ProcessMetrics, UPGRADED, type WorkerFunctions } from './channel.ts';

/** A worker that does not answer within this is left out: its caches are at most a second old. */
const ANSWER_MS = 1_000;

/**
 * A worker that says nothing while as many pings in a row stay unanswered hangs; one that answers late is busy, and one
 * that starts may be busy for longer. Counted, because this process may be stopped, too.
 */
const PINGS = { everyMs: 5_000, unanswered: 6, starting: 24 };

/** A worker that ran this long did not fail at startup. */
const SETTLED_MS = 10_000;

/** Pauses between attempts to replace a worker that fails at its start. */
const REPLACING = { firstMs: 500, mostMs: 30_000 };

type Channel = BirpcReturn<WorkerFunctions, PrimaryFunctions>;

/** The process that starts workers, replaces those that die, and does the work that only one process may do. */
export class Primary {
  readonly metrics = new ClusterMetrics();
  /** Resolves once no worker is left, and none can be started, because a newer program has upgraded the database. */
  readonly outdated: Promise<void>;
  readonly #isOutdated = Promise.withResolvers<void>();
  readonly #log: FastifyBaseLogger;
  readonly #database: SqliteDatabase | undefined;
  readonly #committer: SqliteBlockingCommitter | undefined;
  readonly #limits = new Map<string, TokenBuckets>();
  readonly #channels = new Map<Worker, Channel>();
  /** The address of the first worker: a port that the system chose is the others' too. */
  #port: string | undefined;
  #failedStarts = 0;
  #stopping = false;

  private constructor(log: FastifyBaseLogger, database: SqliteDatabase | undefined) {
    this.outdated = this.#isOutdated.promise;
    this.#log = log;
    this.#database = database;
    this.#committer = database && new SqliteBlockingCommitter(database);
  }

  /**
   * Takes the data folder, where the database is SQLite. Nothing is started yet.
   * @throws UnusableDatabaseError when it cannot be used.
   */
  static async open(config: Config, log: FastifyBaseLogger): Promise<Primary> {
    const database = config.databaseUrl === undefined ? await openDatabase(config, 'service') : undefined;
    // Reports are long texts: 'advanced' copies them, where JSON would escape them once more.
    cluster.setupPrimary({ serialization: 'advanced' });
    return new Primary(log, database?.engine === 'sqlite' ? database : undefined);
  }

  /**
   * Starts the workers: the first alone, so that a wrong setting is reported once, and the others when it serves.
   * @returns their address, once the first one serves; undefined: it ended, and has reported why.
   */
  async start(count: number): Promise<string | undefined> {
    const origin = await this.#fork();
    if (origin === undefined) return undefined;
    this.#port = new URL(origin).port;
    for (let others = count - 1; others > 0; others--) void this.#fork();
    return origin;
  }

  /** Has every worker drain and end, then closes their shared resources. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(
      [...this.#channels].map(async ([worker, channel]) => {
        const gone = once(worker, 'exit');
        await channel.stop.asEvent();
        await gone;
      }),
    );
    await this.#committer?.close();
    await this.#database?.close();
  }

  /** Ends the workers at once. */
  kill(): void {
    this.#stopping = true;
    for (const worker of this.#channels.keys()) worker.process.kill('SIGKILL');
  }

  /** @returns where the worker serves; undefined: it ended before. */
  #fork(): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const worker = cluster.fork(this.#port === undefined ? {} : { PORT: this.#port });
    const forkedAtMs = performance.now();
    let serves = false;
    const channel = this.#connect(worker, (origin) => {
      serves = true;
      resolve(origin);
    });
    this.#replaceIfHanging(worker, channel, () => (serves ? PINGS.unanswered : PINGS.starting));
    this.#channels.set(worker, channel);
    this.metrics.add(channel);
    // The 'exit' event reports it: a worker that has ended cannot be written to.
    worker.on('error', () => {});
    worker.once('exit', (code: number | null, signal: string | null) => {
      this.#channels.delete(worker);
      channel.$close();
      void this.metrics.remove(channel);
      resolve(undefined);
      if (this.#stopping) return;
      const isSettled = performance.now() - forkedAtMs > SETTLED_MS;
      this.#failedStarts = serves || isSettled ? 0 : this.#failedStarts + 1;
      this.#log.error({ pid: worker.process.pid, code, signal }, 'a worker died');
      // The caller that starts the first one decides what to do without it.
      if (this.#port === undefined) return;
      // Those from before the upgrade go on: migrations only add.
      if (code !== UPGRADED) this.#replace();
      else if (this.#channels.size === 0) this.#isOutdated.resolve();
    });
    return promise;
  }

  #replace(): void {
    const pauseMs = this.#failedStarts === 0 ? 0 : backoffMs(this.#failedStarts, Math.random(), REPLACING);
    const replace = async (): Promise<void> => {
      if (this.#stopping || (await this.#fork()) === undefined) return;
      this.#log.warn('a worker was replaced');
    };
    // Keeps this process, which may have no other worker.
    setTimeout(() => void replace(), pauseMs);
  }

  /** Ends a worker once it no longer answers, so that it is replaced: the others would serve its connections never. */
  #replaceIfHanging(worker: Worker, channel: Channel, most: () => number): void {
    let unanswered = 0;
    worker.on('message', () => (unanswered = 0));
    const ping = async (): Promise<void> => {
      unanswered = await channel.ping().then(
        () => 0,
        () => unanswered + 1,
      );
      if (unanswered < most() || this.#stopping) return;
      this.#log.error({ pid: worker.process.pid }, 'a worker hangs, and is ended');
      worker.process.kill('SIGKILL');
    };
    const timer = setInterval(() => void ping(), PINGS.everyMs).unref();
    worker.once('exit', () => clearInterval(timer));
  }

  #sqlite(): SqliteBlockingCommitter {
    if (this.#committer === undefined) throw new Error('Workers write to PostgreSQL themselves.');
    return this.#committer;
  }

  #othersThan(worker: Worker): Channel[] {
    return [...this.#channels].filter(([other]) => other !== worker).map(([, channel]) => channel);
  }

  #connect(worker: Worker, ready: (origin: string) => void): Channel {
    const functions: PrimaryFunctions = {
      commit: async (batch) => this.#sqlite().commit(batch),
      write: async (statement) => this.#sqlite().write(statement),
      take: (name, limit, client, nowMs) => {
        const known = this.#limits.get(name) ?? new TokenBuckets(limit);
        this.#limits.set(name, known);
        return known.take(client, nowMs);
      },
      giveBack: (name, client) => this.#limits.get(name)?.giveBack(client),
      notifyPeers: async () => {
        await Promise.allSettled(this.#othersThan(worker).map((channel) => channel.forget()));
      },
      paidFrom: (network) => {
        for (const channel of this.#othersThan(worker)) void channel.paidFrom.asEvent(network);
      },
      ready,
    };
    return createBirpc<WorkerFunctions, PrimaryFunctions>(functions, {
      post: (message) => {
        // A worker that has ended no longer needs its answer.
        if (worker.isConnected()) worker.send(message, () => {});
      },
      on: (listener) => void worker.on('message', listener),
      off: (listener) => void worker.off('message', listener),
      timeout: ANSWER_MS,
    });
  }
}

/** Types of metrics that only rise. In the JSON they are names, although prom-client's types differ. */
const KEPT = new Set(['counter', 'histogram']);

/** A worker as a source of metrics. */
interface Asked {
  metrics: () => Promise<ProcessMetrics>;
}

/** The metrics of all processes as one text. */
class ClusterMetrics {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  readonly #own = new Registry();
  readonly #latest = new Map<Asked, ProcessMetrics>();
  /** Counters of workers that have ended: without them sums would fall, which Prometheus takes for a restart. */
  #ended: ProcessMetrics = [];

  constructor() {
    addProcessMetrics(this.#own);
  }

  add(worker: Asked): void {
    this.#latest.set(worker, []);
  }

  /** Keeps an ended worker's last counts. */
  async remove(worker: Asked): Promise<void> {
    const counted = this.#latest.get(worker)?.filter(({ type }) => KEPT.has(String(type))) ?? [];
    this.#latest.delete(worker);
    this.#ended = await sumOf([this.#ended, counted]).getMetricsAsJSON();
  }

  /** Collects from every worker; one that does not answer counts with its last figures. */
  async metrics(): Promise<string> {
    await Promise.allSettled(
      [...this.#latest.keys()].map(async (worker) => {
        const metrics = await worker.metrics();
        if (this.#latest.has(worker)) this.#latest.set(worker, metrics);
      }),
    );
    return sumOf([await this.#own.getMetricsAsJSON(), this.#ended, ...this.#latest.values()]).metrics();
  }
}

function sumOf(processes: readonly ProcessMetrics[]): Registry {
  return AggregatorRegistry.aggregate([...processes]);
}
