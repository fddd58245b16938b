import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { runMarque } from '../testing/run-marque.ts';
import { serviceOn } from '../testing/service.ts';
import { renewStatistics } from './statistics.ts';

const VIN = '1HGCM82633A004352';

test('an erased VIN is not left in the statistics of PostgreSQL', async () => {
  await using service = await serviceOn('postgres');
  const { kysely } = service.database;
  for (let index = 0; index < 5; index++) {
    await service.app.inject({ method: 'POST', url: '/api/decode', payload: { vin: VIN } });
  }
  await sql`ANALYZE`.execute(kysely);
  const samples = async () => {
    const { rows } = await sql<{ text: string }>`
      SELECT concat(most_common_vals::text, histogram_bounds::text) AS text FROM pg_stats
      WHERE schemaname = current_schema()`.execute(kysely);
    return rows.map(({ text }) => text).join('\n');
  };
  expect(await samples()).toContain(VIN);
  expect(await runMarque(`privacy erase --vin ${VIN} --yes`, service.env)).toMatchObject({ status: 0 });
  expect(await samples()).not.toContain(VIN);
});

test('an erasure by a role that does not own the tables says that the statistics are left', async () => {
  await using service = await serviceOn('postgres');
  const { database } = service;
  if (database.engine !== 'postgres') throw new Error('It is of PostgreSQL.');
  const { kysely } = database;
  const role = `other_${randomUUID().replaceAll('-', '')}`;
  await sql`CREATE ROLE ${sql.id(role)}`.execute(kysely);
  try {
    const note = await kysely.connection().execute(async (connection) => {
      await sql`SET ROLE ${sql.id(role)}`.execute(connection);
      try {
        return await renewStatistics({ ...database, longTimeout: { ...database.longTimeout, kysely: connection } });
      } finally {
        await sql`RESET ROLE`.execute(connection);
      }
    });
    expect(note).toContain('run ANALYZE as this role');
  } finally {
    await sql`DROP ROLE ${sql.id(role)}`.execute(kysely);
  }
});
