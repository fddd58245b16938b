import { createHmac } from 'node:crypto';

import type { Transaction } from 'kysely';

import { type Act, type ActDeps, audited } from '../kernel/audit/index.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Database, Schema } from '../kernel/db/index.ts';
import { monthOf } from '../kernel/db/month.ts';
import { insertWorkspace, type Workspace } from './workspaces.ts';
import type { AccountHoldings } from '../people/pages/index.ts';
import type { Person } from '../people/index.ts';
import { testSubject, workspaceSubject } from './subject.ts';
import { addMember, closeWithin, isAllowedSlug, membershipsOf, removeWebhooks } from './membership.ts';

/** Foundings of one person in a calendar month, closed workspaces included: names stay taken. */
const FOUNDINGS_A_MONTH = 10;

/** Workspaces that one person may belong to when founding another. */
const MEMBERSHIPS = 10;

/**
 * The time for which a closed workspace can still be charged, in milliseconds: its keys end within two seconds, and
 * pending charges are committed.
 */
const SETTLED_AFTER_MS = 15_000;

/** The dependencies of founding a workspace. */
export interface FoundingParts extends ActDeps {
  config: Pick<Config, 'planLimits'>;
  /** Keys the hash that a founder is kept as. */
  secret: string;
}

/** A workspace to found, and its founder. */
interface WantedFounding {
  slug: string;
  person: { id: string; email: string };
}

/** The outcome of a founding. */
export type Founded =
  | { kind: 'created'; workspace: Workspace }
  | { kind: 'bad-slug' | 'slug-taken' | 'too-many' | 'still-closing' }
  | { kind: 'has-free-one'; slug: string };

/** Creates a workspace on the free plan, with a person as its owner. */
export async function foundWorkspace(deps: FoundingParts, wanted: WantedFounding): Promise<Founded> {
  return audited(deps, `person:${wanted.person.email}`, (act) => foundWithin(act, deps, wanted));
}

/**
 * Does the same as part of a larger action. The free allowance is the person's: one such workspace at a time, and what
 * others that they founded have used this month is taken off, closed ones included. Actions are serialized, so
 * concurrent foundings are counted.
 */
export async function foundWithin(
  act: Act,
  { secret, config }: FoundingParts,
  { slug, person }: WantedFounding,
): Promise<Founded> {
  if (!isAllowedSlug(slug)) return { kind: 'bad-slug' };
  const founder = founderOf(secret, person.email);
  const known = await foundedBy(act, founder, person.id);
  const free = known.find(({ isMember, hasFreePlan }) => isMember && hasFreePlan);
  if (free !== undefined) return { kind: 'has-free-one', slug: free.slug };
  const memberships = await act.transaction
    .selectFrom('workspace_members')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', person.id)
    .executeTakeFirstOrThrow();
  const { startMs } = monthOf(act.atMs);
  const thisMonth = known.filter(({ createdAtMs }) => createdAtMs >= startMs).length;
  if (memberships.count >= MEMBERSHIPS || thisMonth >= FOUNDINGS_A_MONTH) return { kind: 'too-many' };
  // Its last charges must be in the count.
  const isSettled = known.every(({ closedAtMs }) => (closedAtMs ?? 0) < act.atMs - SETTLED_AFTER_MS);
  if (!isSettled) return { kind: 'still-closing' };
  const decodes = spentBy(known, config.planLimits.free);
  const spent = { decodes, monthStartMs: decodes === 0 ? null : startMs };
  const created = await insertWorkspace(act, { slug, plan: 'free', founding: { founder, spent } });
  if (created.kind === 'created') await addMember(act, created.workspace.id, person.id, 'owner');
  return created;
}

/** Returns the founder's keyed hash of the address, kept also when the account is gone; it discloses no one. */
function founderOf(secret: string, email: string): string {
  return createHmac('sha256', secret).update(`founder\n${email}`).digest('hex');
}

/** Moves a person's foundings to a new address: another address gives no second allowance. */
async function readdressFounder(
  transaction: Transaction<Schema>,
  secret: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await transaction
    .updateTable('workspaces')
    .set({ founder: founderOf(secret, to) })
    .where('founder', '=', founderOf(secret, from))
    .execute();
}

/** A workspace that a person created. */
interface OwnFounding {
  slug: string;
  hasFreePlan: boolean;
  createdAtMs: number;
  /** Null: it has members. */
  closedAtMs: number | null;
  /** Charged this month, by live or by test keys, whichever is more: each of them has the allowance once. */
  used: number;
  /** True if the founder still belongs to it. */
  isMember: boolean;
}

