import { csvLine, harmless } from '../kernel/csv/csv.ts';
import type { Database } from '../kernel/db/index.ts';
import type { NextTurn } from '../kernel/limits/loop-turns.ts';
import { type DecodeFilter, pagesOfDecodes } from '../metering/index.ts';
import { cellsOf, REPORT_COLUMNS } from '../report/index.ts';
import { depthOf, isBasic, project } from './depth.ts';
import { findKeys, type Plan } from '../workspaces/index.ts';

/** The account of the decodes, and the depth to which they are cut. */
interface Owner {
  subject: string;
  plan: Plan;
  workspaceId: string;
}

/**
 * Yields stored decodes as lines of CSV, newest first.
 *
 * @param turn waits for the turn of each page.
 */
export async function* exportDecodes(
  database: Database,
  { subject, plan, workspaceId }: Owner,
  wanted: DecodeFilter,
  turn: NextTurn,
): AsyncGenerator<string> {
  const depth = depthOf(plan);
  const columns = depth === 'full' ? REPORT_COLUMNS : REPORT_COLUMNS.filter(isBasic);
  // The byte-order mark makes spreadsheets read the file as UTF-8.
  yield `\uFEFF${csvLine(['id', 'decodedAt', 'key', 'outcome', 'vin', ...columns], ',')}`;
  for await (const decodes of pagesOfDecodes(database, subject, wanted, turn)) {
    const ids = decodes.map(({ keyId }) => keyId);
    const keys = await findKeys(database, workspaceId, ids);
    // PostgreSQL has answered in a turn of its own.
    await turn();
    const lines = decodes.map(({ id, createdAtMs, keyId, outcome, vin, report }) => {
      const own = [
        id,
        new Date(createdAtMs).toISOString(),
        harmless(keys.get(keyId)?.name ?? ''),
        outcome,
        harmless(vin),
      ];
      return csvLine([...own, ...cellsOf(project(depth, report), columns)], ',');
    });
    yield lines.join('');
  }
}
