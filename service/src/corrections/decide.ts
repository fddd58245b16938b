import { type Act, audited } from '../kernel/audit/index.ts';
import type { AcceptDeps } from './accept.ts';
import type { ReportRow } from './rows.ts';
import { close, faultsInReason, record, duplicatesOf, type SettleDeps, settleIn } from './settle.ts';
import type { DecideOutcome, Decision } from './types.ts';

/** Rejects a report and its duplicates. */
export async function reject(deps: SettleDeps, id: string, decision: Decision): Promise<DecideOutcome> {
  const faults = faultsInReason(decision, 'required');
  if (faults.length > 0) return { kind: 'invalid', faults };
  return settle(deps, id, decision, async (act, report) => {
    const alike = await duplicatesOf(act.transaction, report);
    await record(act, report, 'rejected', decision, { alike: alike.map((row) => row.id) });
    await close(act, deps, [report, ...alike], report.id, 'rejected', decision);
  });
}

/** Closes a queued report because another one settles it. `unknown`: one of the two reports does not exist. */
export async function supersede(
  deps: SettleDeps,
  id: string,
  settledBy: string,
  decision: Decision,
): Promise<DecideOutcome> {
  const faults = faultsInReason(decision, 'optional');
  if (id === settledBy) faults.push('A report cannot settle itself.');
  if (faults.length > 0) return { kind: 'invalid', faults };
  const reports = deps.database.kysely.selectFrom('correction_reports');
  const other = await reports.select('id').where('id', '=', settledBy).executeTakeFirst();
  if (other === undefined) return { kind: 'unknown' };
  return settle(deps, id, decision, async (act, report) => {
    await record(act, report, 'superseded', decision, { settledBy });
    await close(act, deps, [report], settledBy, 'superseded', decision);
  });
}

/** Reverts an accepted report's override: answers are again what they were without it. */
export async function revert(
  deps: SettleDeps & Pick<AcceptDeps, 'live'>,
  id: string,
  decision: Decision,
): Promise<DecideOutcome> {
  const faults = faultsInReason(decision, 'required');
  if (faults.length > 0) return { kind: 'invalid', faults };
  const work = (act: Act) =>
    settleIn<DecideOutcome>(act, id, 'accepted', async (report) => {
      await revertIn(act, deps, report, decision);
      return { kind: 'decided' };
    });
  const outcome = await audited(deps, decision.by, work, 'corrections');
  await deps.live.refresh();
  return outcome;
}

async function settle(
  deps: SettleDeps,
  id: string,
  { by }: Decision,
  work: (act: Act, report: ReportRow) => Promise<void>,
): Promise<DecideOutcome> {
  return audited(deps, by, (act) =>
    settleIn<DecideOutcome>(act, id, 'queued', async (report) => {
      await work(act, report);
      return { kind: 'decided' };
    }),
  );
}

/** Reverts the override, and every report that was accepted with it. */
async function revertIn(act: Act, deps: SettleDeps, report: ReportRow, decision: Decision): Promise<void> {
  const { transaction, atMs } = act;
  // Only one duplicate was decided; it owns the override.
  const decided = report.settled_by ?? report.id;
  const accepted = await transaction
    .selectFrom('correction_reports')
    .selectAll()
    .where((where) => where.or([where('id', '=', decided), where('settled_by', '=', decided)]))
    .where('state', '=', 'accepted')
    .execute();
  const overrides = await transaction
    .selectFrom('overrides')
    .select('id')
    .where('report_id', '=', decided)
    .where('reverted_at', 'is', null)
    .execute();
  const ids = overrides.map(({ id }) => id);
  const seq = await record(act, { id: decided }, 'reverted', decision, { overrides: ids });
  for (const id of ids) {
    await transaction
      .updateTable('overrides')
      .set({ reverted_at: atMs, reverted_by: decision.by, changed_seq: seq })
      .where('id', '=', id)
      .execute();
  }
  await close(act, deps, accepted, decided, 'reverted', decision);
}
