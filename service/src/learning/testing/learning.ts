import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

import { LiveCatalog } from '../../catalog/index.ts';
import { runCli } from '../../cli/program.ts';
import type { Database } from '../../kernel/db/index.ts';
import { type Engine, freshDatabase } from '../../testing/databases.ts';
import { decoder } from '../../testing/decoder.ts';
import { ioWith } from '../../testing/io.ts';

/** A database that the command line teaches, and an instance that runs on it elsewhere. */
export interface Learning extends AsyncDisposable {
  database: Database;
  /** The catalog of the instance. A test may close it and put another here. */
  elsewhere: LiveCatalog;
  /** A folder for files. Removed with the rest. */
  folder: string;
  /** Runs a command as `marque` would. */
  marque: (...words: string[]) => Promise<{ status: number; out: string; fault: string }>;
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
    marque: async (...words) => {
      const { dataDir, databaseUrl } = fresh.location;
      const io = ioWith('', { DATA_DIR: dataDir, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) });
      const status = await runCli(words, io);
      for (const stream of [io.stdout, io.stderr]) await finished(stream.end());
      return { status, out: io.stdout.text, fault: io.stderr.text };
    },
    async [Symbol.asyncDispose]() {
      await learning.elsewhere.close();
      await fresh.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return learning;
}
