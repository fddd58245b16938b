import { v7 } from 'uuid';

import type { Clock } from '../../platform/clock.ts';
import { change } from '../../platform/db/changes.ts';
import type { Database, LimitMode, Plan } from '../../platform/db/index.ts';

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** A workspace's limit: its plan's, a number of its own, or none. */
export type LimitChoice = { kind: 'plan' } | { kind: 'fixed'; limit: number } | { kind: 'none' };

/** A workspace: what is counted and limited together. */
export interface Workspace {
  id: string;
  slug: string;
  plan: Plan;
  limit: LimitChoice;
  suspendedAtMs: number | null;
  createdAtMs: number;
}

/** Makes a workspace. */
export async function createWorkspace(
  deps: { database: Database; clock: Clock },
  wanted: { slug: string; plan: Plan; limit?: LimitChoice },
): Promise<{ kind: 'created'; workspace: Workspace } | { kind: 'bad-slug' } | { kind: 'slug-taken' }> {
  if (!SLUG.test(wanted.slug)) return { kind: 'bad-slug' };
  const createdAtMs = deps.clock();
  const workspace: Workspace = {
    id: v7({ msecs: createdAtMs }),
    slug: wanted.slug,
    plan: wanted.plan,
    limit: wanted.limit ?? { kind: 'plan' },
    suspendedAtMs: null,
    createdAtMs,
  };
  const inserted = await deps.database.kysely
    .insertInto('workspaces')
    .values({
      id: workspace.id,
      slug: workspace.slug,
      plan: workspace.plan,
      ...limitColumns(workspace.limit),
      suspended_at: null,
      created_at: createdAtMs,
    })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 0n ? { kind: 'slug-taken' } : { kind: 'created', workspace };
}

/** All workspaces, by slug. */
export async function listWorkspaces(database: Database): Promise<Workspace[]> {
  const rows = await database.kysely.selectFrom('workspaces').selectAll().orderBy('slug').execute();
  return rows.map(workspaceOf);
}

/** The workspace with a slug. */
export async function findWorkspace(database: Database, slug: string): Promise<Workspace | undefined> {
  const row = await database.kysely.selectFrom('workspaces').selectAll().where('slug', '=', slug).executeTakeFirst();
  return row === undefined ? undefined : workspaceOf(row);
}

/**
 * Changes a workspace's plan, and its limit where one is given; else the limit stays as it is.
 * @returns the workspace as it is now; undefined: there is none with that slug.
 */
export async function setPlan(
  database: Database,
  slug: string,
  wanted: { plan: Plan; limit?: LimitChoice },
): Promise<Workspace | undefined> {
  return change(database, 'access', async (transaction) => {
    const row = await transaction
      .updateTable('workspaces')
      .set({ plan: wanted.plan, ...(wanted.limit === undefined ? {} : limitColumns(wanted.limit)) })
      .where('slug', '=', slug)
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? undefined : workspaceOf(row);
  });
}

/** Suspends a workspace (all its keys are refused) or lets it back in. */
export async function setSuspended(
  database: Database,
  slug: string,
  suspendedAtMs: number | null,
): Promise<Workspace | undefined> {
  return change(database, 'access', async (transaction) => {
    const row = await transaction
      .updateTable('workspaces')
      .set({ suspended_at: suspendedAtMs })
      .where('slug', '=', slug)
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? undefined : workspaceOf(row);
  });
}

/** A row of the workspaces. */
interface WorkspaceRow {
  id: string;
  slug: string;
  plan: Plan;
  limit_mode: LimitMode;
  monthly_limit: number | null;
  suspended_at: number | null;
  created_at: number;
}

/** A row as the workspace that it is. */
export function workspaceOf(row: WorkspaceRow): Workspace {
  return {
    id: row.id,
    slug: row.slug,
    plan: row.plan,
    limit: row.monthly_limit === null ? { kind: limitKind(row) } : { kind: 'fixed', limit: row.monthly_limit },
    suspendedAtMs: row.suspended_at,
    createdAtMs: row.created_at,
  };
}

function limitKind(row: WorkspaceRow): 'plan' | 'none' {
  return row.limit_mode === 'none' ? 'none' : 'plan';
}

function limitColumns(limit: LimitChoice): { limit_mode: LimitMode; monthly_limit: number | null } {
  return { limit_mode: limit.kind, monthly_limit: limit.kind === 'fixed' ? limit.limit : null };
}
