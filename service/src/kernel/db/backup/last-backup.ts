import type { Database } from '../open.ts';
import { readSetting, writeSetting } from '../settings.ts';

const NAME = 'last-backup-ms';

/** Notes in the database that a backup of it was written. */
export async function noteBackup({ kysely }: Pick<Database, 'kysely'>, atMs: number): Promise<void> {
  await writeSetting(kysely, NAME, String(atMs));
}

/** When `marque db backup` last wrote a backup; undefined: never. Other ways to back up a database leave no note. */
export async function lastBackupMs({ kysely }: Pick<Database, 'kysely'>): Promise<number | undefined> {
  const value = await readSetting(kysely, NAME);
  return value === undefined ? undefined : Number(value);
}
