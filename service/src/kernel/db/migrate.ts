import { createHash } from 'node:crypto';

import { SERVICE_VERSION } from '../version.ts';
import type { Conversions } from './conversion.ts';
import { NewerDatabaseError, UnusableDatabaseError } from './refusal.ts';
import { definitionsSince, FIRST_VERSION, type Tables } from './table.ts';

/** One forward-only step, the same for both engines. Statements are parted by semicolons. */
export interface Migration {
  name: string;
  sqlite: string;
  postgres: string;
  /** Fingerprints of other forms of it that programs have run; a later migration does the rest. */
  earlier?: readonly string[];
}

/** A migration found by `pendingMigrations`: its statements, and its row of `schema_versions`. */
interface PendingMigration {
  version: number;
  name: string;
  sql: string;
  fingerprint: string;
  /** The version of the program that runs it. */
  program: string;
}

/** A row of `schema_versions`. Databases from before the first release have neither of the last two columns. */
export interface AppliedMigration {
  version: number;
  name: string;
  fingerprint?: string;
  program?: string;
}

/** The definition of a program's database. */
export interface Definition {
  /** Every migration, oldest first. */
  migrations: readonly Migration[];
  /** Functions of PostgreSQL, each in its newest form: they are replaced after every migration. */
  routines: readonly string[];
  /** Tables that PostgreSQL partitions by the month of their UUIDv7 `id`. */
  monthlyTables: readonly string[];
  /** Conversions of rows of backups from before the first release to rows of these tables. */
  conversions: Conversions;
}

/**
 * Returns the migrations that create tables.
 * @param steps the name of each, and its changes besides adding everything declared as new since then.
 */
export function migrationsOf(tables: Tables, steps: readonly Migration[]): Migration[] {
  return steps.map(({ sqlite, postgres, ...step }, index) => {
    const version = FIRST_VERSION + index;
    return {
      ...step,
      sqlite: `${definitionsSince(tables, version, 'sqlite')}\n${sqlite}`,
      postgres: `${definitionsSince(tables, version, 'postgres')}\n${postgres}`,
    };
  });
}

/** Returns the migrations that bring an empty database to a version. */
export function migrationsUpTo(all: readonly Migration[], version: number): readonly Migration[] {
  return all.slice(0, version - FIRST_VERSION + 1);
}

/** Returns the version of a database that all these migrations have run on. */
export function versionAfter(all: readonly Migration[]): number {
  return FIRST_VERSION + all.length - 1;
}

/**
 * Returns the migrations that a database still needs. The applied ones must be the ones that this program has.
 * @param applied the rows of its `schema_versions`, in order; none of a fresh database.
 * @throws UnusableDatabaseError when the database is from before the first release, newer than this program, or when a
 * migration that ran on it is not the one of this program.
 */
export function pendingMigrations(
  all: readonly Migration[],
  applied: readonly AppliedMigration[],
  engine: 'sqlite' | 'postgres',
): PendingMigration[] {
  const known = all.map((migration, index): PendingMigration => {
    const sql = migration[engine];
    const version = FIRST_VERSION + index;
    return { version, name: migration.name, sql, fingerprint: fingerprintOf(sql), program: SERVICE_VERSION };
  });
  const newest = applied.at(-1);
  if (newest === undefined) return known;
  if (newest.version < FIRST_VERSION) {
    throw new UnusableDatabaseError(
      `The database was written by a program from before the first release of Marque. ${bringOver(engine)}`,
    );
  }
  if (newest.version > versionAfter(all)) {
    throw new NewerDatabaseError(
      `The database was upgraded by Marque ${newest.program}, and this is Marque ${SERVICE_VERSION}, which does not know ` +
        `its migration ${newest.version} (${newest.name}), and what it would overwrite. Start the newer program. To go back, ${AWAY[engine]}, and restore a backup from before ` +
        'the upgrade: marque db restore FILE',
    );
  }
  for (const [index, { version, name, fingerprint, program }] of applied.entries()) {
    if (known[index]?.fingerprint === fingerprint) continue;
    if (fingerprint !== undefined && all[index]?.earlier?.includes(fingerprint) === true) continue;
    throw new UnusableDatabaseError(
      `The tables of the database are not those that this program (Marque ${SERVICE_VERSION}) expects: migration ${version} ` +
        `(${name}), as Marque ${program} ran it, was another one. Start the program that wrote the database. ${bringOver(engine)}`,
    );
  }
  return known.slice(applied.length);
}

function bringOver(engine: keyof typeof AWAY): string {
  return (
    'To bring what it holds into this one, back it up with the program that wrote it (marque db backup FILE), ' +
    `${AWAY[engine]}, and restore the file here: marque db restore FILE`
  );
}

const AWAY = {
  sqlite: 'move the files marque.db* out of the data folder',
  postgres: 'point DATABASE_URL to a new, empty database',
} as const;

/** Identifies statements independently of their layout: blanks between words count as one, those at signs as none. */
export function fingerprintOf(sql: string): string {
  const text = sql
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),;]) ?/g, '$1')
    .trim();
  return createHash('sha256').update(text).digest('hex');
}
