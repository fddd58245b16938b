import { type Decoder, readVin, type VehicleReport } from '@marque/decoder';
import type { Transaction } from 'kysely';
import { v7 } from 'uuid';

import { withoutVins } from './fields.ts';
import { accept, faultsForVin, faultsInProposal, reject, revert, supersede } from './decide.ts';
import { correctedDecoder } from './corrected-decoder.ts';
import { correctedSince, impactOf, type Labeled, type RecentDecode, recentDecodes } from './impact.ts';
import { labeledVins, readLabeledVins } from './labeled.ts';
import { countDuplicates, countQueued, listOverrides, listReports, ownReports, testKeysOf } from './list.ts';
import { queueFullFor } from './most-queued.ts';
import type { CorrectionParts } from './parts.ts';
import { contestedIn, diffOf, fieldsFor } from './suggest.ts';
import type {
  ProposedOverride,
  Claim,
  Contested,
  Decision,
  Impact,
  Invalid,
  Override,
  Page,
  QueueFull,
  Reporter,
  ReportQuery,
  ReportSummary,
  Review,
  Submission,
} from './types.ts';
import { type Actor, audited, listAudit } from '../kernel/audit/index.ts';
import { storedReports, storeOutcome } from '../metering/index.ts';
import { workspaceSubject } from '../workspaces/index.ts';
import { claimHash, detailOf, overrideOf, SUMMARY_COLUMNS, summaryOf } from './rows.ts';
import type { Database, Schema } from '../kernel/db/index.ts';
import { maskPart, maskPartIn, maskVinsInValue } from '../kernel/mask-vin.ts';
import { trialOf } from './override-index.ts';
import { alikeScope, kindOf } from './scope.ts';

/**
 * Reports of wrong decodes and the decisions on them: for the API, the pages and the command line. Every decision is
 * recorded in the audit log, in the same transaction. Independent of HTTP.
 */
export type Corrections = ReturnType<typeof openCorrections>;

/** Corrections on a database. */
export function openCorrections(options: Omit<CorrectionParts, 'corrected'>) {
  const { database } = options;
  const deps = { ...options, corrected: correctedDecoder(options.catalog, options.live.current) };
  return {
    submit: (submission: Submission) => submit(deps, submission),
    hasClaim: (id: string, sent: Claim) => hasClaim(database, id, sent),
    list: (query?: ReportQuery) => listReports(database, query),
    countQueued: () => countQueued(database),
    ownReports: (workspaceId: string, page?: Page & { byTestKeys?: boolean }) =>
      ownReports(database, workspaceId, page),
    contested: (claim: Claim) => contested(deps.corrected, claim),
    overrides: (query?: Parameters<typeof listOverrides>[1]) => listOverrides(database, query),
    correctedSince: (stored: VehicleReport) => correctedSince(deps, stored),
    review: (id: string) => review(deps, id),
    /** Read once, for several previews. */
    labelled: () => readLabeledVins(deps.labeledFolder),
    preview: (proposal: ProposedOverride, reportId?: string, labelled?: Labeled) =>
      preview({ ...deps, labelled: labelled ?? labeledVins(deps.labeledFolder) }, proposal, reportId),
    accept: (id: string, proposal: ProposedOverride, decision: Decision) => accept(deps, id, proposal, decision),
    reject: (id: string, decision: Decision) => reject(deps, id, decision),
    supersede: (id: string, settledBy: string, decision: Decision) => supersede(deps, id, settledBy, decision),
    revert: (id: string, decision: Decision) => revert(deps, id, decision),
  };
}

/** Decodes a claim's VIN, and lists the fields that the claim disputes; undefined if the VIN is malformed. */
function contested(corrected: Decoder, claim: Claim): { now: VehicleReport; fields: Contested[] } | undefined {
  const form = readVin(claim.vin);
  if (form.kind === 'malformed') return undefined;
  const now = corrected.decode(form.vin);
  return { now, fields: contestedIn(claim, now) };
}

