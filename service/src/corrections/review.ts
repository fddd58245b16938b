import type { Decoder, VehicleReport } from '@marque/decoder';

import { listAudit } from '../kernel/audit/index.ts';
import type { Database } from '../kernel/db/index.ts';
import { storedReports } from '../metering/index.ts';
import { countDuplicates } from './list.ts';
import { type RecentDecode, recentDecodes } from './impact.ts';
import { detailOf, overrideOf, SUMMARY_COLUMNS, summaryOf } from './rows.ts';
import type { CorrectionParts } from './parts.ts';
import { alikeScope, fits, kindOf, positionsOf, withinYears } from './scope.ts';
import { diffOf, fieldsFor } from './suggest.ts';
import type { Override, PatternScope, ReportSummary, Review } from './types.ts';

const MOST_SIMILAR = 50;
const MOST_RECENT = 20;

/** Everything needed to decide on a report; undefined: the report does not exist. */
export async function review(deps: CorrectionParts, id: string): Promise<Review | undefined> {
  const { kysely } = deps.database;
  const row = await kysely.selectFrom('correction_reports').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) return undefined;
  const duplicates = await countDuplicates(deps.database, [id]);
  const report = detailOf(row, duplicates.get(id) ?? 0);
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
  const suggestedPattern = alikeScope(vin, deps.decoder.decode(vin).modelYear);
  const recent = await recentDecodes(deps.database);
  return {
    ...common,
    now,
    diff: diffOf(report.claim, { reported: report.actualReport, before: report.answered?.report, now: now.report }),
    suggestion: { scope: { kind: 'vin', vin }, fields: fieldsFor(report.claim, now.report) },
    suggestedPattern,
    patternCovers: recent.filter((decode) => covers(deps.decoder, suggestedPattern, decode.vin)).length,
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

async function similarTo(database: Database, id: string, vin: string): Promise<ReportSummary[]> {
  const prefix = kindOf(vin);
  const rows = await database.kysely
    .selectFrom('correction_reports')
    .select(SUMMARY_COLUMNS)
    // A range over all VINs with this prefix uses the index on both databases.
    .where('vin', '>=', prefix)
    .where('vin', '<', `${prefix}~`)
    .where('id', '<>', id)
    .orderBy('id', 'desc')
    .limit(MOST_SIMILAR)
    .execute();
  return rows.map((row) => summaryOf(row, 0));
}

/** Whether a pattern covers a VIN. Its year is decoded only if its positions fit. */
function covers(decoder: Decoder, scope: PatternScope, vin: string): boolean {
  const [from, to] = scope.years;
  return fits(positionsOf(scope), vin) && withinYears(from, to, decoder.decode(vin).modelYear);
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
