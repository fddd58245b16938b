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
  /** The last change that was read, by its place in the audit log; undefined: none was. */
  #last: Pick<Row, 'id' | 'changed_seq'> | undefined;
  /** The erasures of which the last reading knew: they change texts in place. */
  #masked: number | undefined;

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
    // A whole reading fills an index that is not in use yet; others change the one in use, in one step each, so that no
    // decode sees half of them.
    const masked = await this.database.changes.version('masked corrections');
    let last = masked !== this.#masked || (await this.#isLost()) ? undefined : this.#last;
    const isWhole = last === undefined;
    const index = isWhole ? new OverrideIndex() : this.#index;
    const changes: Row[] = [];
    for (;;) {
      const page = await this.#rowsAfter(last?.changed_seq ?? 0);
      if (isWhole) applyRows(index, page);
      else changes.push(...page);
      last = page.at(-1) ?? last;
      if (page.length < PAGE) break;
      // SQLite answers within the same turn of the event loop: without this, no request would be served in between.
      await yieldToEventLoop();
    }
    if (changes.some(({ vin }) => vin?.includes('*'))) {
      // Erased meanwhile: without its VIN nothing tells what it was in force for.
      this.#last = undefined;
      return this.read();
    }
    applyRows(index, changes);
    this.#index = index;
    this.#last = last;
    this.#masked = masked;
  }

  /**
   * Returns true if the last change that was read is not in the database: a server took over that had not received it,
   * and gives its place in the audit log to another.
   */
  async #isLost(): Promise<boolean> {
    if (this.#last === undefined) return false;
    const { id, changed_seq: seq } = this.#last;
    const known = this.database.kysely.selectFrom('overrides').select('id').where('id', '=', id);
    return (await known.where('changed_seq', '>=', seq).executeTakeFirst()) === undefined;
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
