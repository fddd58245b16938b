import { HttpError } from '../kernel/http/http-error.ts';
import { scriptBeside, ThreadPool } from '../kernel/threads/pool.ts';
import type { GuessableQuestion } from './guessable-worker.ts';

/** The list of passwords takes about 30 MB while the worker runs, and nothing afterwards. */
const WORKER_LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 96 };

/** Passwords that may be queued: each takes about 10 ms, and the first waits half a second for the list. */
const QUEUE_LENGTH = 20;
const STUCK_MS = 10_000;
const IDLE_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;

/** A password that takes fewer guesses is refused: attackers begin with these. */
const LEAST_GUESSES = 1e8;

/** Characters of a password outside words about the person or the service. */
const LEAST_OF_ONES_OWN = 8;

/** Words about this service, which anyone would try. */
export const OWN_WORDS: readonly string[] = ['marque', 'vin', 'decode', 'decoder', 'vehicle'];

/**
 * Rejects passwords that are easy to guess, in one worker thread with a bounded queue: the list is large, so it is
 * loaded once, however many people choose a password at the same time, and no decode waits for it.
 */
export class PasswordChecker {
  readonly #pool = new ThreadPool<GuessableQuestion, number>({
    script: scriptBeside(import.meta.url, 'guessable-worker'),
    workerData: undefined,
    threads: 1,
    limits: WORKER_LIMITS,
    idleMs: IDLE_MS,
    timeoutMs: STUCK_MS,
  });
  #pending = 0;

  /**
   * Returns true if a password is among the first that an attacker tries: one of the 49,000 most used ones from known
   * breaches, a word about the person or this service, a run along the keyboard, a date, a repetition, or a few of
   * these in a row.
   *
   * @param words about the person: address, name, workspace.
   * @throws HttpError 503 when too many wait already.
   */
  async isGuessable(password: string, words: readonly string[]): Promise<boolean> {
    const known = [...OWN_WORDS, ...words.flatMap(partsOf)].map((word) => word.toLowerCase());
    if (lengthWithout(password, known) < LEAST_OF_ONES_OWN) return true;
    return (await this.#guessesFor(password, known)) < LEAST_GUESSES;
  }

  async #guessesFor(password: string, words: readonly string[]): Promise<number> {
    if (this.#pending >= QUEUE_LENGTH) throw busy();
    this.#pending += 1;
    try {
      return await this.#pool.run({ password, words });
    } catch {
      // Stuck, or out of memory. The caller may try again, with another worker.
      throw busy();
    } finally {
      this.#pending -= 1;
    }
  }
}

/** The instance of this process. Its worker ends by itself and does not keep the process alive. */
export const passwordChecker = new PasswordChecker();

function busy(): HttpError {
  const text = 'Too many passwords are being checked at this moment. Try again in a few seconds.';
  return new HttpError(503, text, { 'retry-after': String(RETRY_AFTER_SECONDS) });
}

/** Returns the length of a password when the words are removed, the longest first. */
function lengthWithout(password: string, words: readonly string[]): number {
  const byLength = words.toSorted((a, b) => b.length - a.length);
  return byLength.reduce((rest, word) => rest.replaceAll(word, ''), password.toLowerCase()).length;
}

/** Returns a text and the words in it, such as those of an e-mail address. */
function partsOf(text: string): string[] {
  return [text, ...text.split(/[^\p{L}\p{N}]+/u)].filter((part) => part.length > 2);
}
