import { type Kysely, type RawBuilder, sql } from 'kysely';

import type { Schema } from '../kernel/db/index.ts';
import { testKeys } from './list.ts';
import type { QueueFull, Reporter } from './types.ts';

/**
 * Queued reports per reporter: each takes tens of kilobytes, and a reviewer's time. Anyone can found free workspaces, whose test
 * keys have as many again.
 */
const MOST_QUEUED = { public: 200, free: 50, paid: 500 } as const;

/**
 * Queued reports of everyone, beyond which those of the public and of free workspaces are refused: the disk
 * and the queue are shared. They take 400 MB at most.
 */
const MOST_QUEUED_IN_ALL = 5_000;

/**
 * Returns how many of the places that everyone shares one reporter may have. When less than half of them is free it gets
 * less: an eighth when a quarter is, and the last 400 go to those who have none, so that a few reporters cannot fill them.
 */
function mostNow(most: number, queuedInAll: number): number {
  const free = 1 - queuedInAll / MOST_QUEUED_IN_ALL;
  return Math.ceil(most * Math.min(1, (2 * free) ** 3));
}

/** Returns the refusal of a further report, if too many are queued: the reporter's own, or everyone's. */
export async function queueFullFor(
  kysely: Kysely<Schema>,
  reporter: Reporter,
  subject: string,
): Promise<QueueFull | undefined> {
  const { count: queued } = await kysely
    .selectFrom('correction_reports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('subject', '=', subject)
    .where('state', '=', 'queued')
    .where(await ofSameKind(kysely, reporter))
    .executeTakeFirstOrThrow();
  const kind = await kindOfReporter(kysely, reporter);
  const own = { kind: 'full', queued, whose: 'own' } as const;
  if (kind === 'paid') return queued < MOST_QUEUED.paid ? undefined : own;
  const inAll = await countAllQueued(kysely);
  if (inAll >= MOST_QUEUED_IN_ALL) return { kind: 'full', queued: MOST_QUEUED_IN_ALL, whose: 'all' };
  return queued < mostNow(MOST_QUEUED[kind], inAll) ? undefined : own;
}

async function kindOfReporter(kysely: Kysely<Schema>, reporter: Reporter): Promise<keyof typeof MOST_QUEUED> {
  if (reporter.kind === 'public') return 'public';
  const workspace = kysely.selectFrom('workspaces').select('plan').where('id', '=', reporter.workspaceId);
  return (await workspace.executeTakeFirst())?.plan === 'free' ? 'free' : 'paid';
}

/** Counts everyone's queued reports, duplicates included, in an index alone. */
async function countAllQueued(kysely: Kysely<Schema>): Promise<number> {
  const { count } = await kysely
    .selectFrom('correction_reports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'queued')
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns a filter on a reporter's reports: those of test keys take no room from the others. */
async function ofSameKind(kysely: Kysely<Schema>, reporter: Reporter): Promise<RawBuilder<boolean>> {
  if (reporter.kind === 'public') return sql<boolean>`true`;
  const own = testKeys(kysely).where('id', '=', reporter.keyId);
  const isTest = (await own.executeTakeFirst()) !== undefined;
  const sent = sql`key_id IS NOT NULL AND key_id IN ${testKeys(kysely)}`;
  return isTest ? sql<boolean>`(${sent})` : sql<boolean>`NOT (${sent})`;
}
