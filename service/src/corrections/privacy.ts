import type { Transaction } from 'kysely';

import { DAY_MS } from '../kernel/clock.ts';
import { inBatches } from '../kernel/db/batches.ts';
import { change } from '../kernel/db/changes.ts';
import type { Database, Schema } from '../kernel/db/index.ts';
import { type Act, type ActDeps, type Actor, audited } from '../kernel/audit/index.ts';
import { deleteMessages } from '../kernel/mail/index.ts';
import { maskVin, maskVinIn, maskVinInJson } from '../kernel/mask-vin.ts';
import { type Erasure, FOLLOWED_MS, parsed, type PrivacySubject, type SlicePrivacy } from '../kernel/privacy.ts';
import { workspaceSubject } from '../workspaces/index.ts';
import { claimHash, claimOf } from './rows.ts';

export const privacy: SlicePrivacy = {
  records: async function* records({ kysely }, subject) {
    const { column, value } = reportsOf(subject);
    const reports = kysely.selectFrom('correction_reports').selectAll().where(column, '=', value).orderBy('id');
    for (const { claim_hash: _hash, claim, actual_report, answered, ...row } of await reports.execute()) {
      yield {
        kind: 'report',
        ...row,
        claim: parsed(claim),
        actual_report: parsed(actual_report),
        answered: parsed(answered),
      };
    }
    if (subject.kind === 'workspace') return;
    const overrides = kysely.selectFrom('overrides').selectAll().where('vin', '=', subject.vin);
    for (const row of await overrides.execute()) yield { kind: 'override', ...row };
  },
  erasure: async (deps, subject) => {
    if (subject.kind === 'vin') return vinErasure(deps, subject.vin);
    const which = reportsOf(subject);
    return {
      mask: async () => ({ reports: await eraseInBatches(deps, which) }),
      // Those that came meanwhile.
      erase: async (act) => ({ reports: (await eraseReports(act, which, deps.actor)).length }),
    };
  },
};

/** Reports that are erased in one transaction, and whose notes are read in one turn: each has tens of kilobytes. */
const ERASED_AT_ONCE = 200;
const NOTES_A_TURN = 50;

/**
 * Drops the long texts of reports that were decided more days ago than these. Each decided report is looked at once, a
 * page in a turn: nothing but the texts tells whether they were dropped.
 *
 * @returns the number of reports.
 */
export async function dropOldTexts({ kysely }: Database, nowMs: number, retentionDays: number): Promise<number> {
  let dropped = 0;
  let after = { decided_at: 0, id: '' };
  await inBatches(async () => {
    const old = await kysely
      .selectFrom('correction_reports')
      .select(['id', 'decided_at'])
      .select((where) =>
        where.or([where('actual_report', 'is not', null), where('answered', 'is not', null)]).as('has_texts'),
      )
      .where('decided_at', '>=', after.decided_at)
      .where('decided_at', '<', nowMs - retentionDays * DAY_MS)
      .where((where) => where.or([where('decided_at', '>', after.decided_at), where('id', '>', after.id)]))
      .orderBy('decided_at')
      .orderBy('id')
      .limit(NOTES_A_TURN)
      .execute();
    const ids = old.filter(({ has_texts: hasTexts }) => Boolean(hasTexts)).map(({ id }) => id);
    const reports = kysely.updateTable('correction_reports').set({ actual_report: null, answered: null });
    if (ids.length > 0) await reports.where('id', 'in', ids).execute();
    dropped += ids.length;
    const last = old.at(-1);
    if (last !== undefined) after = { decided_at: last.decided_at ?? 0, id: last.id };
    return old.length;
  });
  return dropped;
}

/** Whose reports. */
interface WhichReports {
  column: 'vin' | 'subject';
  value: string;
}

function reportsOf(subject: PrivacySubject): WhichReports {
  return subject.kind === 'vin'
    ? { column: 'vin', value: subject.vin }
    : { column: 'subject', value: workspaceSubject(subject.id) };
}

function vinErasure(deps: ActDeps & { actor: Actor }, vin: string): Erasure {
  const { actor } = deps;
  return {
    // Instances take an override back by its VIN: it stays until they have.
    withdraw: async () => {
      const masked = await maskInOverrides(deps, vin);
      const overrides = await audited(deps, actor, (act) => revertOverrides(act, actor, vin), 'corrections');
      return { erased: { overrides, notes: masked }, settledInMs: overrides + masked > 0 ? FOLLOWED_MS : 0 };
    },
    mask: async () => ({
      notes: await maskInReports(deps, vin),
      reports: await eraseInBatches(deps, { column: 'vin', value: vin }),
    }),
    erase: async (act) => {
      const { transaction } = act;
      const reports = (await eraseReports(act, { column: 'vin', value: vin }, actor)).length;
      await transaction
        .updateTable('overrides')
        .set({ vin: maskVin(vin), fields: '{}' })
        .where('vin', '=', vin)
        .execute();
      return { reports, messages: await deleteMessages(transaction, [vin]) };
    },
  };
}

/** Masks a VIN in the texts of overrides of other VINs, which instances then read anew. @returns in how many. */
async function maskInOverrides({ database }: ActDeps, vin: string): Promise<number> {
  const masked: { id: string; fields: string }[] = [];
  let after = '';
  await inBatches(async () => {
    const rows = database.kysely.selectFrom('overrides').select(['id', 'vin', 'fields']).where('id', '>', after);
    const page = await rows.orderBy('id').limit(ERASED_AT_ONCE).execute();
    for (const { id, vin: of, fields: stored } of page) {
      const fields = of === vin ? stored : maskVinInJson(stored, vin);
      if (fields !== stored) masked.push({ id, fields });
    }
    after = page.at(-1)?.id ?? after;
    return page.length;
  });
  if (masked.length === 0) return 0;
  await change(database, 'masked corrections', async (transaction) => {
    for (const { id, fields } of masked) {
      await transaction.updateTable('overrides').set({ fields }).where('id', '=', id).execute();
    }
  });
  return masked.length;
}

