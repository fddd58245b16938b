import type { StorageUnwritableError } from './refusal.ts';

/**
 * The time for which the service is not ready after a write that failed (a full disk, say), in milliseconds; the next
 * write shows whether it still does.
 */
const UNREADY_MS = 5_000;

/** The time for which a crash is remembered, in milliseconds. */
const CRASHED_MS = 60_000;

/** Answers that were on their way when the server changed its own are older than this, in milliseconds. */
const ORDERED_MS = 200;

/** The code of a server that starts; its text says how far it is. */
const STARTS = '57P03';

/**
 * A crash of PostgreSQL, and what the server said since. The disk of its log may be full: whoever did not write to it
 * learns no more.
 */
class Crash {
  readonly #atMs = performance.now();
  readonly #steps: string[] = [];
  #lastStepAtMs = this.#atMs;
  #isAgain = false;
  #isBack = false;

  /** Records a new connection. */
  noteConnection(): void {
    this.#isBack = true;
  }

  /** Records another notice. @returns false if the crash is too long ago to be the same matter. */
  noteAgain(): boolean {
    if (this.#isOver) return false;
    this.#isAgain ||= this.#isBack;
    this.#isBack = false;
    return true;
  }

  get #isOver(): boolean {
    return performance.now() - this.#atMs > CRASHED_MS;
  }

  /**
   * Returns true if the server does not start: nothing listens any more, it is back at a step of its start, or it has
   * crashed twice.
   */
  goesOn(failed: unknown): boolean {
    if (this.#isOver || this.#isBack) return false;
    const nowMs = performance.now();
    const { code, message } = causeOf(failed);
    if (code === 'ECONNREFUSED') return true;
    if (code !== STARTS) return false;
    if (!this.#steps.includes(message)) {
      this.#steps.push(message);
      this.#lastStepAtMs = nowMs;
    } else if (message !== this.#steps.at(-1) && nowMs - this.#lastStepAtMs > ORDERED_MS) this.#isAgain = true;
    return this.#isAgain;
  }
}

/** Remembers that nothing could be stored a moment ago. */
export class RecentFailure {
  #crash: Crash | undefined;
  #last: { error: StorageUnwritableError; atMs: number } | undefined;

  /** Records a write that failed. */
  note(error: StorageUnwritableError): void {
    this.#last = { error, atMs: performance.now() };
  }

  /** Records that a process of PostgreSQL crashed: the server ends all connections, and starts again by itself. */
  noteCrash(): void {
    if (this.#crash?.noteAgain() !== true) this.#crash = new Crash();
  }

  /** Records a new connection: the server is back. */
  noteConnection(): void {
    this.#crash?.noteConnection();
  }

  /**
   * Says that a statement failed as well. If the database did not answer it, the failure goes on: PostgreSQL stops when
   * the disk of its log is full, and fails to start again.
   *
   * @returns true if the database does not answer, and nothing could be stored a moment ago, or it does not start.
   */
  goesOn(failed: unknown): boolean {
    const isDown = this.#crash?.goesOn(failed) === true;
    const { error } = this;
    if (error === undefined || isAnswered(failed)) return isDown;
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
  const { code } = causeOf(failed);
  return /^\d/.test(code) && !/^(?:08|53|57P|58)/.test(code);
}

/** Returns the code and the words that the server or the network gave as the reason. */
function causeOf(failed: unknown): { code: string; message: string } {
  const cause = failed instanceof Error ? failed.cause : undefined;
  if (!(cause instanceof Error)) return { code: '', message: '' };
  return { code: 'code' in cause ? String(cause.code) : '', message: cause.message };
}
