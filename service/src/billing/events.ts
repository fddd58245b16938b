import type { Stripe } from 'stripe';

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { readSetting, writeSetting } from '../kernel/db/settings.ts';

/** Events that say that a subscription may have changed. */
export const EVENTS = [
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
] as const;

/** Stripe keeps events so long. */
const KEPT_MS = 30 * DAY_MS;

/** Both clocks may be wrong by this much. */
const CLOCKS_MS = 5 * MINUTE_MS;

/** Returns the subscription that an event is about; undefined: none. */
export function subscriptionIn(event: Stripe.Event): string | undefined {
  const { object } = event.data;
  if (object.object === 'subscription') return object.id;
  if (object.object !== 'checkout.session') return undefined;
  const { subscription } = object;
  return typeof subscription === 'string' ? subscription : subscription?.id;
}

/** The setting for the moment up to which the events have been read, all of them. */
export const READ_UNTIL = 'stripe events read until';

/**
 * The setting for what a reading has left, as JSON of `Rest`; empty: nothing. It comes latest event first, so that what
 * it leaves is older than what it has read.
 */
const READ_REST = 'stripe events left to read';

/** The events that are left: those up to this second. Then all before a moment have been read. */
interface Rest {
  upToSeconds: number;
  untilMs: number;
}

/** The events of a reading. */
export interface Reading {
  created: { gte: number; lte?: number };
  /** The moment up to which all have been read after it, and that before it. */
  untilMs: number;
  earlierMs: number;
}

/** Returns what is to be read: the rest, or from somewhat before the moment of the last reading; as Stripe keeps them. */
export async function unread({ kysely }: Database, nowMs: number): Promise<Reading> {
  const earlierMs = Number((await readSetting(kysely, READ_UNTIL)) ?? 0);
  const sinceMs = Math.max(nowMs - KEPT_MS, Math.min(earlierMs, nowMs) - HOUR_MS);
  const gte = Math.floor(sinceMs / SECOND_MS);
  const left = await readSetting(kysely, READ_REST);
  if (left === undefined || left === '') return { created: { gte }, untilMs: nowMs, earlierMs };
  const { upToSeconds, untilMs }: Rest = JSON.parse(left);
  return { created: { gte, lte: upToSeconds > gte ? upToSeconds : gte }, untilMs, earlierMs };
}

/**
 * Notes that events were read.
 *
 * @param isSettled false: all are read again, once the rest has been read.
 * @param leftSeconds the second up to which some are left; undefined: none are.
 */
export async function noteRead(
  { kysely }: Database,
  { untilMs, earlierMs }: Reading,
  isSettled: boolean,
  leftSeconds: number | undefined,
): Promise<void> {
  const readMs = isSettled ? untilMs : earlierMs;
  const rest: Rest | undefined = leftSeconds === undefined ? undefined : { upToSeconds: leftSeconds, untilMs: readMs };
  if (rest === undefined) await writeSetting(kysely, READ_UNTIL, String(readMs));
  await writeSetting(kysely, READ_REST, rest === undefined ? '' : JSON.stringify(rest));
}

/**
 * Returns the subscriptions of workspaces that are to be asked for: those whose last event may have come after what is
 * stored. `missed`: the events of some of them did not arrive.
 */
export async function changedSince(
  { kysely }: Database,
  events: readonly Stripe.Event[],
): Promise<{ changed: string[]; missed: string[] }> {
  const named = [...new Set(events.map((event) => workspaceIn(event) ?? ''))];
  if (named.length === 0) return { changed: [], missed: [] };
  const here = await kysely.selectFrom('workspaces').select('id').where('id', 'in', named).execute();
  const lastMs = new Map<string, number>();
  for (const event of events) {
    const id = here.some((one) => one.id === workspaceIn(event)) ? subscriptionIn(event) : undefined;
    if (id !== undefined) lastMs.set(id, Math.max(lastMs.get(id) ?? 0, event.created * SECOND_MS));
  }
  const [changed, missed]: [string[], string[]] = [[], []];
  for (const [id, changedAtMs] of lastMs) {
    const row = kysely.selectFrom('workspace_billing').select('updated_at').where('subscription_id', '=', id);
    const storedAtMs = (await row.executeTakeFirst())?.updated_at ?? 0;
    if (storedAtMs < changedAtMs + CLOCKS_MS) changed.push(id);
    if (storedAtMs < changedAtMs - CLOCKS_MS) missed.push(id);
  }
  return { changed, missed };
}

/** Returns the workspace that an event is about; undefined: it is about something else that its account sells. */
export function workspaceIn({ data: { object } }: Stripe.Event): string | undefined {
  if (object.object === 'subscription') return object.metadata['workspace'];
  return object.object === 'checkout.session' ? (object.client_reference_id ?? undefined) : undefined;
}
