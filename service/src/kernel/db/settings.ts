import type { Kysely } from 'kysely';

import type { Schema } from './schema.ts';

/**
 * The setting for the address that the service had at its last start. Commands beside it may lack its BASE_URL and
 * PORT.
 */
export const SERVICE_ADDRESS = 'service address';

/** The setting that is `yes` if the service had a mail server at its last start. Commands beside it may lack its SMTP_URL. */
export const SERVICE_SENDS_MAIL = 'service sends mail';

/** Returns a value that the service has stored under a name; undefined: none. */
export async function readSetting(kysely: Kysely<Schema>, name: string): Promise<string | undefined> {
  const row = await kysely.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** Stores a value under a name, in place of the one before. */
export async function writeSetting(kysely: Kysely<Schema>, name: string, value: string): Promise<void> {
  await kysely
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
