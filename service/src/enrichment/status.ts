import { DAY_MS } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import type { EnrichmentBounds } from './bounds.ts';
import { stateOf } from './queue/breaker.ts';

/** The time span of success rate and latency. */
const SPAN_MS = DAY_MS;

/** Latency is taken from this many look-ups, the latest of the span. */
const SAMPLE = 1_000;

/** The state of a source, for the administration pages. */
export interface SourceStatus {
  name: string;
  /** VINs that wait for it, running look-ups included. */
  waiting: number;
  lookingUp: number;
  /** The time that the oldest of them has waited. */
  oldestAgeMs: number | undefined;
  /** `open`: asked as usual. `resting`: left alone until `restsUntilMs`. `probe`: the next look-up decides. */
  state: 'open' | 'resting' | 'probe';
  restsUntilMs: number | undefined;
  /** Look-ups of the last 24 hours by outcome. */
  found: number;
  nothing: number;
  failed: number;
  /** Share of look-ups that the source answered; undefined: none was made. */
  successRate: number | undefined;
  /** The median time of the source's answers. */
  p50Ms: number | undefined;
  p90Ms: number | undefined;
  /** Failures of the last 24 hours by reason, most frequent first. */
  reasons: { reason: string; count: number }[];
}

/** Returns the state of every source that is configured or that VINs still wait for, by name. */
export async function sourceStatuses(
  database: Database,
  configured: readonly string[],
  nowMs: number,
  bounds: EnrichmentBounds,
): Promise<SourceStatus[]> {
  const waiting = await database.kysely.selectFrom('enrichment_jobs').select('source').distinct().execute();
  const names = new Set([...configured, ...waiting.map(({ source }) => source)]);
  return Promise.all([...names].toSorted().map((name) => statusOf(database, name, nowMs, bounds)));
}

/** The stored results of all sources together. */
interface ResultCounts {
  found: number;
  nothing: number;
}

/** Counts VINs with a stored result that has not expired. */
export async function countResults({ kysely }: Database, nowMs: number): Promise<ResultCounts> {
  const rows = await kysely
    .selectFrom('enrichment_results')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('answer').as('found')])
    .where('expires_at', '>', nowMs)
    .execute();
  const found = rows[0]?.found ?? 0;
  return { found, nothing: (rows[0]?.all ?? 0) - found };
}

async function statusOf(
  database: Database,
  name: string,
  nowMs: number,
  bounds: EnrichmentBounds,
): Promise<SourceStatus> {
  const { kysely } = database;
  const health = await kysely.selectFrom('enrichment_sources').selectAll().where('name', '=', name).executeTakeFirst();
  const outcomes = await kysely
    .selectFrom('enrichment_lookups')
    .select(({ fn }) => ['outcome', 'reason', fn.countAll<number>().as('count')])
    .where('source', '=', name)
    .where('created_at', '>', nowMs - SPAN_MS)
    .groupBy(['outcome', 'reason'])
    .execute();
  const latencies = await kysely
    .selectFrom('enrichment_lookups')
    .select('took_ms')
    .where('source', '=', name)
    .where('outcome', '!=', 'failed')
    .where('created_at', '>', nowMs - SPAN_MS)
    .orderBy('created_at', 'desc')
    .limit(SAMPLE)
    .execute();
  const count = (outcome: string): number =>
    outcomes.filter((row) => row.outcome === outcome).reduce((sum, row) => sum + row.count, 0);
  const [found, nothing, failed] = [count('found'), count('nothing'), count('failed')];
  const all = found + nothing + failed;
  const tookMs = latencies.map((row) => row.took_ms);
  const state = stateOf({ failures: health?.failures ?? 0, closedUntilMs: health?.closed_until ?? 0 }, nowMs, bounds);
  return {
    name,
    ...(await queueOf(database, name, nowMs)),
    state,
    restsUntilMs: state === 'resting' ? health?.closed_until : undefined,
    found,
    nothing,
    failed,
    successRate: all === 0 ? undefined : (found + nothing) / all,
    p50Ms: quantile(tookMs, 0.5),
    p90Ms: quantile(tookMs, 0.9),
    reasons: outcomes
      .flatMap(({ reason, count }) => (reason === null ? [] : [{ reason, count: count }]))
      .toSorted((a, b) => b.count - a.count),
  };
}

async function queueOf(
  { kysely }: Database,
  name: string,
  nowMs: number,
): Promise<Pick<SourceStatus, 'waiting' | 'lookingUp' | 'oldestAgeMs'>> {
  const jobs = kysely.selectFrom('enrichment_jobs').where('source', '=', name);
  const all = await jobs
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('created_at').as('oldest')])
    .executeTakeFirst();
  const held = await jobs
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('locked_until', '>', nowMs)
    .executeTakeFirst();
  const oldest: number | null | undefined = all?.oldest;
  return {
    waiting: all?.count ?? 0,
    lookingUp: held?.count ?? 0,
    oldestAgeMs: oldest === null || oldest === undefined ? undefined : nowMs - oldest,
  };
}

/** Enough results for a typical wait, few enough to follow a change soon. */
const RESULTS = 100;

/** The greatest age of an instance's copy, in milliseconds. */
const FRESH_MS = 1_000;

/** A source's recent performance, on all instances. */
interface Lately {
  /** The times that the latest VINs waited for their result. */
  waitsMs: readonly number[];
  /** It is paused until then. */
  closedUntilMs: number;
}

/** Caches the recent performance of sources, read at most once a second. */
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

/** Used until there are observations: about what vPIC takes. */
const UNOBSERVED_MS = 3_000;

const LEAST_SECONDS = 1;
const MOST_SECONDS = 60;

/** Observations from which `Retry-After` is computed. */
interface Wait {
  /** The times that earlier VINs of this source waited for their result. */
  waitsMs: readonly number[];
  /** The time that this one has waited. */
  ageMs: number;
  /** Until when the source is certainly not asked, from now. */
  restMs: number;
  /** The wait ends then. */
  leftMs: number;
}

/**
 * Returns when to come back: when nine of ten VINs would have their result. One that waits longer than that is not
 * usual, and likely to take as long again; half of it is a fair guess.
 */
export function retryAfterSeconds({ waitsMs, ageMs, restMs, leftMs }: Wait): number {
  const usualMs = quantile(waitsMs, 0.9) ?? UNOBSERVED_MS;
  const guessMs = Math.max(usualMs - ageMs, ageMs > usualMs ? ageMs / 2 : 0, restMs);
  const seconds = Math.ceil(Math.min(guessMs, leftMs) / 1000);
  return Math.min(Math.max(seconds, LEAST_SECONDS), MOST_SECONDS);
}

/** Returns the value that this share does not exceed (nearest rank); undefined if there is none. */
function quantile(values: readonly number[], share: number): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)];
}
