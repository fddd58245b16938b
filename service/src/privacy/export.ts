import type { Database } from '../kernel/db/index.ts';
import { type ExportedRecord, parsed, type PrivacySubject, type SlicePrivacy } from '../kernel/privacy.ts';
import { workspaceSubject } from '../workspaces/subject.ts';

/** Everything that the slices store about a subject, one record at a time, and what the audit log has of a workspace. */
export async function* exportOf(
  database: Database,
  slices: readonly SlicePrivacy[],
  subject: PrivacySubject,
): AsyncGenerator<ExportedRecord> {
  for (const { records } of slices) if (records !== undefined) yield* records(database, subject);
  if (subject.kind === 'workspace') yield* auditOf(database, workspaceSubject(subject.id));
}

async function* auditOf({ kysely }: Database, subject: string): AsyncGenerator<ExportedRecord> {
  const audit = await kysely
    .selectFrom('audit_log')
    .select(['seq', 'at', 'actor', 'action', 'subject', 'details'])
    .where((where) => where.or([where('actor', '=', subject), where('subject', '=', subject)]))
    .orderBy('seq')
    .execute();
  for (const row of audit) yield { kind: 'audit', ...row, details: parsed(row.details) };
}
