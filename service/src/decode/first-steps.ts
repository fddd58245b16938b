import { DAY_MS } from '../kernel/clock.ts';
import { leastUuid7 } from '../kernel/db/uuid7.ts';
import type { Database } from '../kernel/db/index.ts';
import { COLUMNS, decodeOf, type StoredDecode } from '../metering/index.ts';
import { testSubject, workspaceSubject } from '../workspaces/index.ts';

/** The first steps of a new workspace that are done. */
interface FirstSteps {
  hasKey: boolean;
  /** The newest decode of the first day on which a key was used; undefined: none was. */
  call: StoredDecode | undefined;
  hasFile: boolean;
  hasWebhook: boolean;
}

/** Returns the first steps that a workspace has done. */
export async function firstSteps(database: Database, workspaceId: string): Promise<FirstSteps> {
  const { kysely } = database;
  const isThere = async (table: 'api_keys' | 'vin_files' | 'webhook_endpoints'): Promise<boolean> => {
    const row = kysely.selectFrom(table).select('id').where('workspace_id', '=', workspaceId).limit(1);
    return (await row.executeTakeFirst()) !== undefined;
  };
  const [hasKey, hasFile, hasWebhook, call] = await Promise.all([
    isThere('api_keys'),
    isThere('vin_files'),
    isThere('webhook_endpoints'),
    firstCall(database, workspaceId),
  ]);
  return { hasKey, call, hasFile, hasWebhook };
}

/** Returns true if every step is done. */
export function areDone({ hasKey, call, hasFile, hasWebhook }: FirstSteps): boolean {
  return hasKey && call !== undefined && (hasFile || hasWebhook);
}

/** Shows a workspace its first steps no longer. */
export async function endFirstSteps({ kysely }: Database, workspaceId: string, atMs: number): Promise<void> {
  await kysely
    .updateTable('workspaces')
    .set({ first_steps_ended_at: atMs })
    .where('id', '=', workspaceId)
    .where('first_steps_ended_at', 'is', null)
    .execute();
}

/**
 * Returns the first decode with a key. The ledger gives the day on which a key was used: among the decodes, those of
 * files may be many.
 */
async function firstCall({ kysely }: Database, workspaceId: string): Promise<StoredDecode | undefined> {
  const used = await kysely
    .selectFrom('usage_ledger')
    .select(['subject', 'key_id', 'day_start'])
    .where('subject', 'in', [workspaceSubject(workspaceId), testSubject(workspaceId)])
    .where('key_id', '<>', '')
    .orderBy('day_start')
    .limit(1)
    .executeTakeFirst();
  if (used === undefined) return undefined;
  const row = await kysely
    .selectFrom('decodes')
    .select(COLUMNS)
    .where('subject', '=', used.subject)
    .where('id', '>=', leastUuid7(used.day_start))
    .where('id', '<', leastUuid7(used.day_start + DAY_MS))
    .where('key_id', '=', used.key_id)
    .where('charged', '=', 1)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && decodeOf(row);
}
