import { OperatorError } from '../operator-error.ts';

/** The database cannot be used. The message gives the reason and the remedy, for a person at a terminal. */
export class UnusableDatabaseError extends OperatorError {
  override name = 'UnusableDatabaseError';
}

/** The database was upgraded beyond the migrations that it was opened with. */
export class NewerDatabaseError extends UnusableDatabaseError {}

/** The database did not answer in time, or the connection broke: nothing is known to be wrong with it. */
export class DatabaseUnavailableError extends OperatorError {
  override name = 'DatabaseUnavailableError';
}

/**
 * Nothing can be written and kept: the disk is full, broken, read-only, or the file is gone. Trying again at once does
 * not help.
 */
export class StorageUnwritableError extends DatabaseUnavailableError {
  override name = 'StorageUnwritableError';
}

/** The stored data cannot be read any more, for good: the service must be stopped and a backup restored. */
export class StorageDamagedError extends StorageUnwritableError {
  override name = 'StorageDamagedError';
}

/** Returns true if the same statement may succeed in a moment. */
export function isPassing(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError && !(error instanceof StorageUnwritableError);
}
