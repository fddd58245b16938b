import { randomBytes } from 'node:crypto';

import type { Database } from '../kernel/db/index.ts';

const NAME = 'auth-secret';

/** Returns the secret that signs cookies and encrypts second factors: created once, the same for all instances. */
export async function authSecret({ kysely }: Pick<Database, 'kysely'>): Promise<string> {
  const known = kysely.selectFrom('settings').select('value').where('name', '=', NAME);
  const found = await known.executeTakeFirst();
  if (found !== undefined) return found.value;
  await kysely
    .insertInto('settings')
    .values({ name: NAME, value: randomBytes(32).toString('hex') })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Another instance may have stored one first: that one counts.
  return (await known.executeTakeFirstOrThrow()).value;
}
