import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import type { Selectable } from 'kysely';

import { Follower } from '../kernel/db/follow.ts';
import type { Database, Schema } from '../kernel/db/index.ts';
import { OverrideIndex } from './override-index.ts';
import type { Scope } from './types.ts';

/** Rows read at once: small enough that requests are answered between two pages. */
const PAGE = 1_000;

type Row = Pick<
  Selectable<Schema['overrides']>,
  'id' | 'vin' | 'wmi' | 'pattern' | 'year_from' | 'year_to' | 'fields' | 'reverted_at' | 'changed_seq'
>;

/**
 * The overrides in force, cached in memory: current at once on the instance that changes them, on the others within two
 * seconds. A decode does not wait for an update.
 *
 * While the database is unavailable, the last known ones stay in force.
 */
export class LiveOverrides extends Follower {
  #index = new OverrideIndex();
  /** Position in the audit log up to which changes have been read. */
  #seq = 0;

  private constructor(database: Database, onFault?: (error: unknown) => void) {
    super(database, 'corrections', onFault);
  }

  /**
   * Reads all overrides, then follows changes until it is closed.
   *
   * @param onFault called when a read failed; the next one follows half a second later.
   */
  static open(database: Database, onFault?: (error: unknown) => void): Promise<LiveOverrides> {
    return new LiveOverrides(database, onFault).start();
  }

  /** The overrides in force at this moment. */
  readonly current = (): OverrideIndex => this.#index;

  protected async read(): Promise<void> {
    // The first reading fills an index that is not in use yet; later ones change the one in use, in one step each, so
    // that no decode sees half of them.
    const isFirst = this.#seq === 0;
    const index = isFirst ? new OverrideIndex() : this.#index;
    const changes: Row[] = [];
    let seq = this.#seq;
    for (;;) {
      const page = await this.#rowsAfter(seq);
      if (isFirst) applyRows(index, page);
      else changes.push(...page);
      seq = page.at(-1)?.changed_seq ?? seq;
      if (page.length < PAGE) break;
      // SQLite answers within the same turn of the event loop: without this, no request would be served in between.
      await yieldToEventLoop();
    }
    applyRows(index, changes);
    this.#index = index;
    this.#seq = seq;
  }

  async #rowsAfter(seq: number): Promise<Row[]> {
    return this.database.kysely
      .selectFrom('overrides')
      .select(['id', 'vin', 'wmi', 'pattern', 'year_from', 'year_to', 'fields', 'reverted_at', 'changed_seq'])
      .where('changed_seq', '>', seq)
      .orderBy('changed_seq')
      .limit(PAGE)
      .execute();
  }
}

/** Returns the scope of a stored override. */
export function scopeOf(row: Pick<Row, 'vin' | 'wmi' | 'pattern' | 'year_from' | 'year_to'>): Scope {
  if (row.vin !== null) return { kind: 'vin', vin: row.vin };
  return { kind: 'pattern', wmi: row.wmi ?? '', pattern: row.pattern ?? '', years: [row.year_from, row.year_to] };
}

/** Applies every new row: one action creates or reverts one override. */
function applyRows(index: OverrideIndex, rows: readonly Row[]): void {
  for (const row of rows) {
    const scope = scopeOf(row);
    if (row.reverted_at !== null) index.remove(row.id, scope);
    // The higher position in the log is the newer override.
    else index.add({ id: row.id, scope, fields: row.fields, order: row.changed_seq });
  }
}
