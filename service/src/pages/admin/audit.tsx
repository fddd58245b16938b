import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { administratorOf } from '../../features/accounts/guard.ts';
import { type AuditFinding, listAudit, verifyAudit } from '../../platform/audit/index.ts';
import { Field, Notice } from '../../platform/ui/fields.tsx';
import { count } from '../../platform/ui/numbers.ts';
import { AuditTable } from './audit-table.tsx';
import type { AdminDeps } from './context.ts';
import { sendAdminPage } from './frame.tsx';

const HIDDEN = { schema: { hide: true } };
const PAGE = 100;

interface AuditQuery {
  Querystring: { subject?: string; before?: string };
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
  { subject = '', before = '' }: AuditQuery['Querystring'],
  finding: AuditFinding | undefined,
): Promise<FastifyReply> {
  const found = await listAudit(database, {
    limit: PAGE + 1,
    ...(subject === '' ? {} : { subject: subject.slice(0, 300) }),
    ...(/^\d{1,15}$/.test(before) ? { before: Number(before) } : {}),
  });
  const entries = found.slice(0, PAGE);
  const last = found.length > PAGE ? entries.at(-1) : undefined;
  const next = new URLSearchParams({ subject, before: String(last?.seq ?? '') });
  return sendAdminPage(request, reply, {
    tab: '/admin/audit',
    title: 'Audit log',
    children: (
      <>
        {finding === undefined ? null : <Finding finding={finding} />}
        <form class="row" method="get" action="/admin/audit">
          <Field label="Done to" name="subject" value={subject} isOptional isMono maxLength={300} />
          <button>Show</button>
        </form>
        <form method="post" action="/admin/audit/verify">
          <button>Check that nobody changed the log</button>
        </form>
        <AuditTable entries={entries} />
        {last === undefined ? null : <a href={`/admin/audit?${next.toString()}`}>Older entries</a>}
      </>
    ),
  });
}

function Finding({ finding }: { finding: AuditFinding }) {
  return finding.kind === 'whole' ? (
    <Notice tone="good">
      <p>The log is whole: {count(finding.entries)} entries, each linked to the one before it.</p>
    </Notice>
  ) : (
    <Notice tone="bad">
      <p>{finding.what}</p>
    </Notice>
  );
}
