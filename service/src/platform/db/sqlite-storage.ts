import { StorageDamaged, StorageUnwritable } from './refusal.ts';
import { isDamaged, isUnwritable } from './sqlite-connection.ts';
import { beginsAsDatabase, checkFiles, type OpenFiles, openFilesOf } from './sqlite-files.ts';

/** After a write that failed (a full disk, say) traffic is turned away for so long; the next write tells more. */
const UNREADY_MS = 5_000;

/** Whether what is written to an open SQLite database is kept. */
export class SqliteStorage {
  readonly files: OpenFiles;
  readonly #file: string;
  #damage: StorageDamaged | undefined;
  #failure: { error: StorageUnwritable; atMs: number } | undefined;

  /** @param file is open already, so that its log is there. */
  constructor(file: string) {
    this.#file = file;
    this.files = openFilesOf(file);
  }

  /** @throws StorageUnwritable when what is committed now would be lost. */
  check(): void {
    this.refuseDamaged();
    checkFiles(this.files);
  }

  /** @throws StorageDamaged once damage was found: it does not heal while the file is open. */
  refuseDamaged(): void {
    if (this.#damage !== undefined) throw this.#damage;
  }

  /** Does what SQLite may fail at. @throws StorageUnwritable in place of SQLite's own error, where it is one. */
  guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.note(error);
    }
  }

  /** Keeps in mind that the storage failed, if it is that. @returns the error to throw. */
  note(error: unknown): unknown {
    let failure = error;
    if (isDamaged(error)) failure = new StorageDamaged(`SQLite's file is damaged: ${error.message}.`, { cause: error });
    else if (isUnwritable(error))
      failure = new StorageUnwritable(`SQLite cannot write: ${error.message}.`, { cause: error });
    if (failure instanceof StorageDamaged) this.#damage = failure;
    else if (failure instanceof StorageUnwritable) this.#failure = { error: failure, atMs: performance.now() };
    return failure;
  }

  /**
   * For readiness: looks at the files, and at what became of the last writes.
   * @throws StorageUnwritable when nothing should be sent here.
   */
  probe(): void {
    this.check();
    if (!beginsAsDatabase(this.#file))
      throw this.note(new StorageDamaged(`${this.#file} is no SQLite database any more.`));
    // A disk may have room again.
    if (this.#failure !== undefined && performance.now() - this.#failure.atMs < UNREADY_MS) throw this.#failure.error;
  }
}
