import { join } from 'node:path';

import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, test } from 'vitest';

import { freshDatabase } from '../../../testing/databases.ts';
import { WITH_LATER } from '../../../testing/later-migration.ts';
import { until } from '../../../testing/until.ts';
import { createWorkspace } from '../../../workspaces/index.ts';
import { systemClock } from '../../clock.ts';
import { backupDatabase, restoreDatabase } from '../index.ts';
import { openPostgres } from '../postgres.ts';
import { openSqlite } from '../sqlite.ts';

test('a backup beside which a newer program migrates restores, with the columns of its version', async () => {
  const [source, target] = [await freshDatabase('postgres'), await freshDatabase('postgres')];
  const database = await source.open();
  await createWorkspace({ database, clock: systemClock }, { slug: 'acme', plan: 'free' }, 'cli:test');
  const file = join(source.location.dataDir, 'backup.gz');
  const reader = new Client({ connectionString: source.location.databaseUrl ?? '' });
  await reader.connect();
  // The backup has begun, and waits for a table that comes before the one that changes.
  await reader.query('BEGIN; LOCK TABLE decodes');
  const written = backupDatabase(database, file, systemClock());
  await until(async () => {
    const waiting = sql`SELECT FROM pg_locks WHERE relation = 'decodes'::regclass AND NOT granted`;
    return (await waiting.execute(database.kysely)).rows.length > 0;
  });
  await (await openPostgres(source.location.databaseUrl ?? '', WITH_LATER)).close();
  await reader.query('COMMIT');
  await reader.end();
  await written;
  await restoreDatabase(target.location, file, WITH_LATER);
  const restored = await openPostgres(target.location.databaseUrl ?? '', WITH_LATER);
  const { rows } = await sql`SELECT slug, later_text FROM workspaces`.execute(restored.kysely);
  expect(rows).toEqual([{ slug: 'acme', later_text: null }]);
  await restored.close();
  await source.remove();
  await target.remove();
});

test('a backup of SQLite beside which a newer program migrates restores, too', async () => {
  const [source, target] = [await freshDatabase('sqlite'), await freshDatabase('sqlite')];
  const database = await source.open();
  await createWorkspace({ database, clock: systemClock }, { slug: 'acme', plan: 'free' }, 'cli:test');
  const file = join(source.location.dataDir, 'backup.gz');
  let isMigrated = false;
  // As soon as the backup has read anything by the connection of the program.
  const kysely = database.kysely.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!isMigrated) await (await openSqlite(source.location.dataDir, 'tool', WITH_LATER.migrations)).close();
      isMigrated = true;
      return result;
    },
  });
  await backupDatabase({ ...database, kysely }, file, systemClock());
  expect(isMigrated).toBe(true);
  await restoreDatabase(target.location, file, WITH_LATER);
  const restored = await openSqlite(target.location.dataDir, 'tool', WITH_LATER.migrations);
  const { rows } = await sql`SELECT slug, later_text FROM workspaces`.execute(restored.kysely);
  expect(rows).toEqual([{ slug: 'acme', later_text: null }]);
  await restored.close();
  await source.remove();
  await target.remove();
});
