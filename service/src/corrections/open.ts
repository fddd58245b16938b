import { type Decoder, readVin, type VehicleReport } from '@marque/decoder';

import { accept, faultsForVin, faultsInCandidate, reject, revert, supersede } from './decide.ts';
import { correctedDecoder } from './corrected-decoder.ts';
import { correctedSince, impactOf, type Labelled } from './impact.ts';
import { labelledVins, readLabelledVins } from './labelled.ts';
import { countQueued, listOverrides, listReports, ownReports } from './list.ts';
import type { CorrectionParts } from './parts.ts';
import { review } from './review.ts';
import { submit } from './submit.ts';
import { contestedIn } from './suggest.ts';
import type { Candidate, Claim, Contested, Decision, Impact, Invalid, Page, ReportQuery, Submission } from './types.ts';

/**
 * Reports of wrong decodes and the decisions on them: for the API, the pages and the command line. Every decision is
 * recorded in the audit log, in the same transaction. Independent of HTTP.
 */
export type Corrections = ReturnType<typeof openCorrections>;

/** Corrections on a database. */
export function openCorrections(options: Omit<CorrectionParts, 'corrected'>) {
  const { database } = options;
  const deps = { ...options, corrected: correctedDecoder(options.decoder, options.live.current) };
  return {
    submit: (submission: Submission) => submit(deps, submission),
    list: (query?: ReportQuery) => listReports(database, query),
    countQueued: () => countQueued(database),
    ownReports: (workspaceId: string, page?: Page) => ownReports(database, workspaceId, page),
    contested: (claim: Claim) => contested(deps.corrected, claim),
    overrides: (query?: Parameters<typeof listOverrides>[1]) => listOverrides(database, query),
    correctedSince: (stored: VehicleReport) => correctedSince(deps, stored),
    review: (id: string) => review(deps, id),
    /** Read once, for several previews. */
    labelled: () => readLabelledVins(deps.labelledFolder),
    preview: (candidate: Candidate, reportId?: string, labelled?: Labelled) =>
      preview({ ...deps, labelled: labelled ?? labelledVins(deps.labelledFolder) }, candidate, reportId),
    accept: (id: string, candidate: Candidate, decision: Decision) => accept(deps, id, candidate, decision),
    reject: (id: string, decision: Decision) => reject(deps, id, decision),
    supersede: (id: string, settledBy: string, decision: Decision) => supersede(deps, id, settledBy, decision),
    revert: (id: string, decision: Decision) => revert(deps, id, decision),
  };
}

/** What a claim's VIN decodes to now, and which fields the claim disputes; undefined if the VIN is malformed. */
function contested(corrected: Decoder, claim: Claim): { now: VehicleReport; fields: Contested[] } | undefined {
  const form = readVin(claim.vin);
  if (form.kind === 'malformed') return undefined;
  const now = corrected.decode(form.vin);
  return { now, fields: contestedIn(claim, now) };
}

/** What a candidate would change for labeled VINs, recent decodes and the VIN of a report. Changes nothing. */
async function preview(
  deps: CorrectionParts & { labelled: Labelled },
  candidate: Candidate,
  reportId: string | undefined,
): Promise<{ kind: 'impact'; impact: Impact } | Invalid> {
  const faults = faultsInCandidate(candidate, deps.nameOf);
  if (faults.length > 0) return { kind: 'invalid', faults };
  const reports = deps.database.kysely.selectFrom('correction_reports').select('vin');
  const reported = reportId === undefined ? undefined : await reports.where('id', '=', reportId).executeTakeFirst();
  const unfit = faultsForVin(deps, candidate, reported?.vin ?? null);
  if (unfit.length > 0) return { kind: 'invalid', faults: unfit };
  return { kind: 'impact', impact: await impactOf(deps, candidate, reported?.vin ?? undefined) };
}
