import type { Transaction } from 'kysely';

import type { Schema } from '../kernel/db/index.ts';

/**
 * Keeps other transactions that lock the same workspace waiting until this one is over: for what is counted before it is
 * added to. On SQLite every transaction is alone already.
 */
export async function lockWorkspace(transaction: Transaction<Schema>, workspaceId: string): Promise<void> {
  await transaction.selectFrom('workspaces').select('id').where('id', '=', workspaceId).forNoKeyUpdate().execute();
}
