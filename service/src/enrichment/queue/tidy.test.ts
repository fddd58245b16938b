import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { freshDatabase } from '../../testing/databases.ts';
import { refuseManyRows } from '../../testing/many-rows.ts';
import { DEFAULT_BOUNDS } from '../bounds.ts';
import { tidy } from './ask.ts';

test('what is overdue or has expired goes some at a time, and a signal ends it between', async () => {
  const data = await freshDatabase('postgres');
  const database = await data.open();
  const { kysely } = database;
  const numbers = sql`generate_series(1, 1300) AS number`;
  await sql`INSERT INTO enrichment_jobs (vin, source, subject, public, created_at, deadline_at, run_at)
    SELECT 'VIN' || number, 'vpic', 'public', 0, 0, 1, 0 FROM ${numbers}`.execute(kysely);
  await sql`INSERT INTO enrichment_results (vin, settled_at, expires_at)
    SELECT 'OLD' || number, 0, 1 FROM ${numbers}`.execute(kysely);
  await sql`INSERT INTO enrichment_asks (subject, reset_at, asked) SELECT 's' || number, 1, 1 FROM ${numbers}`.execute(
    kysely,
  );
  await sql`INSERT INTO enrichment_lookups (id, source, outcome, took_ms, created_at)
    SELECT 'l' || number, 'vpic', 'nothing', 1, 0 FROM ${numbers}`.execute(kysely);
  const tables = ['enrichment_jobs', 'enrichment_results', 'enrichment_asks', 'enrichment_lookups'] as const;
  for (const table of tables) await refuseManyRows(database, table);
  const counts = async (): Promise<number[]> => {
    const count = (table: (typeof tables)[number]) =>
      kysely.selectFrom(table).select((row) => row.fn.countAll<number>().as('rows'));
    const rows = await Promise.all(tables.map((table) => count(table).executeTakeFirstOrThrow()));
    return rows.map((row) => row.rows);
  };

  const ended = tidy(database, Date.now(), DEFAULT_BOUNDS, AbortSignal.abort());
  await expect(ended).rejects.toThrow('aborted');
  expect(await counts()).toEqual([1300, 1300, 1300, 1300]);
  await tidy(database, Date.now());
  // Of each VIN that was waited for, it is known for some time that no source answered.
  expect(await counts()).toEqual([0, 1300, 0, 0]);
  await data.remove();
});
