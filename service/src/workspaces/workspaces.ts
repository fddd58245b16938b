import { type Expression, type Selectable, sql, type Transaction } from 'kysely';
import { v7 } from 'uuid';

import { type Act, type ActDeps, type Actor, audited } from '../kernel/audit/index.ts';
import type { Database, Schema } from '../kernel/db/index.ts';
import { HttpError } from '../kernel/http/http-error.ts';
import type { LimitMode } from './tables.ts';
import type { Plan } from './plan.ts';

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** A workspace's limit: its plan's, a custom number, or none. */
export type LimitChoice = { kind: 'plan' } | { kind: 'fixed'; limit: number } | { kind: 'none' };

/** The founder's earlier usage of the month's free allowance in other workspaces; it counts in that month. */
interface SpentAllowance {
  decodes: number;
  /** Start of the UTC month; null: nothing was spent. */
  monthStartMs: number | null;
}

/** The founder of a workspace, as a keyed hash, and their usage of the free allowance. */
interface Founding {
  founder: string;
  spent: SpentAllowance;
}

/** A workspace: its usage is counted and limited as one. */
export interface Workspace {
  id: string;
  /** Its name in URLs, headers and commands. Never changes. */
  slug: string;
  /** The name that people use; the slug, until an owner gives it a name. */
  name: string;
  plan: Plan;
  limit: LimitChoice;
  allowance: SpentAllowance;
  suspendedAtMs: number | null;
  /** True if its members are still led through its first steps. */
  hasFirstSteps: boolean;
  createdAtMs: number;
}

/** The values of a new workspace. */
interface WantedWorkspace {
  slug: string;
  plan: Plan;
  limit?: LimitChoice;
  founding?: Founding;
}

type Created = { kind: 'created'; workspace: Workspace } | { kind: 'bad-slug' } | { kind: 'slug-taken' };

/** Creates a workspace. */
export async function createWorkspace(deps: ActDeps, wanted: WantedWorkspace, actor: Actor): Promise<Created> {
  return audited(deps, actor, (act) => insertWorkspace(act, wanted));
}

/** Creates a workspace as part of a larger action. */
export async function insertWorkspace(act: Act, wanted: WantedWorkspace): Promise<Created> {
  if (!SLUG.test(wanted.slug)) return { kind: 'bad-slug' };
  const createdAtMs = act.atMs;
  const workspace: Workspace = {
    id: v7({ msecs: createdAtMs }),
    slug: wanted.slug,
    name: wanted.slug,
    plan: wanted.plan,
    limit: wanted.limit ?? { kind: 'plan' },
    allowance: wanted.founding?.spent ?? { decodes: 0, monthStartMs: null },
    suspendedAtMs: null,
    hasFirstSteps: true,
    createdAtMs,
  };
  const inserted = await act.transaction
    .insertInto('workspaces')
    .values({
      id: workspace.id,
      slug: workspace.slug,
      plan: workspace.plan,
      ...limitColumns(workspace.limit),
      suspended_at: null,
      created_at: createdAtMs,
      founder: wanted.founding?.founder ?? null,
      allowance_spent: workspace.allowance.decodes,
      allowance_spent_in: workspace.allowance.monthStartMs,
    })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) return { kind: 'slug-taken' };
  const { id, slug, plan, limit } = workspace;
  await act.appendEntry({ action: 'workspace.created', subject: `workspace:${id}`, details: { slug, plan, limit } });
  return { kind: 'created', workspace };
}

/** Returns all workspaces, by slug. */
export async function listWorkspaces(database: Database): Promise<Workspace[]> {
  const rows = await database.kysely.selectFrom('workspaces').selectAll().orderBy('slug').execute();
  return rows.map(workspaceOf);
}

/** Returns the slugs of workspaces, by their ids. */
export async function slugsOf(
  { kysely }: Pick<Database, 'kysely'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await kysely.selectFrom('workspaces').select(['id', 'slug']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, slug }) => [id, slug]));
}

