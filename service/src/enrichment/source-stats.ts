import type { Database } from '../kernel/db/index.ts';

/** Enough results for a typical wait, few enough to follow a change soon. */
const RESULTS = 100;

/** The greatest age of an instance's copy, in milliseconds. */
const FRESH_MS = 1_000;

/** A source's recent performance, on all instances. */
interface RecentPerformance {
  /** The times that the latest VINs waited for their result. */
  waitsMs: readonly number[];
  /** It is paused until then. */
  closedUntilMs: number;
}

/** Caches the recent performance of sources, read at most once a second. */
export class SourceStats {
  readonly #database: Database;
  readonly #known = new Map<string, { sinceMs: number; recent: Promise<RecentPerformance> }>();

  constructor(database: Database) {
    this.#database = database;
  }

  of(source: string): Promise<RecentPerformance> {
    const known = this.#known.get(source);
    if (known !== undefined && performance.now() - known.sinceMs < FRESH_MS) return known.recent;
    const recent = this.#look(source);
    this.#known.set(source, { sinceMs: performance.now(), recent });
    recent.catch(() => this.#known.delete(source));
    return recent;
  }

  async #look(source: string): Promise<RecentPerformance> {
    const { kysely } = this.#database;
    const waits = await kysely
      .selectFrom('enrichment_lookups')
      .select('waited_ms')
      .where('source', '=', source)
      .where('waited_ms', 'is not', null)
      .orderBy('created_at', 'desc')
      .limit(RESULTS)
      .execute();
    const row = await kysely
      .selectFrom('enrichment_sources')
      .select('closed_until')
      .where('name', '=', source)
      .executeTakeFirst();
    const waitsMs = waits.flatMap(({ waited_ms: waitedMs }) => (waitedMs === null ? [] : [waitedMs]));
    return { waitsMs, closedUntilMs: row?.closed_until ?? 0 };
  }
}