/** Computes the effect of a proposal on labeled VINs, recent decodes and the VIN of a report. Changes nothing. */
async function preview(
  deps: CorrectionParts & { labelled: Labeled },
  proposed: ProposedOverride,
  reportId: string | undefined,
): Promise<{ kind: 'impact'; impact: Impact } | Invalid> {
  const proposal = { ...proposed, fields: withoutVins(proposed.fields) };
  const faults = faultsInProposal(proposal, deps.nameOf);
  if (faults.length > 0) return { kind: 'invalid', faults };
  const reports = deps.database.kysely.selectFrom('correction_reports').select('vin');
  const reported = reportId === undefined ? undefined : await reports.where('id', '=', reportId).executeTakeFirst();
  const unfit = faultsForVin(deps, proposal, reported?.vin ?? null);
  if (unfit.length > 0) return { kind: 'invalid', faults: unfit };
  return { kind: 'impact', impact: await impactOf(deps, proposal, reported?.vin ?? undefined) };
}

/**
 * Stores a report with the current answer. `conflict`: its idempotency key has just been used. `full`: the
 * reporter, or everyone together, already has too many reports queued.
 */
async function submit(
  deps: CorrectionParts,
  { reporter, source, claim: sent, actualReport, notifyEmail, idempotency }: Submission,
): Promise<{ kind: 'saved'; id: string } | { kind: 'conflict' } | QueueFull> {
  const form = readVin(sent.vin);
  const vin = form.kind === 'vin' ? form.vin : null;
  const claim = storedClaim(sent);
  const answered = vin === null ? null : JSON.stringify(deps.corrected.explain(vin));
  const hash = claimHash(vin ?? undefined, claim);
  const subject = subjectFor(reporter);
  return audited(deps, subject, async ({ transaction, atMs, appendEntry }) => {
    const id = v7({ msecs: atMs });
    const full = await queueFullFor(transaction, reporter, subject);
    if (full !== undefined) return full;
    if (idempotency !== undefined) {
      const isFirst = await storeOutcome(transaction, idempotency.scope, idempotency.recordOf(id));
      if (!isFirst) return { kind: 'conflict' };
    }
    const first = await firstEqual(transaction, hash);
    await transaction
      .insertInto('correction_reports')
      .values({
        id,
        vin,
        claim: JSON.stringify(claim),
        claim_hash: hash,
        // That of a VIN that cannot be read may have its serial number in any field; a duplicate is decided with the first.
        actual_report:
          actualReport === null || vin === null || first !== undefined ? null : JSON.stringify(actualReport),
        answered: first === undefined ? answered : null,
        source,
        subject,
        key_id: reporter.kind === 'workspace' ? reporter.keyId : null,
        notify_email: notifyEmail ?? null,
        duplicate_of: first?.id ?? null,
        state: 'queued',
        created_at: atMs,
      })
      .execute();
    const details = { source, duplicateOf: first?.id ?? null };
    await appendEntry({ action: 'report.queued', subject: `report:${id}`, details });
    return { kind: 'saved', id };
  });
}

