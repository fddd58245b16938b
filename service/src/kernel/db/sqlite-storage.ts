import { StorageDamagedError, StorageUnwritableError } from './refusal.ts';
import { isDamaged, isUnwritable } from './sqlite-connection.ts';
import { beginsAsDatabase, checkFiles, type OpenFiles, openFilesOf } from './sqlite-files.ts';

/** After a write that failed (a full disk, say) requests are refused for this long; the next write tells more. */
const UNREADY_MS = 5_000;

/** Whether what is written to an open SQLite database is kept. */
export class SqliteStorage {
  readonly files: OpenFiles;
  readonly #file: string;
  #damage: StorageDamagedError | undefined;
  #failure: { error: StorageUnwritableError; atMs: number } | undefined;

  /** @param file is open already, so that its log is there. */
  constructor(file: string) {
    this.#file = file;
    this.files = openFilesOf(file);
  }

  /** @throws StorageUnwritableError when what is committed now would be lost. */
  check(): void {
    this.refuseDamaged();
    checkFiles(this.files);
  }

  /** @throws StorageDamagedError once damage was found: it does not heal while the file is open. */
  refuseDamaged(): void {
    if (this.#damage !== undefined) throw this.#damage;
  }

  /** Does what SQLite may fail at. @throws StorageUnwritableError in place of SQLite's own error, where it is one. */
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
    else if (failure instanceof StorageUnwritableError) this.#failure = { error: failure, atMs: performance.now() };
    return failure;
  }

  /**
   * For readiness: looks at the files, and at what became of the last writes.
   * @throws StorageUnwritableError when nothing should be sent here.
   */
  probe(): void {
    this.check();
    if (!beginsAsDatabase(this.#file))
      throw this.note(new StorageDamagedError(`${this.#file} is no longer a SQLite database.`));
    // The disk may have space again.
    if (this.#failure !== undefined && performance.now() - this.#failure.atMs < UNREADY_MS) throw this.#failure.error;
  }
}
