import { UnusableDatabaseError } from './refusal.ts';

/** One forward-only step, the same for both engines. Statements are parted by semicolons. */
export interface Migration {
  name: string;
  sqlite: string;
  postgres: string;
}

/** What `pendingMigrations` found. */
export interface PendingMigration extends Migration {
  version: number;
}

/**
 * The migrations that a database still needs.
 * @param applied the highest version that the database has, 0 for a fresh one.
 * @throws UnusableDatabaseError when the database is newer than this program.
 */
export function pendingMigrations(all: readonly Migration[], applied: number): PendingMigration[] {
  if (applied > all.length) {
    throw new UnusableDatabaseError(
      `The database is at version ${applied}, and this program knows versions up to ${all.length} only. ` +
        'Start the newer program that wrote it, or restore a backup.',
    );
  }
  return all.map((migration, index) => ({ ...migration, version: index + 1 })).slice(applied);
}
