import type { Command } from '../kernel/cli/command.ts';

import { isoDay, systemClock } from '../kernel/clock.ts';
import { restoreDatabase } from '../database.ts';
import { appliedMigrations, backupDatabase, noteBackup } from '../kernel/db/index.ts';
import { type Disagreement, verifyUsage } from '../metering/index.ts';
import { CommandError, type Io, type JsonOption, writeOutcome } from '../kernel/cli/io.ts';
import { configOf, withDatabase } from '../kernel/cli/settings.ts';

/** Adds `db migrate|backup|restore|verify`. */
export function define(db: Command, io: Io): void {
  db.reads('DATA_DIR', 'DATABASE_URL');

  db.command('migrate')
    .description(
      'migrate the database to the version of this program; the service and the commands that use the database do this, too',
    )
    .option('--json', 'print the outcome as JSON')
    .action(async (options: JsonOption) => {
      const engine = await withDatabase(io, async (database) => database.engine);
      const text = `The ${engine} database is up to date.`;
      return writeOutcome(io, options, { engine, upToDate: true }, text);
    });

  db.command('backup')
    .description('write a consistent copy of the whole database to one file; the service can keep running')
    .argument('<file>', 'the file to write; an existing file is replaced')
    .option('--json', 'print the outcome as JSON')
    .action(async (file: string, options: JsonOption) => {
      const summary = await withDatabase(io, async (database) => {
        const startedMs = systemClock();
        const written = await backupDatabase(database, file, startedMs);
        await noteBackup(database, startedMs);
        return written;
      });
      const text = `Wrote ${summary.rows} rows of ${summary.tables} tables to ${file}.`;
      return writeOutcome(io, options, { file, ...summary }, text);
    });

  db.command('restore')
    .description('fill a new, empty database from a backup of SQLite or PostgreSQL; the service must not be running')
    .argument('<file>', 'a file that db backup wrote')
    .option('--json', 'print the outcome as JSON')
    .action(async (file: string, options: JsonOption) => {
      const summary = await restoreDatabase(configOf(io), file);
      const restored = `Restored ${summary.rows} rows of ${summary.tables} tables from ${file}.`;
      const text = [...summary.leftOut, restored, asOf(summary.createdAtMs)].join('\n');
      return writeOutcome(io, options, { file, ...summary }, text);
    });

  db.command('verify')
    .description(
      'compare the migrations of the database with those of this program, and the usage records (counters, ledger, and stored decodes) with each other; fail if they differ',
    )
    .option('--json', 'print the outcome as JSON')
    .action(async (options: JsonOption) => verify(io, options));
}

function asOf(createdAtMs: number): string {
  const moment = new Date(createdAtMs).toISOString();
  return (
    `Everything is as it was at ${moment}: keys that were revoked since then and old passwords work again, people ` +
    'who were removed are members again, and what was erased is back. Revoke, remove and erase anew, and end old ' +
    'sessions with `marque admin sign-out --everyone`.'
  );
}

async function verify(io: Io, options: JsonOption): Promise<void> {
  // Opening compares the migrations, as every start does.
  const { migrations, counters, decodes, disagreements } = await withDatabase(io, async (database) => ({
    migrations: await appliedMigrations(database),
    ...(await verifyUsage(database)),
  }));
  const [ran = ''] = migrations
    .slice(-1)
    .map(({ version, name, program }) => `${version} (${name}, Marque ${program})`);
  const tables = `Compared ${migrations.length} ${migrations.length === 1 ? 'migration' : 'migrations'}, up to ${ran}: none differs.`;
  const summary = `Compared ${counters} counters and ${decodes} decodes: ${disagreements.length} differ.`;
  const text = [tables, ...disagreements.map(sentenceOf), summary].join('\n');
  await writeOutcome(io, options, { migrations, counters, decodes, disagreements }, text);
  if (disagreements.length > 0) throw new CommandError('');
}

function sentenceOf(found: Disagreement): string {
  return found.kind === 'counter'
    ? `${found.subject}, month of ${isoDay(found.windowStartMs)}: counter ${found.counter}, ledger ${found.ledger}`
    : `${found.subject}, ${isoDay(found.dayStartMs)}, key ${found.keyId}: ledger ${found.ledger}, decodes ${found.decodes}`;
}
