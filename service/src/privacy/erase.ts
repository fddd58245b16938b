import { setTimeout as sleep } from 'node:timers/promises';

import type { Transaction } from 'kysely';

import type { Workspace } from '../workspaces/index.ts';
import { closeWorkspace } from '../workspaces/membership.ts';
import { type Act, type ActDeps, type Actor, audited } from '../kernel/audit/index.ts';
import type { Database, Schema } from '../kernel/db/index.ts';
import { testSubject, workspaceSubject } from '../metering/index.ts';
import { listEndpoints } from '../webhooks/endpoints.ts';
import { eraseDecodes } from './decodes.ts';
import type { PrivacySubject } from './export.ts';
import { eraseFromFiles } from './files.ts';
import { deleteMessages } from './mail.ts';
import { maskVin } from '../kernel/mask-vin.ts';
import { eraseReports } from './reports.ts';

/** What erasing needs. */
export interface EraseDeps extends ActDeps {
  /** Who does it, for the audit log: `cli:USER`. */
  actor: Actor;
  /** Resolves when every instance has followed a change of keys or overrides. */
  afterPropagation: () => Promise<unknown>;
}

/** Readers hold the log for milliseconds. */
const LOG_TRIES = 100;
const LOG_PAUSE_MS = 20;

/** How much was taken away, by kind. */
export type Erased = Readonly<Record<string, number>>;

/** Erases what is stored about a subject. Repeating it does no harm: after a failure, start again. */
export async function erase(deps: EraseDeps, subject: PrivacySubject): Promise<Erased> {
  const erased =
    subject.kind === 'vin' ? await eraseVin(deps, subject.vin) : await eraseWorkspace(deps, subject.workspace);
  const about = subject.kind === 'vin' ? `vin:${maskVin(subject.vin)}` : workspaceSubject(subject.workspace.id);
  await audited(deps, deps.actor, ({ tell }) => tell({ action: 'privacy.erased', subject: about, details: erased }));
  await emptyLog(deps.database);
  return erased;
}

/**
 * SQLite overwrites in its file what is deleted; its log keeps it until it is copied into the file and emptied. While
 * someone reads, that waits: the log is then overwritten as the service goes on.
 */
async function emptyLog(database: Database): Promise<void> {
  if (database.engine !== 'sqlite') return;
  for (let tries = 0; tries < LOG_TRIES; tries++) {
    const isBusy = database.direct.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) !== 0;
    if (!isBusy) return;
    await sleep(LOG_PAUSE_MS);
  }
}

async function eraseVin(deps: EraseDeps, vin: string): Promise<Erased> {
  const { database, actor } = deps;
  const reverted = await audited(deps, actor, (act) => revertOverrides(act, actor, vin), 'corrections');
  // Instances take an override back by its VIN: it stays until they have.
  if (reverted > 0) await deps.afterPropagation();
  const rest = await audited(deps, actor, async ({ transaction, atMs }) => {
    const reports = await eraseReports(transaction, { column: 'vin', value: vin }, { atMs, by: actor });
    await transaction
      .updateTable('overrides')
      .set({ vin: maskVin(vin), fields: '{}' })
      .where('vin', '=', vin)
      .execute();
    await transaction.deleteFrom('enrichment_jobs').where('vin', '=', vin).execute();
    const looked = await transaction.deleteFrom('enrichment_results').where('vin', '=', vin).executeTakeFirst();
    const messages = await deleteMessages(transaction, [vin]);
    const deliveries = await transaction.deleteFrom('webhook_deliveries').where('vin', '=', vin).executeTakeFirst();
    return {
      reports: reports.length,
      enrichment: Number(looked.numDeletedRows),
      messages,
      deliveries: Number(deliveries.numDeletedRows),
    };
  });
  // After the jobs: a look-up that ends now stores nothing, and no decode follows from it.
  const decodes = await eraseDecodes(database, { column: 'vin', value: vin });
  return { decodes, overrides: reverted, files: await eraseFromFiles(database, vin), ...rest };
}

