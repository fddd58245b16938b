import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Kysely } from 'kysely';

import { listKeys, type Workspace } from '../workspaces/index.ts';
import type { Database, Schema } from '../kernel/db/index.ts';
import { withLongTimeout } from '../kernel/db/long-timeout.ts';
import { pagesOf } from '../files/file-pages.ts';
import { testSubject, workspaceSubject } from '../metering/index.ts';
import { listEndpoints } from '../webhooks/endpoints.ts';

/** Whose data: a vehicle's, or a workspace's with the people in it. */
export type PrivacySubject = { kind: 'vin'; vin: string } | { kind: 'workspace'; workspace: Workspace };

/** One stored record. `kind` is its table. */
export type ExportedRecord = { kind: string } & Record<string, unknown>;

/** Rows read at once. */
const PAGE = 500;

type Condition<Table extends 'decodes' | 'correction_reports'> = (
  where: ExpressionBuilder<Schema, Table>,
) => Expression<SqlBool>;

/** Everything that is stored about a subject, one record at a time. Hashes of keys and passwords are left out. */
export async function* exportOf(database: Database, subject: PrivacySubject): AsyncGenerator<ExportedRecord> {
  yield* subject.kind === 'vin' ? vinRecords(database, subject.vin) : workspaceRecords(database, subject.workspace);
}

async function* vinRecords(database: Database, vin: string): AsyncGenerator<ExportedRecord> {
  const { kysely } = database;
  yield* decodes(database, (where) => where('vin', '=', vin));
  yield* reports(kysely, (where) => where('vin', '=', vin));
  const overrides = await kysely.selectFrom('overrides').selectAll().where('vin', '=', vin).execute();
  for (const row of overrides) yield { kind: 'override', ...row };
  const jobs = await kysely.selectFrom('enrichment_jobs').selectAll().where('vin', '=', vin).execute();
  for (const { locked_by: _by, locked_until: _until, ...row } of jobs) yield { kind: 'enrichment_job', ...row };
  const results = await kysely.selectFrom('enrichment_results').selectAll().where('vin', '=', vin).execute();
  for (const row of results) yield { kind: 'enrichment_result', ...row };
  const pending = await kysely.selectFrom('enrichment_pending').selectAll().where('vin', '=', vin).execute();
  for (const row of pending) yield { kind: 'enrichment_pending', ...row };
  const deliveries = await kysely.selectFrom('webhook_deliveries').selectAll().where('vin', '=', vin).execute();
  for (const row of deliveries) yield { kind: 'webhook_delivery', ...row, data: parsed(row.data) };
}

async function* workspaceRecords(database: Database, workspace: Workspace): AsyncGenerator<ExportedRecord> {
  const { kysely } = database;
  const { id } = workspace;
  const subject = workspaceSubject(id);
  const subjects = [subject, testSubject(id)];
  yield { kind: 'workspace', ...workspace };
  for (const key of await listKeys(database, id)) yield { kind: 'api_key', ...key };
  const people = await kysely
    .selectFrom('workspace_members')
    .innerJoin('auth_users', 'auth_users.id', 'workspace_members.user_id')
    .select(['auth_users.id', 'name', 'email', 'role', 'workspace_members.created_at'])
    .where('workspace_id', '=', id)
    .execute();
  for (const row of people) yield { kind: 'member', ...row };
  const links = await kysely
    .selectFrom('account_links')
    .select(['purpose', 'email', 'role', 'invited_by', 'created_at', 'expires_at'])
    .where('workspace_id', '=', id)
    .execute();
  for (const row of links) yield { kind: 'invitation', ...row };
  const paid = await kysely.selectFrom('workspace_billing').selectAll().where('workspace_id', '=', id).execute();
  for (const row of paid) yield { kind: 'billing', ...row };
  const usage = await kysely.selectFrom('usage_ledger').selectAll().where('subject', 'in', subjects).execute();
  for (const row of usage) yield { kind: 'usage', ...row };
  const files = await kysely.selectFrom('vin_files').selectAll().where('workspace_id', '=', id).execute();
  for (const { locked_by: _by, locked_until: _until, header, ...row } of files) {
    yield { kind: 'file', ...row, header: parsed(header ?? 'null') };
    for await (const { from, rows } of pagesOf(database, row.id)) {
      yield { kind: 'file_rows', file_id: row.id, first_row: from, rows };
    }
  }
  yield* webhooks(database, id);
  yield* decodes(database, (where) => where('subject', 'in', subjects));
  yield* reports(kysely, (where) => where('subject', '=', subject));
  const audit = await kysely
    .selectFrom('audit_log')
    .select(['seq', 'at', 'actor', 'action', 'subject', 'details'])
    .where((where) => where.or([where('actor', '=', subject), where('subject', '=', subject)]))
    .orderBy('seq')
    .execute();
  for (const row of audit) yield { kind: 'audit', ...row, details: parsed(row.details) };
}

/** Endpoints without their secrets, with what was delivered there, and VINs that the workspace waits for. */
async function* webhooks(database: Database, workspaceId: string): AsyncGenerator<ExportedRecord> {
  const { kysely } = database;
  for (const endpoint of await listEndpoints(database, workspaceId)) {
    yield { kind: 'webhook_endpoint', ...endpoint };
    const deliveries = kysely.selectFrom('webhook_deliveries').selectAll().where('endpoint_id', '=', endpoint.id);
    for (const row of await deliveries.orderBy('event_id').execute()) {
      yield { kind: 'webhook_delivery', ...row, data: parsed(row.data) };
    }
  }
  const pending = kysely.selectFrom('enrichment_pending').selectAll().where('workspace_id', '=', workspaceId);
  for (const row of await pending.execute()) yield { kind: 'enrichment_pending', ...row };
}

async function* decodes(database: Database, belongs: Condition<'decodes'>): AsyncGenerator<ExportedRecord> {
  let after = '';
  for (;;) {
    const rows = await withLongTimeout(database, (kysely) =>
      kysely
        .selectFrom('decodes')
        .selectAll()
        .where(belongs)
        .where('id', '>', after)
        .orderBy('id')
        .limit(PAGE)
        .execute(),
    );
    for (const row of rows) yield { kind: 'decode', ...row, report: parsed(row.report) };
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.id;
  }
}

async function* reports(
  kysely: Kysely<Schema>,
  belongs: Condition<'correction_reports'>,
): AsyncGenerator<ExportedRecord> {
  const rows = await kysely.selectFrom('correction_reports').selectAll().where(belongs).orderBy('id').execute();
  for (const { claim_hash: _hash, claim, actual_report, answered, ...row } of rows) {
    yield {
      kind: 'report',
      ...row,
      claim: parsed(claim),
      actual_report: parsed(actual_report ?? 'null'),
      answered: parsed(answered ?? 'null'),
    };
  }
}

function parsed(json: string): unknown {
  return json === '' ? null : JSON.parse(json);
}