/** Returns the first undecided report with a claim. Acts are serialized, so of two at once the second sees the first. */
async function firstEqual(transaction: Transaction<Schema>, claimed: string): Promise<{ id: string } | undefined> {
  return transaction
    .selectFrom('correction_reports')
    .select('id')
    .where('claim_hash', '=', claimed)
    .where('state', '=', 'queued')
    .where('duplicate_of', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** Returns the text by which a repeated report is known: that of a VIN that cannot be read has no serial number. */
export function textOfReport({ claim, actualReport }: Pick<Submission, 'claim' | 'actualReport'>): string {
  const isRead = readVin(claim.vin).kind === 'vin';
  return JSON.stringify(isRead ? { claim, actualReport } : { claim: storedClaim(claim) });
}

/** Returns true if a report has a claim, as far as it is stored. */
async function hasClaim({ kysely }: Database, id: string, sent: Claim): Promise<boolean> {
  const report = kysely.selectFrom('correction_reports').select('claim').where('id', '=', id);
  return (await report.executeTakeFirst())?.claim === JSON.stringify(storedClaim(sent));
}

/**
 * Returns a claim, without the serial number of a VIN that cannot be read: no erasure by VIN would find it. Nor do
 * expected values name a VIN: accepted ones become answers about other vehicles.
 */
function storedClaim(claim: Claim): Claim {
  if (readVin(claim.vin).kind === 'vin') {
    const { vin, note, ...expected } = claim;
    const named: Omit<Claim, 'vin' | 'note'> = JSON.parse(JSON.stringify(expected), (_name, value: unknown) =>
      typeof value === 'string' ? maskVinsInValue(value) : value,
    );
    return { vin, ...named, note };
  }
  const masked: Claim = JSON.parse(JSON.stringify(claim), (_name, value: unknown) =>
    typeof value === 'string' ? maskPartIn(value, claim.vin) : value,
  );
  return { ...masked, vin: maskPart(claim.vin) };
}

function subjectFor(reporter: Reporter): Actor {
  return reporter.kind === 'workspace' ? workspaceSubject(reporter.workspaceId) : `public:${reporter.clientId}`;
}

const MOST_SIMILAR = 50;
const MOST_RECENT = 20;

/** Returns everything needed to decide on a report; undefined: the report does not exist. */
async function review(deps: CorrectionParts, id: string): Promise<Review | undefined> {
  const { kysely } = deps.database;
  const row = await kysely.selectFrom('correction_reports').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) return undefined;
  const duplicates = await countDuplicates(deps.database, [id]);
  const report = detailOf(row, {
    duplicates: duplicates.get(id) ?? 0,
    testKeys: await testKeysOf(kysely, [row]),
  });
  const common = {
    report,
    overrides: await overridesFrom(deps.database, row.settled_by ?? id),
    history: await listAudit(deps.database, { subject: `report:${id}` }),
  };
  if (row.vin === null) {
    const diff = diffOf(report.claim, { reported: report.actualReport, before: undefined, now: undefined });
    return {
      ...common,
      now: null,
      diff,
      suggestion: null,
      suggestedPattern: null,
      patternCovers: 0,
      similar: [],
      recent: [],
    };
  }
  const { vin } = row;
  const now = deps.corrected.explain(vin);
  const suggestedPattern = alikeScope(vin, deps.catalog.decoder.decode(vin).modelYear);
  const trial = trialOf({ scope: suggestedPattern, fields: {} });
  const isCovered = (decoded: string): boolean =>
    trial.mayCover(decoded) && trial.covering(decoded, deps.catalog.decoder.decode(decoded).modelYear).length > 0;
  const recent = await recentDecodes(deps.database);
  return {
    ...common,
    now,
    diff: diffOf(report.claim, { reported: report.actualReport, before: report.answered?.report, now: now.report }),
    suggestion: { scope: { kind: 'vin', vin }, fields: fieldsFor(report.claim, now.report) },
    suggestedPattern,
    patternCovers: recent.filter(({ vin: decoded }) => isCovered(decoded)).length,
    similar: await similarTo(deps.database, id, vin),
    recent: await recentAlike(deps.database, vin, recent),
  };
}

async function overridesFrom(database: Database, reportId: string): Promise<Override[]> {
  const rows = await database.kysely
    .selectFrom('overrides')
    .selectAll()
    .where('report_id', '=', reportId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(overrideOf);
}

async function similarTo({ kysely }: Database, id: string, vin: string): Promise<ReportSummary[]> {
  const prefix = kindOf(vin);
  const rows = await kysely
    .selectFrom('correction_reports')
    .select(SUMMARY_COLUMNS)
    // Found in the index alone: SQLite would read past the long texts of all of them to sort them.
    .where('id', 'in', (where) =>
      where
        .selectFrom('correction_reports')
        .select('id')
        // A range over all VINs with this prefix uses the index on both databases.
        .where('vin', '>=', prefix)
        .where('vin', '<', `${prefix}~`)
        .where('id', '<>', id)
        .orderBy('id', 'desc')
        .limit(MOST_SIMILAR),
    )
    .orderBy('id', 'desc')
    .execute();
  const known = await testKeysOf(kysely, rows);
  return rows.map((row) => summaryOf(row, { duplicates: 0, testKeys: known }));
}

async function recentAlike(
  database: Database,
  vin: string,
  recent: readonly RecentDecode[],
): Promise<Review['recent']> {
  const prefix = kindOf(vin);
  const shown = recent.filter((decode) => decode.vin.startsWith(prefix)).slice(0, MOST_RECENT);
  const reports = await storedReports(
    database,
    shown.map(({ id }) => id),
  );
  return shown.flatMap((decode) => {
    const json = reports.get(decode.id);
    if (json === undefined || json === '') return [];
    const report: VehicleReport = JSON.parse(json);
    return [{ ...decode, report }];
  });
}
