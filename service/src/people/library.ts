import { DatabaseUnavailableError } from '../kernel/db/index.ts';
import type { AuthOptions, createAuth } from './auth.ts';
import { ALLOWANCES, type Throttle } from '../kernel/limits/throttle.ts';
import type { Guarded, Person } from './types.ts';

type Auth = ReturnType<typeof createAuth>;

/** better-auth, loaded soon after the start (cli/serve.ts) or by the first person: the start does not wait for it. */
export class AuthLibrary {
  readonly #options: AuthOptions;
  readonly #throttle: Throttle;
  #opened: Promise<Auth> | undefined;

  constructor(options: AuthOptions, throttle: Throttle) {
    this.#options = options;
    this.#throttle = throttle;
  }

  async api(): Promise<Auth['api']> {
    return (await this.#auth()).api;
  }

  async context(): Promise<Awaited<Auth['$context']>> {
    return (await this.#auth()).$context;
  }

  /** Counts tries per person, and turns a wrong password or code into an outcome. */
  async guarded<T>(person: Person, work: (api: Auth['api']) => Promise<T>): Promise<Guarded<T>> {
    const wait = await this.#throttle.count(ALLOWANCES.password, person.id);
    if (wait !== undefined) return { kind: 'throttled', retryAfterSeconds: wait };
    try {
      const value = await work(await this.api());
      await this.#throttle.forget(ALLOWANCES.password, person.id);
      return { kind: 'done', value };
    } catch (error) {
      if (await isRefusal(error)) return { kind: 'refused' };
      throw error;
    }
  }

  /**
   * Refuses what is done by the clock while that is known to be wrong: sessions and links would end, or last too long.
   *
   * @throws DatabaseUnavailableError
   */
  requireRightClock(): void {
    const fault = this.#options.clockFault?.();
    if (fault !== undefined) throw new DatabaseUnavailableError(fault);
  }

  async #auth(): Promise<Auth> {
    this.requireRightClock();
    this.#opened ??= import('./auth.ts').then(({ createAuth }) => createAuth(this.#options));
    return this.#opened;
  }
}

/** Returns true if better-auth refuses a person's input, as opposed to a bug or a broken database. */
export async function isRefusal(error: unknown): Promise<boolean> {
  return (await import('./auth.ts')).isRefusal(error);
}
