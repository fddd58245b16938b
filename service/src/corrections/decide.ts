import { setImmediate as nextTurn } from 'node:timers/promises';

import { v7 } from 'uuid';

import { type Act, audited } from '../kernel/audit/index.ts';
import { claimOf, type ReportRow } from './rows.ts';
import type { CorrectionParts } from './parts.ts';
import { close, duplicatesOf, faultsInReason, record, type ReportToClose, settleIn, TO_CLOSE } from './settle.ts';
import type { AcceptOutcome, ProposedOverride, DecideOutcome, Decision, Override, Scope } from './types.ts';
import { faultsInFields, type NameOf, withoutVins } from './fields.ts';
import { reportsUnder } from './impact.ts';
import { maskVin } from '../kernel/mask-vin.ts';
import { faultsInScope } from './scope.ts';
import { agreesWith } from './suggest.ts';

/**
 * The number of queued reports that are checked for being resolved as well. SQLite commits them in one turn of the event
 * loop, each with up to 120 KB of long texts.
 */
const LOOKED_AT = 200;

/** Reports that are read and checked in one turn of the event loop: SQLite reads past their long texts. */
const READ_A_TURN = 50;

/** Returns the faults of a proposal, one sentence each. */
export function faultsInProposal({ scope, fields }: ProposedOverride, nameOf: NameOf): string[] {
  return [...faultsInScope(scope), ...faultsInFields(fields, nameOf)];
}

/** Returns the faults of a proposal for a report's VIN, if it covers that VIN. */
export function faultsForVin(
  deps: Pick<CorrectionParts, 'catalog' | 'live' | 'nameOf'>,
  proposal: ProposedOverride,
  vin: string | null,
): string[] {
  const reports = vin === null ? undefined : reportsUnder(deps, proposal)(vin);
  if (reports === undefined || reports.after.manufacturer !== undefined) return [];
  const make = deps.nameOf('manufacturer');
  return [`Set ${make}, too: this VIN has no make yet, and without a make no other field is answered.`];
}

/**
 * Accepts a report: creates an override, live on this instance when the promise resolves and on the others within two
 * seconds. Duplicates are accepted with it; queued reports that it also corrects are superseded.
 */
export async function accept(
  deps: CorrectionParts,
  id: string,
  proposed: ProposedOverride,
  decision: Decision,
): Promise<AcceptOutcome> {
  const proposal = { ...proposed, fields: withoutVins(proposed.fields) };
  const faults = [...faultsInProposal(proposal, deps.nameOf), ...faultsInReason(decision, 'optional')];
  if (faults.length > 0) return { kind: 'invalid', faults };
  return changeOverrides(deps, decision, (act) =>
    settleIn<AcceptOutcome>(act, id, 'queued', async (report) => {
      if (report.vin === null || reportsUnder(deps, proposal)(report.vin) === undefined) {
        return { kind: 'invalid', faults: ['The override does not cover the VIN of the report.'] };
      }
      const unfit = faultsForVin(deps, proposal, report.vin);
      if (unfit.length > 0) return { kind: 'invalid', faults: unfit };
      return { kind: 'accepted', override: await acceptIn(act, deps, report, proposal, decision) };
    }),
  );
}

/**
 * Performs an act that changes overrides: other instances are notified, and this one has the change before it answers.
 */
async function changeOverrides<Outcome>(
  deps: CorrectionParts,
  { by, recheck }: Decision,
  work: (act: Act) => Promise<Outcome>,
): Promise<Outcome> {
  const outcome = await audited({ ...deps, recheck }, by, work, 'corrections');
  await deps.live.refresh();
  return outcome;
}

async function acceptIn(
  act: Act,
  deps: CorrectionParts,
  report: ReportRow,
  proposal: ProposedOverride,
  decision: Decision,
): Promise<Override> {
  const { transaction, atMs: createdAtMs } = act;
  const override: Override = {
    ...proposal,
    id: v7({ msecs: createdAtMs }),
    reportId: report.id,
    createdAtMs,
    createdBy: decision.by,
    revertedAtMs: null,
    revertedBy: null,
  };
  const alike = await duplicatesOf(transaction, report);
  const seq = await record(act, report, 'accepted', decision, {
    override: override.id,
    ...proposal,
    scope: inAudit(proposal.scope),
    alike: alike.map(({ id }) => id),
  });
  await transaction
    .insertInto('overrides')
    .values({
      id: override.id,
      report_id: report.id,
      ...scopeColumns(proposal.scope),
      fields: JSON.stringify(proposal.fields),
      created_at: createdAtMs,
      created_by: decision.by,
      changed_seq: seq,
    })
    .execute();
  await close(act, deps, [report, ...alike], report.id, 'accepted', decision);
  await supersedeSettled(act, deps, report, proposal, decision);
  return override;
}

