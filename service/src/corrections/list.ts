import { type ExpressionBuilder, type Kysely, sql } from 'kysely';

import type { Database, Schema } from '../kernel/db/index.ts';
import { workspaceSubject } from '../workspaces/index.ts';
import { overrideOf, SUMMARY_COLUMNS, summaryOf } from './rows.ts';
import type { Override, Page, ReportQuery, ReportSummary } from './types.ts';

const DEFAULT_LIMIT = 50;
const MOST = 201;

/** Counts the queued reports, duplicates as one. */
export async function countQueued({ kysely }: Database): Promise<number> {
  const { count } = await kysely
    .selectFrom('correction_reports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'queued')
    .where('duplicate_of', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns a workspace's own reports with their states, newest first. */
export async function ownReports(
  { kysely }: Database,
  workspaceId: string,
  { limit, after, byTestKeys = false }: Page & { byTestKeys?: boolean } = {},
): Promise<ReportSummary[]> {
  let rows = kysely
    .selectFrom('correction_reports')
    .select(SUMMARY_COLUMNS)
    .where('subject', '=', workspaceSubject(workspaceId))
    .orderBy('id', 'desc')
    .limit(limitOf(limit));
  if (after !== undefined) rows = rows.where('id', '<', after);
  if (byTestKeys) {
    rows = rows.where('key_id', 'in', testKeys(kysely));
  }
  // The number of duplicates is not disclosed to reporters.
  const found = await rows.execute();
  const known = await testKeysOf(kysely, found);
  return found.map((row) => summaryOf(row, { duplicates: 0, testKeys: known }));
}

/** Returns the ids of test keys. */
export function testKeys(kysely: Kysely<Schema>) {
  return kysely.selectFrom('api_keys').select('id').where('prefix', 'like', 'mq_test_%');
}

/** Returns the ids of the test keys that sent some reports. */
export async function testKeysOf(
  kysely: Kysely<Schema>,
  reports: readonly { key_id: string | null }[],
): Promise<ReadonlySet<string>> {
  const ids = reports.flatMap(({ key_id: id }) => id ?? []);
  if (ids.length === 0) return new Set();
  const rows = await testKeys(kysely).where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

/** Overrides, newest first; by default only those in force. */
export async function listOverrides(
  { kysely }: Database,
  { limit, after, withReverted }: Page & { withReverted?: boolean } = {},
): Promise<Override[]> {
  let rows = kysely.selectFrom('overrides').selectAll().orderBy('id', 'desc').limit(limitOf(limit));
  if (after !== undefined) rows = rows.where('id', '<', after);
  if (withReverted !== true) rows = rows.where('reverted_at', 'is', null);
  return (await rows.execute()).map(overrideOf);
}

/** Returns the number of duplicates of each report, by its id. */
export async function countDuplicates(database: Database, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await database.kysely
    .selectFrom('correction_reports')
    .select(({ fn }) => ['duplicate_of', fn.countAll<number>().as('count')])
    .where('duplicate_of', 'in', ids)
    .groupBy('duplicate_of')
    .execute();
  return new Map(rows.map((row) => [row.duplicate_of ?? '', row.count]));
}

/** Reports for review, duplicates counted as one. Queued ones oldest first, others newest first. */
export async function listReports(database: Database, query: ReportQuery = {}): Promise<ReportSummary[]> {
  // The queue is processed oldest first; decided reports are read newest first.
  const isQueue = query.state === 'queued';
  let reports = database.kysely
    .selectFrom('correction_reports')
    .select(SUMMARY_COLUMNS)
    .where('duplicate_of', 'is', null)
    .orderBy('id', isQueue ? 'asc' : 'desc')
    .limit(limitOf(query.limit));
  if (query.state !== undefined) reports = reports.where('state', '=', query.state);
  if (query.after !== undefined) reports = reports.where('id', isQueue ? '>' : '<', query.after);
  if (query.fromMs !== undefined) reports = reports.where('created_at', '>=', query.fromMs);
  if (query.untilMs !== undefined) reports = reports.where('created_at', '<', query.untilMs);
  if (query.decidedBy !== undefined) {
    const text = query.decidedBy.toLowerCase().replaceAll(/[%\\]/g, '');
    reports = reports.where('decided_by', 'like', `%${text}%`);
  }
  if (query.reporter !== undefined) reports = reports.where(isFrom(query.reporter));
  if (query.vin !== undefined) {
    const letters = query.vin.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
    reports = reports.where('vin', 'like', `%${letters}%`);
  }
  const rows = await reports.execute();
  const duplicates = await countDuplicates(
    database,
    rows.map(({ id }) => id),
  );
  const known = await testKeysOf(database.kysely, rows);
  return rows.map((row) => summaryOf(row, { duplicates: duplicates.get(row.id) ?? 0, testKeys: known }));
}

/** Matches reports of workspaces with this text in their name, or of the public if the text says so. */
function isFrom(text: string) {
  // Names contain no other characters, so a text that does matches none.
  const part = text.toLowerCase().replaceAll(/[^a-z0-9-]/g, '!');
  return (where: ExpressionBuilder<Schema, 'correction_reports'>) => {
    const workspaces = where
      .selectFrom('workspaces')
      .select(sql<string>`'workspace:' || workspaces.id`.as('subject'))
      .where('slug', 'like', `%${part}%`);
    // Found in the index of reporters: SQLite would read past the long texts of every report.
    const found = where
      .selectFrom('correction_reports')
      .select('id')
      .where((own) => {
        const isTheirs = own('subject', 'in', workspaces);
        return part === 'public' ? own.or([isTheirs, own('subject', 'like', 'public:%')]) : isTheirs;
      });
    return where('id', 'in', found);
  };
}

function limitOf(wanted: number | undefined): number {
  return Math.min(Math.max(wanted ?? DEFAULT_LIMIT, 1), MOST);
}
