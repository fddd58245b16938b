import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { LiveCatalog } from '../../catalog/index.ts';
import type { Database } from '../../kernel/db/index.ts';
import { type Engine, freshDatabase } from '../../testing/databases.ts';
import { decoder } from '../../testing/decoder.ts';
import { type CommandResult, runMarque } from '../../testing/run-marque.ts';

/** A database that the command line teaches, and an instance that runs on it elsewhere. */
export interface Learning extends AsyncDisposable {
  database: Database;
  /** The catalog of the instance. A test may close it and put another here. */
  elsewhere: LiveCatalog;
  /** A folder for files. Removed with the rest. */
  folder: string;
  /** Runs a command as `marque` would. */
  marque: (...words: string[]) => Promise<CommandResult>;
}

/** Opens them on a fresh database of an engine. */
export async function learningOn(engine: Engine): Promise<Learning> {
  const fresh = await freshDatabase(engine);
  const database = await fresh.open();
  const folder = mkdtempSync(join(tmpdir(), 'marque learned-ü-'));
  const learning: Learning = {
    database,
    elsewhere: await LiveCatalog.open(decoder, database),
    folder,
    marque: (...words) => {
      const { dataDir, databaseUrl } = fresh.location;
      return runMarque(words, { DATA_DIR: dataDir, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) });
    },
    async [Symbol.asyncDispose]() {
      await learning.elsewhere.close();
      await fresh.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return learning;
}
