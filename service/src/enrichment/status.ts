import { DAY_MS } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import type { EnrichmentBounds } from './bounds.ts';
import { stateOf } from './queue/breaker.ts';
import { quantile } from './queue/retry-after.ts';

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
