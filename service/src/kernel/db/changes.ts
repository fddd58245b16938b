import { randomInt } from 'node:crypto';

import type Sqlite from 'better-sqlite3';
import { sql, type Kysely, type Transaction } from 'kysely';

import type { Changes, Database, Topic } from './open.ts';
import { readAgain } from './read-again.ts';
import type { RecentFailure } from './recent-failure.ts';
import type { Schema } from './schema.ts';
import type { SqliteStorage } from './sqlite-storage.ts';

/**
 * The greatest age of the last reading of versions on PostgreSQL, in milliseconds: far below the promised two seconds.
 */
const FRESH_MS = 250;

/**
 * The most by which a change raises a version, a random number of each: a server that takes over without the last
 * changes may count as far as the one before had, and means others.
 */
const MOST_STEP = 2 ** 20;

/**
 * Runs a transaction that changes what instances keep copies of: on this instance the copies are out of date at once,
 * on the others within two seconds.
 */
export async function change<T>(
  database: Database,
  topic: Topic,
  work: (transaction: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  const result = await database.kysely.transaction().execute(async (transaction) => {
    const done = await work(transaction);
    const step = randomInt(1, MOST_STEP);
    await transaction
      .insertInto('change_counters')
      .values({ topic, version: step })
      .onConflict((conflict) =>
        conflict.column('topic').doUpdateSet({ version: sql<number>`change_counters.version + ${step}` }),
      )
      .execute();
    return done;
  });
  await database.changes.changed();
  return result;
}

/**
 * Returns the versions on SQLite. A look costs a few microseconds, so the first question in each turn of the event loop
 * looks.
 */
export function sqliteChanges(direct: Sqlite.Database, storage: SqliteStorage): Changes {
  const read = direct.prepare<[string], number>('SELECT version FROM change_counters WHERE topic = ?').pluck();
  let known = new Map<Topic, number>();
  const forget = (): void => {
    known = new Map();
  };
  const version = (topic: Topic): number => {
    const seen = known.get(topic);
    if (seen !== undefined) return seen;
    if (known.size === 0) setImmediate(forget);
    const current = storage.guard(() => read.get(topic)) ?? 0;
    known.set(topic, current);
    return current;
  };
  // The others check the database in every turn of their event loops.
  return { version, forget, changed: async () => forget() };
}

/**
 * On PostgreSQL an instance checks when it is asked and its last check is older than `FRESH_MS`; an idle one does not
 * query.
 */
export class PostgresChanges implements Changes {
  readonly #kysely: Kysely<Schema>;
  #versions: ReadonlyMap<string, number> = new Map();
  /** The start of the last look, on the monotonic clock. */
  #lookedMs = -Infinity;
  /** Looks that began before this do not count. */
  #notBeforeMs = -Infinity;
  #look: Promise<void> | undefined;
  readonly #failure: RecentFailure;
  readonly #notifyPeers: (() => Promise<void>) | undefined;

  constructor(kysely: Kysely<Schema>, failure: RecentFailure, notifyPeers?: () => Promise<void>) {
    this.#kysely = kysely;
    this.#failure = failure;
    this.#notifyPeers = notifyPeers;
  }

  version(topic: Topic): number | Promise<number> {
    const fresh = performance.now() - this.#lookedMs < FRESH_MS && this.#lookedMs >= this.#notBeforeMs;
    if (fresh) return this.#known(topic);
    this.#look ??= this.#refresh();
    return this.#look.then(() => this.#known(topic));
  }

  forget(): void {
    this.#notBeforeMs = performance.now();
    // A look that is under way may have begun before the change: the next question begins another.
    this.#look = undefined;
  }

  async changed(): Promise<void> {
    this.forget();
    await this.#notifyPeers?.();
  }

  #known(topic: Topic): number {
    return this.#versions.get(topic) ?? 0;
  }

  #refresh(): Promise<void> {
    const look = readAgain(this.#failure, () => this.#readVersions()).finally(() => {
      if (this.#look === look) this.#look = undefined;
    });
    return look;
  }

  async #readVersions(): Promise<void> {
    const beganMs = performance.now();
    const rows = await this.#kysely.selectFrom('change_counters').select(['topic', 'version']).execute();
    // An older look that comes in late must not bring back what was before.
    if (beganMs < this.#lookedMs) return;
    // They fall, too: where a server took over that had not received the last changes.
    this.#versions = new Map(rows.map(({ topic, version }) => [topic, version]));
    this.#lookedMs = beganMs;
  }
}
