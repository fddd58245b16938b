import type { FastifyInstance } from 'fastify';

import type { AdminParts } from './slice.ts';
import { closedAmong, limitOf } from '../workspaces/index.ts';
import { type WorkspaceUsage, workspacesWithUsage } from '../metering/index.ts';
import { limitText, planName } from '../workspaces/pages/index.ts';
import { Field } from '../kernel/ui/fields.tsx';
import { pageOf } from '../kernel/lists.ts';
import { count } from '../kernel/ui/numbers.ts';
import { sendAdminPage } from '../kernel/ui/admin-frame.tsx';
import { Table } from '../kernel/ui/table.tsx';
import type { PageKit } from '../kernel/ui/page-kit.ts';

const PAGE = 50;

interface WorkspacesQuery {
  Querystring: { slug?: string; after?: string };
}

/** Adds the list of workspaces with this month's usage. */
export function addWorkspaces(scope: FastifyInstance, deps: AdminParts & PageKit): void {
  scope.get<WorkspacesQuery>('/admin/workspaces', async (request, reply) => {
    const { slug = '', after = '' } = request.query;
    const found = await workspacesWithUsage(deps.database, {
      part: slug.slice(0, 64),
      after: after.slice(0, 64),
      limit: PAGE + 1,
      nowMs: deps.clock(),
    });
    const { page, last } = pageOf(found, PAGE);
    const closed = await closedAmong(
      deps.database,
      page.map(({ workspace }) => workspace),
    );
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
          <WorkspaceTable rows={page} closed={closed} deps={deps} />
          {last === undefined ? null : <a href={`/admin/workspaces?${next.toString()}`}>More workspaces</a>}
        </>
      ),
    });
  });
}

interface WorkspaceTableProps {
  rows: readonly WorkspaceUsage[];
  /** Ids of those that are closed. */
  closed: ReadonlySet<string>;
  deps: AdminParts & PageKit;
}

function WorkspaceTable({ rows, closed, deps }: WorkspaceTableProps) {
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
          cell: ({ workspace: { id, suspendedAtMs } }) => {
            if (closed.has(id)) return 'closed';
            return suspendedAtMs === null ? 'active' : <span class="tag bad">suspended</span>;
          },
        },
      ]}
    />
  );
}
