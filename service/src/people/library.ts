import { DatabaseUnavailableError } from '../kernel/db/index.ts';
import type { AuthOptions, createAuth } from './auth.ts';
import { RETRY_AFTER_SECONDS, textOf } from '../kernel/http/errors.ts';
import { HttpError } from '../kernel/http/http-error.ts';
import { type FairBounds, FairQueue } from '../kernel/limits/fair-queue.ts';
import type { Tenant } from '../kernel/limits/slots.ts';
import { ALLOWANCES, type Throttle } from '../kernel/limits/throttle.ts';
import { type EnteredPassword, hasSession, isPasswordOf, passwordOf } from './people.ts';
import type { Guarded, Person } from './types.ts';

type Auth = ReturnType<typeof createAuth>;

/**
 * Passwords that are hashed at once, by person or network (an IPv6 /48). Each takes a thread for a tenth of a second, and the
 * same four threads compress answers. People and browsers that are known come first.
 */
const HASHES_AT_ONCE: FairBounds = {
  all: 2,
  reserved: 1,
  perTenant: 1,
  waiting: 200,
  waitingPerTenant: 10,
  waitMs: 8_000,
};

const STRANGERS_WAIT =
  'Too many new browsers are signing in. Try again in a moment, or choose “Forgot your password?”: who comes with the mailed link goes first.';

/** better-auth, loaded soon after the start (cli/serve.ts) or by the first person: the start does not wait for it. */
export class AuthLibrary {
  readonly #options: AuthOptions;
  readonly #throttle: Throttle;
  readonly #hashes = new FairQueue(HASHES_AT_ONCE);
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

  /** Does what hashes a password when it is its turn. @throws HttpError 503 when too many wait. */
  async inTurn<T>(tenant: Tenant, work: (auth: Auth) => Promise<T>): Promise<T> {
    const auth = await this.#auth();
    const outcome = await this.#hashes.run(tenant, () => work(auth));
    if (outcome.kind === 'done') return outcome.result;
    // Known ones go first, and a link makes a browser one.
    throw new HttpError(503, tenant.isPaid ? textOf(503) : STRANGERS_WAIT, {
      'retry-after': String(RETRY_AFTER_SECONDS),
    });
  }

  /**
   * Counts tries per person, and turns a wrong password or code into an outcome, as one whose session has ended, or whose
   * password was replaced, meanwhile.
   *
   * @param work done with the password that the person has now. It must begin no session.
   */
  async guarded<T>(
    person: Pick<Person, 'id' | 'sessionId' | 'sessionToken'>,
    work: (api: Auth['api'], entered: EnteredPassword) => Promise<T>,
  ): Promise<Guarded<T>> {
    const { database } = this.#options;
    const wait = await this.#throttle.count(ALLOWANCES.password, person.id);
    if (wait !== undefined) return { kind: 'throttled', retryAfterSeconds: wait };
    try {
      const { entered, value } = await this.inTurn({ id: person.id, isPaid: true }, async ({ api }) => {
        const own = await passwordOf(database, person);
        return {
          entered: own,
          value: await work(api, own ?? { personId: person.id, hash: null, hasSecondFactor: false }),
        };
      });
      const isStill = entered !== undefined && (await isPasswordOf(database, entered));
      if (!isStill || !(await hasSession(database, person))) return { kind: 'refused' };
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

/** Returns true if better-auth tries no code of a person's for a time: see `isLocked` of `auth.ts`. */
export async function isLocked(error: unknown): Promise<boolean> {
  return (await import('./auth.ts')).isLocked(error);
}
