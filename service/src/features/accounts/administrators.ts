import { type ActDeps, type Actor, audited } from '../../platform/audit/index.ts';
import type { Database } from '../../platform/db/index.ts';

/** Whether someone administrates the service. */
export async function isAdministrator({ kysely }: Pick<Database, 'kysely'>, userId: string): Promise<boolean> {
  const row = await kysely
    .selectFrom('administrators')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Makes someone an administrator. @returns whether they were none before. */
export async function makeAdministrator(
  deps: ActDeps,
  person: { id: string; email: string },
  actor: Actor,
): Promise<boolean> {
  return audited(deps, actor, async ({ transaction, atMs, tell }) => {
    const made = await transaction
      .insertInto('administrators')
      .values({ user_id: person.id, created_at: atMs })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (made.numInsertedOrUpdatedRows === 0n) return false;
    await tell({ action: 'administrator.created', subject: `person:${person.email}`, details: {} });
    return true;
  });
}