/** Returns the workspaces that a person created, with this month's charges. */
async function foundedBy({ transaction, atMs }: Act, founder: string, personId: string): Promise<OwnFounding[]> {
  const rows = await transaction
    .selectFrom('workspaces')
    .select(['id', 'slug', 'plan', 'limit_mode', 'created_at', 'suspended_at'])
    .where('founder', '=', founder)
    .execute();
  const ids = rows.map(({ id }) => id);
  const used = await usedIn(transaction, ids, monthOf(atMs).startMs);
  const members = ids.length === 0 ? [] : await membersIn(transaction, ids);
  return rows.map((row) => {
    const own = members.filter(({ workspace_id: workspaceId }) => workspaceId === row.id);
    return {
      slug: row.slug,
      hasFreePlan: row.plan === 'free' && row.limit_mode === 'plan',
      createdAtMs: row.created_at,
      closedAtMs: own.length === 0 ? row.suspended_at : null,
      used: used(row.id),
      isMember: own.some(({ user_id: userId }) => userId === personId),
    };
  });
}

/** Returns the decodes charged to workspaces in a month. */
async function usedIn(
  transaction: Transaction<Schema>,
  ids: readonly string[],
  monthStartMs: number,
): Promise<(id: string) => number> {
  const subjects = ids.flatMap((id) => [workspaceSubject(id), testSubject(id)]);
  const rows =
    subjects.length === 0
      ? []
      : await transaction
          .selectFrom('usage_counters')
          .select(['subject', 'used'])
          .where('subject', 'in', subjects)
          .where('window_start', '=', monthStartMs)
          .execute();
  const counts = new Map(rows.map(({ subject, used }) => [subject, used]));
  return (id) => Math.max(counts.get(workspaceSubject(id)) ?? 0, counts.get(testSubject(id)) ?? 0);
}

function membersIn(transaction: Transaction<Schema>, ids: string[]) {
  return transaction
    .selectFrom('workspace_members')
    .select(['workspace_id', 'user_id'])
    .where('workspace_id', 'in', ids)
    .execute();
}

/**
 * Returns a person's usage of this month's free allowance; decodes that may still be used in another workspace count as
 * used.
 */
function spentBy(known: readonly OwnFounding[], limit: number | null): number {
  if (limit === null) return 0;
  const spent = known
    .filter(({ hasFreePlan }) => hasFreePlan)
    .map(({ used, closedAtMs }) => (closedAtMs === null ? limit : used));
  return Math.min(
    limit,
    spent.reduce((sum, used) => sum + used, 0),
  );
}

/** Returns the workspaces of an account: those without other members are closed with it. */
export function workspaceHoldings(deps: Omit<FoundingParts, 'config'>): AccountHoldings {
  return {
    of: async (person) => {
      const { alone, stranding } = await fateOf(deps.database, person);
      return { ending: slugs(alone), stranding: slugs(stranding) };
    },
    end: async (person, endAccount) => {
      let closed: readonly Workspace[] = [];
      const stranded = await audited(
        deps,
        `person:${person.email}`,
        async (act) => {
          // Read in the act: another owner may close their account at the same time.
          const { alone, stranding } = await fateOf({ kysely: act.transaction }, person);
          if (stranding.length > 0) return slugs(stranding);
          for (const workspace of alone) await closeWithin(act, workspace);
          closed = alone;
          await endAccount(act);
          return [];
        },
        'access',
      );
      for (const workspace of closed) await removeWebhooks(deps.database, workspace);
      return stranded;
    },
    readdress: ({ transaction }, from, to) => readdressFounder(transaction, deps.secret, { from, to }),
  };
}

/** Returns the workspaces that have no other member, and those whose other members include no owner. */
async function fateOf(
  database: Pick<Database, 'kysely'>,
  person: Pick<Person, 'id'>,
): Promise<{ alone: Workspace[]; stranding: Workspace[] }> {
  const workspaces = (await membershipsOf(database, person.id)).map(({ workspace }) => workspace);
  // At once: a person may have been invited to hundreds.
  const others = await database.kysely
    .selectFrom('workspace_members')
    .select(['workspace_id', 'role'])
    .distinct()
    .where('workspace_id', 'in', (where) =>
      where.selectFrom('workspace_members as own').select('own.workspace_id').where('own.user_id', '=', person.id),
    )
    .where('user_id', '<>', person.id)
    .execute();
  const shared = new Set(others.map((other) => other.workspace_id));
  const led = new Set(others.filter(({ role }) => role === 'owner').map((other) => other.workspace_id));
  const alone = workspaces.filter(({ id }) => !shared.has(id));
  const stranding = workspaces.filter(({ id }) => shared.has(id) && !led.has(id));
  return { alone, stranding };
}

function slugs(workspaces: readonly Workspace[]): string[] {
  return workspaces.map(({ slug }) => slug);
}