/** Masks a VIN in what people wrote in reports of other VINs. @returns in how many. */
async function maskInReports({ database }: ActDeps, vin: string): Promise<number> {
  const { kysely } = database;
  let changed = 0;
  let after = '';
  await inBatches(async () => {
    const rows = await kysely
      .selectFrom('correction_reports')
      .select(['id', 'vin', 'claim', 'claim_hash', 'actual_report', 'reason'])
      .where((where) => where.or([where('vin', 'is', null), where('vin', '!=', vin)]))
      .where('id', '>', after)
      .orderBy('id')
      .limit(NOTES_A_TURN)
      .execute();
    after = rows.at(-1)?.id ?? after;
    const masked = rows.flatMap(({ id, vin: of, ...stored }) => {
      const claim = maskVinInJson(stored.claim, vin);
      const actual_report = stored.actual_report && maskVinInJson(stored.actual_report, vin);
      const reason = stored.reason && maskVinIn(stored.reason, vin);
      if (claim === stored.claim && actual_report === stored.actual_report && reason === stored.reason) return [];
      // The VIN could be found from the hash of what had it.
      const claim_hash = claim === stored.claim ? stored.claim_hash : claimHash(of ?? undefined, claimOf(claim));
      return [{ id, set: { claim, claim_hash, actual_report, reason } }];
    });
    for (const { id, set } of masked) {
      await kysely.updateTable('correction_reports').set(set).where('id', '=', id).execute();
    }
    changed += masked.length;
    return rows.length;
  });
  return changed;
}

/** Erases reports some at a time: others' charges wait while they are changed. @returns their number. */
async function eraseInBatches({ database, clock, actor }: ActDeps & { actor: Actor }, which: WhichReports) {
  let after = '';
  return inBatches(async () => {
    const atMs = clock();
    const erased = await database.kysely
      .transaction()
      .execute((transaction) => eraseReports({ transaction, atMs }, which, actor, { after, limit: ERASED_AT_ONCE }));
    after = erased.at(-1) ?? after;
    return erased.length;
  });
}

/** Reverts the overrides of one VIN. Those of a pattern do not concern one vehicle. */
async function revertOverrides({ transaction, atMs, appendEntry }: Act, actor: Actor, vin: string): Promise<number> {
  const rows = await transaction
    .selectFrom('overrides')
    .select(['id', 'report_id'])
    .where('vin', '=', vin)
    .where('reverted_at', 'is', null)
    .execute();
  for (const { id, report_id } of rows) {
    const details = { reason: 'Erased.', overrides: [id] };
    const seq = await appendEntry({ action: 'report.reverted', subject: `report:${report_id}`, details });
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

/**
 * Removes the texts that people wrote from reports, with the reasons of decisions, and the VIN. Decided reports stay decided; queued ones are closed,
 * since no one could review them any more.
 *
 * @param some by default all.
 * @returns their ids.
 */
async function eraseReports(
  { transaction, atMs }: Pick<Act, 'transaction' | 'atMs'>,
  which: WhichReports,
  by: Actor,
  some?: { after: string; limit: number },
): Promise<string[]> {
  const all = transaction
    .selectFrom('correction_reports')
    .select(['id', 'vin', 'state'])
    .where(which.column, '=', which.value)
    .where('claim_hash', 'not like', 'erased:%')
    .orderBy('id');
  const rows = await (some === undefined ? all : all.where('id', '>', some.after).limit(some.limit)).execute();
  for (const { id, vin, state } of rows) {
    if (state === 'queued') await putNextFirst(transaction, id);
    const blank = { expectedManufacturer: '', expectedModel: '', expectedBodyStyle: '', expectedModelYear: '' };
    const claim = { vin: vin === null ? '' : maskVin(vin), ...blank, note: '' };
    await transaction
      .updateTable('correction_reports')
      .set({
        vin: null,
        claim: JSON.stringify(claim),
        claim_hash: `erased:${id}`,
        actual_report: null,
        answered: null,
        notify_email: null,
        ...(state === 'queued'
          ? { state: 'rejected' as const, decided_at: atMs, decided_by: by, reason: 'Erased.' }
          : { reason: '' }),
      })
      .where('id', '=', id)
      .execute();
  }
  return rows.map(({ id }) => id);
}

/** Lets the next of the equal reports be the one that is reviewed, in place of the first. */
async function putNextFirst(transaction: Transaction<Schema>, first: string): Promise<void> {
  const equal = transaction.selectFrom('correction_reports').where('duplicate_of', '=', first);
  const next = await equal.select('id').where('state', '=', 'queued').orderBy('id').limit(1).executeTakeFirst();
  if (next === undefined) return;
  const reports = transaction.updateTable('correction_reports');
  await reports
    .set((row) => ({
      duplicate_of: null,
      answered: row.selectFrom('correction_reports as was').select('was.answered').where('was.id', '=', first),
    }))
    .where('id', '=', next.id)
    .execute();
  await reports
    .set({ duplicate_of: next.id })
    .where('duplicate_of', '=', first)
    .where('state', '=', 'queued')
    .execute();
}
