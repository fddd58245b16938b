import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { administratorOf } from '../../features/accounts/guard.ts';
import { type AuditFinding, listAudit, verifyAudit } from '../../platform/audit/index.ts';
import { FilterField, Notice } from '../../platform/ui/fields.tsx';
import { count } from '../../platform/ui/numbers.ts';
import { namesIn } from './audit-names.ts';
import { AuditTable } from './audit-table.tsx';
import type { AdminDeps } from './context.ts';
import { daysBetween, given } from './filters.ts';
import { sendAdminPage } from './frame.tsx';

const HIDDEN = { schema: { hide: true } };
const PAGE = 100;

const FILTERS = ['actor', 'action', 'from', 'until', 'subject'] as const;

interface AuditQuery {
  Querystring: Partial<Record<(typeof FILTERS)[number] | 'before', string>>;
}

/** Adds the audit log and the check of its chain. */
export function addAudit(scope: FastifyInstance, deps: AdminDeps): void {
  scope.get<AuditQuery>('/admin/audit', HIDDEN, async (request, reply) => {
    administratorOf(request);
    return sendAudit(
      deps,
      request,
      reply,
      request.query,
      deps.flash.take<{ finding: AuditFinding }>(request, reply)?.finding,
    );
  });

  scope.post('/admin/audit/verify', HIDDEN, async (request, reply) => {
    administratorOf(request);
    return deps.flash.redirect(reply, '/admin/audit', { finding: await verifyAudit(deps.database) });
  });
}

async function sendAudit(
  { database }: AdminDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { before = '', ...query }: AuditQuery['Querystring'],
  finding: AuditFinding | undefined,
): Promise<FastifyReply> {
  const found = await listAudit(database, {
    limit: PAGE + 1,
    ...wantedOf(query),
    ...(/^\d{1,15}$/.test(before) ? { before: Number(before) } : {}),
  });
  const entries = found.slice(0, PAGE);
  const last = found.length > PAGE ? entries.at(-1) : undefined;
  const names = await namesIn(database, entries);
  const next = new URLSearchParams({ ...query, before: String(last?.seq ?? '') });
  return sendAdminPage(request, reply, {
    tab: '/admin/audit',
    title: 'Audit log',
    children: (
      <>
        {finding === undefined ? null : <Finding finding={finding} />}
        <form class="filters" method="get" action="/admin/audit">
          <FilterField label="Person" name="actor" value={query.actor} maxLength={254} />
          <FilterField label="Action" name="action" value={query.action} maxLength={60} />
          <FilterField label="Target" name="subject" value={query.subject} isMono maxLength={300} />
          <FilterField label="From" name="from" type="date" value={query.from} />
          <FilterField label="Until" name="until" type="date" value={query.until} />
          <button>Filter</button>
        </form>
        <form method="post" action="/admin/audit/verify">
          <button>Verify the log</button>
        </form>
        <AuditTable entries={entries} names={names} />
        {last === undefined ? null : <a href={`/admin/audit?${next.toString()}`}>Older entries</a>}
      </>
    ),
  });
}

/** What the filters ask for. */
function wantedOf({ actor, action, from, until, subject }: Partial<Record<(typeof FILTERS)[number], string>>) {
  const texts = { actor: given(actor, 254), action: given(action, 60), subject: given(subject, 300) };
  return { ...daysBetween(from, until), ...texts };
}

function Finding({ finding }: { finding: AuditFinding }) {
  return finding.kind === 'whole' ? (
    <Notice tone="good">
      <p>The log is intact: {count(finding.entries)} entries, each linked to the one before it.</p>
    </Notice>
  ) : (
    <Notice tone="bad">
      <p>{finding.what}</p>
    </Notice>
  );
}