/** Takes back the overrides of one VIN. Those of a pattern say nothing of one vehicle. */
async function revertOverrides({ transaction, atMs, tell }: Act, actor: Actor, vin: string): Promise<number> {
  const rows = await transaction
    .selectFrom('overrides')
    .select(['id', 'report_id'])
    .where('vin', '=', vin)
    .where('reverted_at', 'is', null)
    .execute();
  for (const { id, report_id } of rows) {
    const details = { reason: 'Erased.', overrides: [id] };
    const seq = await tell({ action: 'report.reverted', subject: `report:${report_id}`, details });
    await transaction
      .updateTable('overrides')
      .set({ reverted_at: atMs, reverted_by: actor, changed_seq: seq })
      .where('id', '=', id)
      .execute();
    await transaction
      .updateTable('correction_reports')
      .set({ state: 'reverted' })
      .where((where) => where.or([where('id', '=', report_id), where('settled_by', '=', report_id)]))
      .where('state', '=', 'accepted')
      .execute();
  }
  return rows.length;
}

async function eraseWorkspace(deps: EraseDeps, workspace: Workspace): Promise<Erased> {
  const { database, actor } = deps;
  const subject = workspaceSubject(workspace.id);
  const people = await ownPeople(database, workspace.id);
  const webhooks = await listEndpoints(database, workspace.id);
  await closeWorkspace(deps, workspace, actor);
  // Until then another instance may store a decode for one of its keys.
  await deps.afterPropagation();
  const subjects = [subject, testSubject(workspace.id)];
  let decodes = 0;
  for (const value of subjects) decodes += await eraseDecodes(database, { column: 'subject', value });
  const rest = await audited(deps, actor, async ({ transaction, atMs }) => {
    const reports = await eraseReports(transaction, { column: 'subject', value: subject }, { atMs, by: actor });
    await removeFromQueue(transaction, workspace.id);
    await transaction
      .deleteFrom('idempotency')
      .where(
        'scope',
        'in',
        subjects.flatMap((scope) => [scope, `report:${scope}`, `job:${scope}`]),
      )
      .execute();
    const files = await transaction.deleteFrom('vin_files').where('workspace_id', '=', workspace.id).executeTakeFirst();
    await transaction.deleteFrom('workspace_billing').where('workspace_id', '=', workspace.id).execute();
    const messages = await deleteMessages(
      transaction,
      people.map(({ email }) => email),
    );
    for (const { id } of people) await transaction.deleteFrom('auth_users').where('id', '=', id).execute();
    const keys = await transaction
      .updateTable('api_keys')
      .set({ name: 'erased', last_used_at: null })
      .where('workspace_id', '=', workspace.id)
      .executeTakeFirst();
    // The row stays for the ledger, without its name.
    await transaction
      .updateTable('workspaces')
      .set({ slug: `erased-${workspace.id}` })
      .where('id', '=', workspace.id)
      .execute();
    return {
      reports: reports.length,
      files: Number(files.numDeletedRows),
      messages,
      people: people.length,
      keys: Number(keys.numUpdatedRows),
    };
  });
  return { decodes, webhooks: webhooks.length, ...rest };
}

/** Takes a workspace out of the line for enrichment. A VIN that others wait for, too, is theirs from then on. */
async function removeFromQueue(transaction: Transaction<Schema>, workspaceId: string): Promise<void> {
  const subject = workspaceSubject(workspaceId);
  await transaction.deleteFrom('enrichment_pending').where('workspace_id', '=', workspaceId).execute();
  const shared = await transaction
    .selectFrom('enrichment_jobs')
    .innerJoin('enrichment_pending', 'enrichment_pending.vin', 'enrichment_jobs.vin')
    .select(['enrichment_jobs.vin', 'workspace_id'])
    .where('subject', '=', subject)
    .execute();
  for (const { vin, workspace_id: other } of shared) {
    await transaction
      .updateTable('enrichment_jobs')
      .set({ subject: workspaceSubject(other) })
      .where('vin', '=', vin)
      .execute();
  }
  await transaction.deleteFrom('enrichment_jobs').where('subject', '=', subject).execute();
}

/** People who belong to this workspace and no other, and do not administrate the service. */
async function ownPeople({ kysely }: Database, workspaceId: string): Promise<{ id: string; email: string }[]> {
  return kysely
    .selectFrom('auth_users')
    .innerJoin('workspace_members as own', 'own.user_id', 'auth_users.id')
    .leftJoin('workspace_members as other', (join) =>
      join.onRef('other.user_id', '=', 'auth_users.id').on('other.workspace_id', '<>', workspaceId),
    )
    .leftJoin('administrators', 'administrators.user_id', 'auth_users.id')
    .select(['auth_users.id', 'auth_users.email'])
    .where('own.workspace_id', '=', workspaceId)
    .where('other.user_id', 'is', null)
    .where('administrators.user_id', 'is', null)
    .execute();
}
