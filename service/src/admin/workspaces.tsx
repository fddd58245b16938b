import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';

import type { AdminPageDeps } from './slice.ts';
import { limitOf, type Workspace, workspaceOf } from '../workspaces/index.ts';
import { monthOf } from '../kernel/db/month.ts';
import { Field } from '../kernel/ui/fields.tsx';
import { limitText, planName } from '../workspaces/pages/plan-table.tsx';
import { count } from '../kernel/ui/numbers.ts';
import { sendAdminPage } from '../kernel/ui/admin-frame.tsx';
import { Table } from '../kernel/ui/table.tsx';

const PAGE = 50;

interface WorkspacesQuery {
  Querystring: { slug?: string; after?: string };
}

interface Row {
  workspace: Workspace;
  used: number;
}

/** Adds the list of workspaces with this month's usage. */
export function addWorkspaces(scope: FastifyInstance, deps: AdminPageDeps): void {
  scope.get<WorkspacesQuery>('/admin/workspaces', async (request, reply) => {
    const { slug = '', after = '' } = request.query;
    const found = await listPage(deps, slug.slice(0, 64), after.slice(0, 64));
    const rows = found.slice(0, PAGE);
    const last = found.length > PAGE ? rows.at(-1) : undefined;
    const next = new URLSearchParams({ slug, after: last?.workspace.slug ?? '' });
    return sendAdminPage(reply, {
      tab: '/admin/workspaces',
      title: 'Workspaces',
      children: (
        <>
          <form class="row" method="get" action="/admin/workspaces">
            <Field label="Name contains" name="slug" value={slug} isMono maxLength={64} isFilter />
            <button>Filter</button>
          </form>
          <WorkspaceTable rows={rows} deps={deps} />
          {last === undefined ? null : <a href={`/admin/workspaces?${next.toString()}`}>More workspaces</a>}
        </>
      ),
    });
  });
}

async function listPage({ database, clock }: AdminPageDeps, text: string, after: string): Promise<Row[]> {
  const { startMs } = monthOf(clock());
  // Slugs hold no wildcards: what does is no part of any.
  const part = text.toLowerCase().replace(/[^a-z0-9-]/g, '');
  let query = database.kysely
    .selectFrom('workspaces')
    .leftJoin('usage_counters', (join) =>
      join
        .on((on) => on('usage_counters.subject', '=', sql<string>`'workspace:' || workspaces.id`))
        .on('usage_counters.window_start', '=', startMs),
    )
    .selectAll('workspaces')
    .select('used')
    .where('slug', '>', after)
    .orderBy('slug')
    .limit(PAGE + 1);
  if (part !== '') query = query.where('slug', 'like', `%${part}%`);
  return (await query.execute()).map((row) => ({ workspace: workspaceOf(row), used: row.used ?? 0 }));
}

function WorkspaceTable({ rows, deps }: { rows: readonly Row[]; deps: AdminPageDeps }) {
  const limits = deps.config.planLimits;
  return (
    <Table
      rows={rows}
      empty={
        <>
          No workspace matches. People create theirs when they sign up; <code>marque workspace create</code> creates
          one, too.
        </>
      }
      columns={[
        {
          head: 'Workspace',
          kind: 'name',
          cell: ({ workspace: { slug } }) => <a href={`/admin/workspaces/${slug}`}>{slug}</a>,
        },
        { head: 'Plan', cell: ({ workspace }) => planName(workspace.plan) },
        { head: 'Used this month', kind: 'figure', cell: ({ used }) => count(used) },
        { head: 'Limit', kind: 'figure', cell: ({ workspace }) => limitText(limitOf(workspace, limits, deps.clock())) },
        {
          head: 'State',
          cell: ({ workspace }) =>
            workspace.suspendedAtMs === null ? 'active' : <span class="tag bad">suspended</span>,
        },
      ]}
    />
  );
}
