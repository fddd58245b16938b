import { rmSync } from 'node:fs';

import { inject } from 'vitest';

import { openDatabase } from '../database.ts';
import type { Database, DatabaseLocation } from '../kernel/db/index.ts';
import { dataFolder } from './data-folder.ts';

/** Both databases: use with `describe.each(ENGINES)`. */
export const ENGINES = ['sqlite', 'postgres'] as const;

export type Engine = (typeof ENGINES)[number];

/** A fresh, migrated database that a test may open as often as it has instances. */
export interface TestDatabase {
  location: DatabaseLocation;
  /** Opens it; `remove` closes it again. On SQLite only the first one may be a service. */
  open(role?: 'service' | 'tool', notifyPeers?: () => Promise<void>): Promise<Database>;
  /** Closes all that was opened, and removes it. */
  remove(): Promise<void>;
}

/** Makes a fresh database of an engine. */
export async function freshDatabase(engine: Engine): Promise<TestDatabase> {
  const dataDir = dataFolder();
  const location = { dataDir, databaseUrl: engine === 'postgres' ? await freshPostgres() : undefined };
  const opened: Database[] = [];
  return {
    location,
    open: async (role = 'tool', notifyPeers?: () => Promise<void>) => {
      const database = await openDatabase(location, role, notifyPeers);
      opened.push(database);
      return database;
    },
    remove: async () => {
      for (const database of opened) await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function freshPostgres(): Promise<string> {
  const answer = await fetch(inject('postgresDesk'));
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}
