import { sql, type Transaction } from 'kysely';

import { DAY_MS } from '../kernel/clock.ts';
import { change } from '../kernel/db/changes.ts';
import type { Database, Schema } from '../kernel/db/index.ts';

/** Soon enough for people who check their first call; one statement writes it for many keys. */
const WRITE_AFTER_MS = 5_000;
/** SQLite and PostgreSQL both take far more values in one statement than this. */
const KEYS_A_STATEMENT = 500;

/** Records when keys were last used, and writes it periodically. */
export class LastUse {
  readonly #database: Database;
  readonly #used = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  note(keyId: string, atMs: number): void {
    this.#used.set(keyId, atMs);
    this.#timer ??= setTimeout(() => void this.#writeQuietly(), WRITE_AFTER_MS).unref();
  }

  /** Writes the recorded uses. */
  async write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const used = [...this.#used];
    this.#used.clear();
    for (let from = 0; from < used.length; from += KEYS_A_STATEMENT) {
      const part = used.slice(from, from + KEYS_A_STATEMENT);
      const cases = part.map(([id, atMs]) => sql`WHEN ${id} THEN CAST(${atMs} AS BIGINT)`);
      const atMs = sql<number>`CASE id ${sql.join(cases, sql` `)} END`;
      await this.#database.kysely
        .updateTable('api_keys')
        .set({ last_used_at: atMs })
        .where(
          'id',
          'in',
          part.map(([id]) => id),
        )
        .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', atMs)]))
        .execute();
    }
  }

  async close(): Promise<void> {
    await this.#writeQuietly();
  }

  /** Writes last uses. One that could not be written is no error: the next use writes it. */
  async #writeQuietly(): Promise<void> {
    await this.write().catch(() => {});
  }
}

/** The time for which a replaced key still works after the first use of its successor, in milliseconds. */
const ROTATION_GRACE_MS = DAY_MS;

/** Records the first use of a key that replaces another: the grace period of its predecessors begins now. */
export async function noteFirstUse(database: Database, keyId: string, atMs: number): Promise<void> {
  await change(database, 'access', async (transaction) => {
    const first = await transaction
      .updateTable('api_keys')
      .set({ last_used_at: atMs })
      .where('id', '=', keyId)
      .where('last_used_at', 'is', null)
      .executeTakeFirst();
    if (first.numUpdatedRows === 0n) return;
    await endPredecessors(transaction, keyId, atMs + ROTATION_GRACE_MS);
  });
}

/** Ends all keys that a key replaces, including one whose direct successor was replaced before it was ever used. */
async function endPredecessors(transaction: Transaction<Schema>, keyId: string, endMs: number): Promise<void> {
  const predecessorOf = async (id: string): Promise<string | null | undefined> => {
    const row = await transaction.selectFrom('api_keys').select('rotated_from').where('id', '=', id).executeTakeFirst();
    return row?.rotated_from;
  };
  for (let id = await predecessorOf(keyId); typeof id === 'string'; id = await predecessorOf(id)) {
    await transaction
      .updateTable('api_keys')
      .set({ expires_at: endMs })
      .where('id', '=', id)
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', endMs)]))
      .execute();
  }
}