/** Returns the workspace with a slug. */
export async function findWorkspace(database: Database, slug: string): Promise<Workspace | undefined> {
  const row = await database.kysely.selectFrom('workspaces').selectAll().where('slug', '=', slug).executeTakeFirst();
  return row === undefined ? undefined : workspaceOf(row);
}

/**
 * Changes a workspace's plan, and its limit if one is given.
 * @returns the changed workspace; undefined: no workspace has that slug.
 */
export async function setPlan(
  deps: ActDeps,
  slug: string,
  wanted: { plan?: Plan; limit?: LimitChoice },
  actor: Actor,
): Promise<Workspace | undefined> {
  const set = async (act: Act) => refuseClosed(act, slug).then(() => changePlan(act, slug, wanted));
  return audited(deps, actor, set, 'access');
}

/**
 * Changes a plan as part of a larger action, which changes the topic `access`.
 * @param why additional details for the audit log.
 */
export async function changePlan(
  { transaction, appendEntry }: Act,
  slug: string,
  { plan: wanted, limit }: { plan?: Plan; limit?: LimitChoice },
  why: Readonly<Record<string, unknown>> = {},
): Promise<Workspace | undefined> {
  const before = await transaction.selectFrom('workspaces').select('plan').where('slug', '=', slug).executeTakeFirst();
  if (before === undefined) return undefined;
  const plan = wanted ?? before.plan;
  const row = await transaction
    .updateTable('workspaces')
    .set({ plan, ...(limit === undefined ? {} : limitColumns(limit)) })
    .where('slug', '=', slug)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const details = { from: before.plan, plan, ...(limit === undefined ? {} : { limit }), ...why };
  await appendEntry({ action: 'workspace.plan', subject: `workspace:${row.id}`, details });
  return workspaceOf(row);
}

/** Gives a workspace another name for people. */
export async function renameWorkspace(
  deps: ActDeps,
  { id, name: from }: Pick<Workspace, 'id' | 'name'>,
  name: string,
  actor: Actor,
): Promise<void> {
  await audited(deps, actor, async ({ transaction, appendEntry }) => {
    await transaction.updateTable('workspaces').set({ name }).where('id', '=', id).execute();
    await appendEntry({ action: 'workspace.renamed', subject: `workspace:${id}`, details: { from, name } });
  });
}

/**
 * Returns when a workspace's plan was last changed, by the audit log, which has an entry of a new limit, too;
 * undefined: never.
 */
export async function planChangedMs(
  { kysely, engine }: Pick<Database, 'kysely' | 'engine'>,
  id: string,
): Promise<number | undefined> {
  const details = engine === 'sqlite' ? sql`details` : sql`details::json`;
  const changed = await kysely
    .selectFrom('audit_log')
    .select('at')
    .where('subject', '=', `workspace:${id}`)
    .where('action', '=', 'workspace.plan')
    .where(sql<boolean>`${details} ->> 'from' <> ${details} ->> 'plan'`)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return changed?.at;
}

/** Suspends a workspace (all its keys are refused) or reactivates it. */
export async function setSuspended(
  deps: ActDeps,
  slug: string,
  isSuspended: boolean,
  actor: Actor,
): Promise<Workspace | undefined> {
  const set = async (act: Act): Promise<Workspace | undefined> => {
    const { transaction, atMs, appendEntry } = act;
    await refuseClosed(act, slug);
    const row = await transaction
      .updateTable('workspaces')
      .set({ suspended_at: isSuspended ? atMs : null })
      .where('slug', '=', slug)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const action = isSuspended ? 'workspace.suspended' : 'workspace.resumed';
    await appendEntry({ action, subject: `workspace:${row.id}`, details: {} });
    return workspaceOf(row);
  };
  return audited(deps, actor, set, 'access');
}

/** The act of closing a workspace. Its entries have the ids of those who were members. */
export const CLOSED = 'workspace.closed';

