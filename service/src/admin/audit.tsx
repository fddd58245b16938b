import type { FastifyInstance, FastifyReply } from 'fastify';

import type { AdminParts } from './slice.ts';
import { namesIn } from '../corrections/index.ts';
import { auditSubjectsOf } from '../workspaces/index.ts';
import { type AuditFinding, listAudit, verifyAudit } from '../kernel/audit/index.ts';
import { Field, NoticeText, PostButton } from '../kernel/ui/fields.tsx';
import { Filters } from '../kernel/ui/filters.tsx';
import { pageOf } from '../kernel/lists.ts';
import { count } from '../kernel/ui/numbers.ts';
import { AuditTable } from '../kernel/audit/audit-table.tsx';
import { daysBetween, given } from '../kernel/ui/forms.ts';
import { sendAdminPage } from '../kernel/ui/admin-frame.tsx';
import type { PageKit } from '../kernel/ui/page-kit.ts';

const PAGE = 100;

interface AuditQuery {
  Querystring: Partial<Record<'actor' | 'action' | 'subject' | 'workspace' | 'from' | 'until' | 'before', string>>;
}

/** Adds the audit log and the check of its chain. */
export function addAudit(scope: FastifyInstance, deps: AdminParts & PageKit): void {
  scope.get<AuditQuery>('/admin/audit', async (request, reply) => {
    const { finding } = deps.flash.take<{ finding: AuditFinding }>(reply) ?? {};
    return sendAudit(deps, reply, request.query, finding);
  });

  scope.post('/admin/audit/verify', async (_request, reply) =>
    deps.flash.redirect(reply, '/admin/audit', { finding: await verifyAudit(deps.database) }),
  );
}

async function sendAudit(
  { database }: AdminParts & PageKit,
  reply: FastifyReply,
  { before = '', ...query }: AuditQuery['Querystring'],
  finding: AuditFinding | undefined,
): Promise<FastifyReply> {
  const slug = given(query.workspace, 64);
  const found = await listAudit(database, {
    limit: PAGE + 1,
    actor: given(query.actor, 254),
    action: given(query.action, 60),
    subject: given(query.subject, 300),
    subjects: slug === undefined ? undefined : auditSubjectsOf(database, slug),
    ...daysBetween(query.from, query.until),
    ...(/^\d{1,15}$/.test(before) ? { before: Number(before) } : {}),
  });
  const { page: entries, last } = pageOf(found, PAGE);
  const names = await namesIn(database, entries);
  const next = new URLSearchParams({ ...query, before: String(last?.seq ?? '') });
  return sendAdminPage(reply, {
    tab: '/admin/audit',
    title: 'Audit log',
    children: (
      <>
        {finding === undefined ? null : <Finding finding={finding} />}
        <Filters action="/admin/audit" query={query}>
          <Field label="Person" name="actor" value={query.actor} maxLength={254} isFilter />
          <Field label="Action" name="action" value={query.action} maxLength={60} isFilter />
          <Field label="Target" name="subject" value={query.subject} isMono maxLength={300} isFilter />
          <Field label="Workspace" name="workspace" value={query.workspace} isMono maxLength={64} isFilter />
          <Field label="From" name="from" type="date" value={query.from} isFilter />
          <Field label="Until" name="until" type="date" value={query.until} isFilter />
        </Filters>
        <PostButton action="/admin/audit/verify" label="Verify the log" />
        <AuditTable entries={entries} names={names} />
        {last === undefined ? null : <a href={`/admin/audit?${next.toString()}`}>Older entries</a>}
      </>
    ),
  });
}

function Finding({ finding }: { finding: AuditFinding }) {
  if (finding.kind === 'broken') return <NoticeText tone="bad" text={finding.what} />;
  const text = `The log is intact: ${count(finding.entries)} entries, each linked to the one before it.`;
  return <NoticeText tone="good" text={text} />;
}
