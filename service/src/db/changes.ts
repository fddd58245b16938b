import { sql, type Kysely, type Transaction } from 'kysely';

import type { Database } from './open.ts';
import type { Schema } from './schema.ts';

/** What instances keep copies of: keys and workspaces (`access`). Others may be added. */
export type Topic = 'access';

/** How old the last look at the versions may be, on PostgreSQL. Half of what is promised: two seconds. */
const FRESH_MS = 1_000;

/** Tells whether copies are still good: the version of a topic rises in the transaction that changes it. */
export interface Changes {
  /** A version that was current at most a second ago; on SQLite, at this moment. */
  version(topic: Topic): number | Promise<number>;
}

/** Marks a topic as changed. Call it in the transaction that changes what the topic stands for. */
export async function markChanged(db: Kysely<Schema> | Transaction<Schema>, topic: Topic): Promise<void> {
  await db
    .insertInto('change_counters')
    .values({ topic, version: 1 })
    .onConflict((conflict) =>
      conflict.column('topic').doUpdateSet({ version: sql<number>`change_counters.version + 1` }),
    )
    .execute();
}

/** Watches the versions of a database. */
export function watchChanges(database: Database): Changes {
  if (database.engine === 'sqlite') {
    const read = database.direct
      .prepare<[string], number>('SELECT version FROM change_counters WHERE topic = ?')
      .pluck();
    return { version: (topic) => read.get(topic) ?? 0 };
  }
  return new PolledChanges(database.kysely);
}

/** Looks when somebody asks and the last look is too old: an idle instance asks nothing. */
class PolledChanges implements Changes {
  readonly #kysely: Kysely<Schema>;
  #versions: ReadonlyMap<string, number> = new Map();
  /** When the last look began, on the monotonic clock. */
  #lookedMs = -Infinity;
  #look: Promise<void> | undefined;

  constructor(kysely: Kysely<Schema>) {
    this.#kysely = kysely;
  }

  version(topic: Topic): number | Promise<number> {
    if (performance.now() - this.#lookedMs < FRESH_MS) return this.#known(topic);
    this.#look ??= this.#refresh().finally(() => {
      this.#look = undefined;
    });
    return this.#look.then(() => this.#known(topic));
  }

  #known(topic: Topic): number {
    return this.#versions.get(topic) ?? 0;
  }

  async #refresh(): Promise<void> {
    const beganMs = performance.now();
    const rows = await this.#kysely.selectFrom('change_counters').select(['topic', 'version']).execute();
    this.#versions = new Map(rows.map(({ topic, version }) => [topic, version]));
    this.#lookedMs = beganMs;
  }
}
