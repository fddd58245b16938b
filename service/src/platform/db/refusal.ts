/** The database cannot be used as it stands. The message says why and what to do, for a person at a terminal. */
export class DatabaseRefusal extends Error {
  override name = 'DatabaseRefusal';
}

/** The database did not answer in time, or the connection broke: nothing is known to be wrong with it. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** Nothing can be written: the disk is full, broken or read-only. Trying again at once does not help. */
export class StorageUnwritable extends DatabaseUnavailable {
  override name = 'StorageUnwritable';
}
