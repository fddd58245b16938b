import { sql } from 'kysely';

import { type Act, type ActDeps, audited } from '../kernel/audit/index.ts';
import { DAY_MS, isoDay } from '../kernel/clock.ts';
import type { Schedule } from '../kernel/jobs/index.ts';
import { enqueueMail } from '../kernel/mail/index.ts';
import { ownerAddresses } from './membership.ts';

/** The time before a key expires at which its workspace's owners are notified, in milliseconds. */
const NOTICE_MS = 7 * DAY_MS;

/** More often than once a day, so that a late run still leaves nearly the whole week. */
const EVERY_MS = DAY_MS / 4;

/** The audit log records for which keys the owners were notified. */
const ANNOUNCED = 'key.expiry-announced';

/** Notifies the owners of workspaces by mail of keys that expire within a week, once for each key. */
export function expiryNotices(deps: ActDeps): Schedule {
  return { name: 'expiring keys', everyMs: EVERY_MS, run: () => announceExpiring(deps) };
}

/** Looks once for keys that expire within a week. */
export async function announceExpiring(deps: ActDeps): Promise<void> {
  // Each in an act of its own: on SQLite all charges wait for one.
  for (const key of await expiringKeys(deps)) await audited(deps, 'service:expiring keys', (act) => announce(act, key));
}

/**
 * Lists keys that reach their own expiry time and were not announced. Replaced keys are left out, once the replacement is
 * used and while it is not revoked: until then, their owner still needs them.
 */
async function expiringKeys({ database: { kysely }, clock }: ActDeps) {
  const atMs = clock();
  return kysely
    .selectFrom('api_keys as key')
    .innerJoin('workspaces', 'workspaces.id', 'key.workspace_id')
    .select(['key.id', 'key.name', 'key.prefix', 'key.last4', 'key.workspace_id', 'key.expires_at', 'slug'])
    .where('key.expires_at', '>', atMs)
    .where('key.expires_at', '<=', atMs + NOTICE_MS)
    .where('key.revoked_at', 'is', null)
    .where((where) => {
      const next = where.selectFrom('api_keys as next').select('next.id').where('next.revoked_at', 'is', null);
      const inUse = next.where('next.last_used_at', 'is not', null);
      return where.not(where.exists(inUse.whereRef('next.rotated_from', '=', 'key.id')));
    })
    .where((where) => {
      const told = where.selectFrom('audit_log').select('seq').where('action', '=', ANNOUNCED);
      return where.not(where.exists(told.where('subject', '=', sql<string>`'key:' || key.id`)));
    })
    .orderBy('key.id')
    .execute();
}

async function announce(act: Act, key: Awaited<ReturnType<typeof expiringKeys>>[number]): Promise<void> {
  const { transaction, atMs, appendEntry } = act;
  const subject = `key:${key.id}`;
  const told = transaction.selectFrom('audit_log').select('seq').where('subject', '=', subject);
  if ((await told.where('action', '=', ANNOUNCED).executeTakeFirst()) !== undefined) return;
  const looksLike = `${key.prefix}…${key.last4}`;
  const day = isoDay(Number(key.expires_at));
  const text = `The API key "${key.name}" (${looksLike}) of the workspace ${key.slug} expires on ${day}. After that, requests with it get 401.\n\nTo go on, put another key in place before that day: rotate this one in the portal, unless you have.\n`;
  for (const email of await ownerAddresses(act, key.workspace_id)) {
    await enqueueMail(transaction, { to: email, subject: `An API key of ${key.slug} expires on ${day}`, text }, atMs);
  }
  await appendEntry({
    action: ANNOUNCED,
    subject,
    details: { name: key.name, looksLike, workspace: key.slug, expires: day },
  });
}
