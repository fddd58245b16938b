import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

import { RecentFailure } from './recent-failure.ts';
import { StorageDamagedError, StorageUnwritableError } from './refusal.ts';
import { isDamaged, isUnwritable, mendLog, openConnection } from './sqlite-connection.ts';

/** Milliseconds for which emptying the log waits for others. This process does nothing else meanwhile. */
const MEND_WITHIN_MS = 20;

/** Checks that data written to an open SQLite database is kept. */
export class SqliteStorage {
  readonly files: OpenFiles;
  readonly #file: string;
  #damage: StorageDamagedError | undefined;
  readonly failure = new RecentFailure();
  /** False while commits need not be on the disk when they end: see `withoutSync`. */
  isSynced = true;
  #log: FileHandle | undefined;
  /** True after a failed sync of the log: see `mendLog`. */
  #isTorn = false;
  /** Of the database's file, for reading. It stays open: closing any handle of a file ends all locks of the process. */
  readonly #handle: number;

  /** @param file is open already, so that its log is there. */
  constructor(file: string) {
    this.#file = file;
    this.#handle = openSync(file, 'r');
    this.files = openFilesOf(file);
  }

  /** Refuses commits that would be lost. @throws StorageUnwritableError */
  check(): void {
    this.refuseDamaged();
    checkFiles(this.files);
  }

  /** Refuses damaged storage. @throws StorageDamagedError once damage was found: it stays while the file is open. */
  refuseDamaged(): void {
    if (this.#damage !== undefined) throw this.#damage;
  }

  /**
   * Runs work that SQLite may fail at.
   *
   * @throws StorageUnwritableError instead of SQLite's error if the storage failed.
   */
  guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.note(error);
    }
  }

  /** Records storage failures. @returns the error to throw. */
  note(error: unknown): unknown {
    let failure = error;
    if (isDamaged(error))
      failure = new StorageDamagedError(`SQLite's file is damaged: ${error.message}.`, { cause: error });
    else if (isUnwritable(error))
      failure = new StorageUnwritableError(`SQLite cannot write: ${error.message}.`, { cause: error });
    if (failure instanceof StorageDamagedError) this.#damage = failure;
    else if (failure instanceof StorageUnwritableError) this.failure.note(failure);
    return failure;
  }

  /**
   * Brings to the disk what was committed. SQLite itself would stop this process meanwhile, and keep its lock, for which
   * charges wait. Only the holder of the connection calls it, so one call at a time.
   *
   * @throws StorageUnwritableError
   */
  async sync(): Promise<void> {
    if (!this.isSynced) return;
    if (this.#isTorn) return this.mend();
    try {
      this.#log ??= await open(`${this.#file}-wal`, 'r+');
      await this.#log.datasync();
    } catch (cause) {
      this.#isTorn = this.#log !== undefined;
      throw this.note(new StorageUnwritableError(`SQLite's log cannot be synced: ${String(cause)}`, { cause }));
    }
  }

  /** Makes a failed sync good; does nothing after none. @throws StorageUnwritableError until that succeeds. */
  mend(): void {
    if (!this.#isTorn) return;
    this.guard(() => {
      const connection = openConnection(this.#file, MEND_WITHIN_MS);
      try {
        mendLog(connection);
      } finally {
        connection.close();
      }
    });
    this.#isTorn = false;
  }

  /** Reads bytes of the file as they are on the disk. @returns how many: fewer at its end. */
  read(into: Buffer, from: number): number {
    return readSync(this.#handle, into, 0, into.length, from);
  }

  /** Closes its handles. SQLite's connections to the file must be closed: they would lose their locks. */
  async close(): Promise<void> {
    await this.#log?.close();
    closeSync(this.#handle);
  }

  /**
   * Checks the files, for readiness.
   * @throws StorageUnwritableError when nothing should be sent here.
   */
  probe(): void {
    this.check();
    if (!beginsAsDatabase(this.#handle))
      throw this.note(new StorageDamagedError(`${this.#file} is no longer a SQLite database.`));
  }
}

// The thread that commits usage loads this file: its imports are in memory twice.

/** Device and inode of each database file, by path, at the time of opening. */
export type OpenFiles = Readonly<Record<string, string>>;

/** The first bytes of every SQLite database. */
const MAGIC = 'SQLite format 3\0';

/** Returns the files of an open database: itself, its log, and the index of its log. */
function openFilesOf(file: string): OpenFiles {
  return Object.fromEntries([file, `${file}-wal`, `${file}-shm`].map((path) => [path, identityOf(path)]));
}

/**
 * Checks that the open files are still in place. SQLite keeps reading and writing a file that was deleted or replaced,
 * and all of it is lost when it closes. Three calls of the system, some microseconds.
 *
 * @throws StorageUnwritableError when a file is no longer the one that is open.
 */
export function checkFiles(files: OpenFiles): void {
  for (const path in files) {
    if (identityOf(path) === files[path]) continue;
    throw new StorageUnwritableError(
      `${path} is no longer the file that is open: it was deleted, moved, or replaced. Put it back, or stop the service ` +
        'and restore a backup.',
    );
  }
}

/**
 * Returns true if a file begins as an SQLite database does. Reads the disk, because SQLite's copy in memory may be out
 * of date.
 */
function beginsAsDatabase(handle: number): boolean {
  const beginning = Buffer.alloc(MAGIC.length);
  readSync(handle, beginning, 0, beginning.length, 0);
  return beginning.toString('latin1') === MAGIC;
}

function identityOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'missing' : `${stats.dev}:${stats.ino}`;
}
