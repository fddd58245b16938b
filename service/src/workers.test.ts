import { expect, test } from 'vitest';

import { freshDatabase } from './testing/databases.ts';
import { retention } from './workers.ts';

const DAYS_AGO_MS = 200 * 86_400_000;

test('no old data is removed while the clock is known to be wrong, and all of it once it is right', async () => {
  const fresh = await freshDatabase('sqlite');
  const database = await fresh.open();
  const old = { scope: 'w', idempotency_key: 'k', body_hash: 'h', outcome: '{}', expires_at: Date.now() - DAYS_AGO_MS };
  let fault: string | undefined = 'The clocks differ.';
  const { run } = retention(
    { decodeLogRetentionDays: 90 },
    { database, log: { info: () => undefined }, clockFault: () => fault },
  );
  await database.kysely.insertInto('idempotency').values(old).execute();
  const kept = async (): Promise<number> =>
    (await database.kysely.selectFrom('idempotency').selectAll().execute()).length;
  await expect(run()).rejects.toThrow('No old data is removed. The clocks differ.');
  expect(await kept()).toBe(1);
  fault = undefined;
  await run();
  expect(await kept()).toBe(0);
  await fresh.remove();
});
