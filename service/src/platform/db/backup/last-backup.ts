import type { Database } from '../open.ts';

const NAME = 'last-backup-ms';

/** Notes in the database that a backup of it was written. */
export async function noteBackup({ kysely }: Pick<Database, 'kysely'>, atMs: number): Promise<void> {
  const value = String(atMs);
  await kysely
    .insertInto('settings')
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** When `marque db backup` last wrote a backup; undefined: never. Other ways to back up a database leave no note. */
export async function lastBackupMs({ kysely }: Pick<Database, 'kysely'>): Promise<number | undefined> {
  const row = await kysely.selectFrom('settings').select('value').where('name', '=', NAME).executeTakeFirst();
  return row === undefined ? undefined : Number(row.value);
}
