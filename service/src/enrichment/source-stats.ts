import type { Database } from '../kernel/db/index.ts';

/** As many results as tell what is usual, and few enough to notice soon that it changed. */
const RESULTS = 100;

/** How old an instance's knowledge may be. */
const FRESH_MS = 1_000;

/** How a source did lately, on all instances. */
interface Lately {
  /** How long VINs waited for their result, the latest ones. */
  waitsMs: readonly number[];
  /** It is left alone until then. */
  closedUntilMs: number;
}

/** Knows how sources did lately, and looks at most once a second. */
export class SourceStats {
  readonly #database: Database;
  readonly #known = new Map<string, { sinceMs: number; lately: Promise<Lately> }>();

  constructor(database: Database) {
    this.#database = database;
  }

  of(source: string): Promise<Lately> {
    const known = this.#known.get(source);
    if (known !== undefined && performance.now() - known.sinceMs < FRESH_MS) return known.lately;
    const lately = this.#look(source);
    this.#known.set(source, { sinceMs: performance.now(), lately });
    lately.catch(() => this.#known.delete(source));
    return lately;
  }

  async #look(source: string): Promise<Lately> {
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
