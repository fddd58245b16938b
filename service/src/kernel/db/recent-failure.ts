import type { StorageUnwritableError } from './refusal.ts';

/**
 * The time for which the service is not ready after a write that failed (a full disk, say), in milliseconds; the next
 * write shows whether it still does.
 */
const UNREADY_MS = 5_000;

/** Remembers that nothing could be stored a moment ago. */
export class RecentFailure {
  #last: { error: StorageUnwritableError; atMs: number } | undefined;

  /** Records a write that failed. */
  note(error: StorageUnwritableError): void {
    this.#last = { error, atMs: performance.now() };
  }

  /**
   * Says that a statement failed as well. If the database did not answer it, the failure goes on: PostgreSQL stops when
   * the disk of its log is full, and fails to start again.
   *
   * @returns true if nothing could be stored a moment ago, and the database does not answer.
   */
  goesOn(failed: unknown): boolean {
    const { error } = this;
    if (error === undefined || isAnswered(failed)) return false;
    this.note(error);
    return true;
  }

  /** Returns the last failure; undefined once it is so long ago that the disk may have space again. */
  get error(): StorageUnwritableError | undefined {
    const last = this.#last;
    return last !== undefined && performance.now() - last.atMs < UNREADY_MS ? last.error : undefined;
  }
}

/**
 * Returns true if the server itself refused a statement (SQLSTATE begins with a digit), and is neither stopping nor
 * starting.
 */
function isAnswered(failed: unknown): boolean {
  const cause = failed instanceof Error ? failed.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^\d/.test(code) && !/^(?:08|53|57P|58)/.test(code);
}