/** Closes queued reports that the override also corrects. */
async function supersedeSettled(
  act: Act,
  deps: CorrectionParts,
  accepted: ReportRow,
  proposal: ProposedOverride,
  decision: Decision,
): Promise<void> {
  const prefix = proposal.scope.kind === 'vin' ? proposal.scope.vin : proposal.scope.wmi.slice(0, 3);
  const reports = act.transaction.selectFrom('correction_reports');
  const queued = await reports
    .select('id')
    .where('state', '=', 'queued')
    .where('vin', '>=', prefix)
    .where('vin', '<', `${prefix}~`)
    .orderBy('id')
    .limit(LOOKED_AT)
    .execute();
  const reportsOf = reportsUnder(deps, proposal);
  const isSettled = ({ vin, claim }: ReportToClose): boolean => {
    const of = vin === null ? undefined : reportsOf(vin);
    return of !== undefined && !agreesWith(claimOf(claim), of.before) && agreesWith(claimOf(claim), of.after);
  };
  const why = { by: decision.by, reason: '' };
  const settled: ReportToClose[] = [];
  for (let from = 0; from < queued.length; from += READ_A_TURN) {
    const ids = queued.slice(from, from + READ_A_TURN).map(({ id }) => id);
    const rows = reports
      .select([...TO_CLOSE, 'claim'])
      .where('id', 'in', ids)
      .orderBy('id');
    for (const report of (await rows.execute()).filter(isSettled)) {
      settled.push(report);
      await record(act, report, 'superseded', why, { settledBy: accepted.id });
    }
    await nextTurn();
  }
  await close(act, deps, settled, accepted.id, 'superseded', why);
}

/** Returns the scope for the audit log, which is kept forever, so it contains no full VIN. */
function inAudit(scope: Scope): Scope {
  return scope.kind === 'vin' ? { kind: 'vin', vin: maskVin(scope.vin) } : scope;
}

function scopeColumns(scope: Scope) {
  if (scope.kind === 'vin') return { vin: scope.vin, wmi: null, pattern: null, year_from: null, year_to: null };
  const [from, to] = scope.years;
  return { vin: null, wmi: scope.wmi, pattern: scope.pattern, year_from: from, year_to: to };
}

/** Rejects a report and its duplicates. */
export async function reject(deps: CorrectionParts, id: string, decision: Decision): Promise<DecideOutcome> {
  const faults = faultsInReason(decision, 'required');
  if (faults.length > 0) return { kind: 'invalid', faults };
  return settle(deps, id, decision, async (act, report) => {
    const alike = await duplicatesOf(act.transaction, report);
    await record(act, report, 'rejected', decision, { alike: alike.map((row) => row.id) });
    await close(act, deps, [report, ...alike], report.id, 'rejected', decision);
  });
}

/** Closes a queued report because another one resolves it. `unknown`: one of the two reports does not exist. */
export async function supersede(
  deps: CorrectionParts,
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

/** Reverts an accepted report's override: answers are again as without it. */
export async function revert(deps: CorrectionParts, id: string, decision: Decision): Promise<DecideOutcome> {
  const faults = faultsInReason(decision, 'required');
  if (faults.length > 0) return { kind: 'invalid', faults };
  return changeOverrides(deps, decision, (act) =>
    settleIn<DecideOutcome>(act, id, 'accepted', async (report) => {
      await revertIn(act, deps, report, decision);
      return { kind: 'decided' };
    }),
  );
}

async function settle(
  deps: CorrectionParts,
  id: string,
  { by, recheck }: Decision,
  work: (act: Act, report: ReportRow) => Promise<void>,
): Promise<DecideOutcome> {
  return audited({ ...deps, recheck }, by, (act) =>
    settleIn<DecideOutcome>(act, id, 'queued', async (report) => {
      await work(act, report);
      return { kind: 'decided' };
    }),
  );
}

/** Reverts the override, and every report that was accepted with it. */
async function revertIn(act: Act, deps: CorrectionParts, report: ReportRow, decision: Decision): Promise<void> {
  const { transaction, atMs } = act;
  // Only one duplicate was decided; it owns the override.
  const decided = report.settled_by ?? report.id;
  const accepted = await transaction
    .selectFrom('correction_reports')
    .select([...TO_CLOSE, 'claim'])
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