/** @throws HttpError 409 when a workspace is closed: it may have been since the page of the act was made. */
async function refuseClosed({ transaction }: Act, slug: string): Promise<void> {
  const row = await transaction.selectFrom('workspaces').selectAll().where('slug', '=', slug).executeTakeFirst();
  if (row === undefined || !(await isClosed({ kysely: transaction }, workspaceOf(row)))) return;
  throw new HttpError(409, 'This workspace is closed permanently.');
}

/** Returns true if a workspace is closed, which no one takes back. */
export async function isClosed(
  database: Pick<Database, 'kysely'>,
  workspace: Pick<Workspace, 'id' | 'suspendedAtMs'>,
): Promise<boolean> {
  return (await closedAmong(database, [workspace])).has(workspace.id);
}

/** Workspaces that are looked up in one statement. */
const LOOKED_UP = 1_000;

/** Returns the ids of those workspaces that are closed: they were suspended by that act. */
export async function closedAmong(
  { kysely }: Pick<Database, 'kysely'>,
  workspaces: readonly Pick<Workspace, 'id' | 'suspendedAtMs'>[],
): Promise<ReadonlySet<string>> {
  const suspended = workspaces.filter(({ suspendedAtMs }) => suspendedAtMs !== null);
  const subjects = suspended.map(({ id }) => `workspace:${id}`);
  const acts = new Set<string>();
  for (let from = 0; from < subjects.length; from += LOOKED_UP) {
    const closed = kysely.selectFrom('audit_log').select(['subject', 'at']).where('action', '=', CLOSED);
    const rows = await closed.where('subject', 'in', subjects.slice(from, from + LOOKED_UP)).execute();
    for (const { subject, at } of rows) acts.add(`${subject} ${at}`);
  }
  const isAmong = ({ id, suspendedAtMs }: (typeof suspended)[number]): boolean =>
    acts.has(`workspace:${id} ${suspendedAtMs}`);
  return new Set(suspended.filter(isAmong).map(({ id }) => id));
}

/** Returns the slug of an erased workspace, whose row stays for the ledger. */
export function erasedSlug(id: string): string {
  return `erased-${id}`;
}

/** Returns the workspace of a row. */
export function workspaceOf(row: Omit<Selectable<Schema['workspaces']>, 'founder'>): Workspace {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name ?? row.slug,
    plan: row.plan,
    limit:
      row.monthly_limit === null
        ? { kind: row.limit_mode === 'none' ? 'none' : 'plan' }
        : { kind: 'fixed', limit: row.monthly_limit },
    allowance: { decodes: row.allowance_spent, monthStartMs: row.allowance_spent_in },
    suspendedAtMs: row.suspended_at,
    hasFirstSteps: row.first_steps_ended_at === null,
    createdAtMs: row.created_at,
  };
}

function limitColumns(limit: LimitChoice): { limit_mode: LimitMode; monthly_limit: number | null } {
  return { limit_mode: limit.kind, monthly_limit: limit.kind === 'fixed' ? limit.limit : null };
}

/**
 * Locks a workspace until the transaction ends, for a count that must be valid until a row is added. SQLite serializes
 * transactions anyway.
 */
export async function lockWorkspace(transaction: Transaction<Schema>, workspaceId: string): Promise<void> {
  await transaction.selectFrom('workspaces').select('id').where('id', '=', workspaceId).forNoKeyUpdate().execute();
}

/** Returns a query for a workspace and its keys, of which there may be any number, as the audit log names them. */
export function auditSubjectsOf({ kysely }: Pick<Database, 'kysely'>, slug: string): Expression<string> {
  const own = kysely.selectFrom('workspaces').where('slug', '=', slug);
  const keys = own.innerJoin('api_keys', 'api_keys.workspace_id', 'workspaces.id');
  return own
    .select(sql<string>`'workspace:' || workspaces.id`.as('subject'))
    .unionAll(keys.select(sql<string>`'key:' || api_keys.id`.as('subject')))
    .$asScalar();
}
