import { createHash } from 'node:crypto';

import { type Kysely, sql, type Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';

import { DAY_MS, MINUTE_MS, type Clock } from '../clock.ts';
import type { Database, Schema } from '../db/index.ts';
import { withoutSync } from '../db/unsynced.ts';

/** The number of attempts that one name has in a window. */
export interface Allowance {
  /** The kind of attempt: each has its own counts. */
  what: string;
  tries: number;
  withinMs: number;
}

/** A name that has no attempts left, and when its window ends. */
type Spent = LRUCache<string, number>;

/** Names that a process remembers, so that what they try further is not written. */
const MOST_SPENT = 10_000;

/** Limits on attempts. Fixed windows: a count starts again when its window ends. */
export const ALLOWANCES = {
  signInFromNetwork: { what: 'sign-in-network', tries: 60, withinMs: 15 * MINUTE_MS },
  signInFromNetworkToAccount: { what: 'sign-in-network-account', tries: 10, withinMs: 15 * MINUTE_MS },
  // Only reachable from several networks together, so that no single one can lock an account.
  signInToAccount: { what: 'sign-in-account', tries: 30, withinMs: 15 * MINUTE_MS },
  signInFromDevice: { what: 'sign-in-device', tries: 10, withinMs: 15 * MINUTE_MS },
  codeFromNetwork: { what: 'code-network', tries: 30, withinMs: 15 * MINUTE_MS },
  mailFromNetwork: { what: 'mail-network', tries: 30, withinMs: 60 * MINUTE_MS },
  // Each makes a free workspace, which may store files.
  signUpFromNetwork: { what: 'sign-up-network', tries: 60, withinMs: DAY_MS },
  signUpFromWideNetwork: { what: 'sign-up-wide-network', tries: 240, withinMs: DAY_MS },
  // Separate, so that messages of one kind that strangers request do not use up those of another.
  signUpToRecipient: { what: 'sign-up-recipient', tries: 3, withinMs: 60 * MINUTE_MS },
  resetToRecipient: { what: 'reset-recipient', tries: 3, withinMs: 60 * MINUTE_MS },
  addressToRecipient: { what: 'address-recipient', tries: 3, withinMs: 60 * MINUTE_MS },
  invitationByPerson: { what: 'invitation-person', tries: 20, withinMs: 60 * MINUTE_MS },
  invitationByPersonToRecipient: { what: 'invitation-person-recipient', tries: 2, withinMs: DAY_MS },
  invitationToRecipient: { what: 'invitation-recipient', tries: 6, withinMs: DAY_MS },
  password: { what: 'password', tries: 10, withinMs: 15 * MINUTE_MS },
  newPassword: { what: 'new-password', tries: 10, withinMs: 15 * MINUTE_MS },
  newPasswordFromNetwork: { what: 'new-password-network', tries: 100, withinMs: 15 * MINUTE_MS },
  workspaceNameByPerson: { what: 'workspace-name', tries: 30, withinMs: 60 * MINUTE_MS },
  // Nothing deletes from the audit log, so what one person can append to it is bounded.
  auditedByPerson: { what: 'audited-person', tries: 300, withinMs: 60 * MINUTE_MS },
  // Separate for each kind of change, so that no other act keeps the owner of an account from securing it or its keys.
  ownAccount: { what: 'own-account', tries: 60, withinMs: 60 * MINUTE_MS },
  endpointDisabledMail: { what: 'endpoint-disabled-mail', tries: 3, withinMs: DAY_MS },
  // As many as all its endpoints may have: only removing and adding them again uses it up.
  webhookDisabledMail: { what: 'webhook-disabled-mail', tries: 30, withinMs: DAY_MS },
  eventOfFreeJob: { what: 'free-job-event', tries: 60, withinMs: 60 * MINUTE_MS },
  // Longer than an authenticator's code is accepted: its own 30 seconds and those before and after.
  codeOnce: { what: 'code-used', tries: 1, withinMs: 5 * MINUTE_MS },
} as const satisfies Record<string, Allowance>;

/** Counts attempts across all instances, in a transaction where it is given one. Names are stored as hashes. */
export class Throttle {
  readonly #database: Database | { kysely: Transaction<Schema> };
  readonly #clock: Clock;
  readonly #spent: Spent = new LRUCache({ maxSize: MOST_SPENT, sizeCalculation: () => 1 });
  /** Resolves when the count before has been written; undefined: none is. */
  #before: Promise<void> | undefined;

  constructor(database: Database | { kysely: Transaction<Schema> }, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Counts one attempt before it is made, so that concurrent ones are counted, too.
   * @returns undefined if it is allowed; otherwise the seconds until the next one is.
   */
  async count(allowance: Allowance, name: string): Promise<number | undefined> {
    const { scope, windowStart, endsAt, wait } = this.#windowOf(allowance, name);
    if (this.#spent.get(scope) === endsAt) return wait;
    const tries = await this.#inTurn(() => this.#write(scope, windowStart));
    if (tries <= allowance.tries) return undefined;
    if (!GIVEN_BACK.has(allowance.what)) this.#spent.set(scope, endsAt);
    return wait;
  }

  /** Returns the seconds until the next attempt of a name that is known here to have none left; undefined: none is. */
  spentAmong(...tries: readonly (readonly [Allowance, string])[]): number | undefined {
    const windows = tries.map(([allowance, name]) => this.#windowOf(allowance, name));
    return windows.find(({ scope, endsAt }) => this.#spent.get(scope) === endsAt)?.wait;
  }

  /** Returns the window of a name's attempts, and the seconds until it ends. */
  #windowOf(allowance: Allowance, name: string) {
    const now = this.#clock();
    const windowStart = Math.floor(now / allowance.withinMs) * allowance.withinMs;
    const endsAt = windowStart + allowance.withinMs;
    return { scope: scopeOf(allowance, name), windowStart, endsAt, wait: Math.ceil((endsAt - now) / 1000) };
  }

  async #write(scope: string, windowStart: number): Promise<number> {
    const { tries } = await this.#unsynced((kysely) =>
      kysely
        .insertInto('auth_tries')
        .values({ scope, window_start: windowStart, tries: 1 })
        .onConflict((conflict) =>
          conflict.columns(['scope', 'window_start']).doUpdateSet({ tries: sql<number>`auth_tries.tries + 1` }),
        )
        .returning('tries')
        .executeTakeFirstOrThrow(),
    );
    return tries;
  }

  /** Runs a statement that does not wait for the disk: a count that a power cut takes is a few tries more. */
  #unsynced<T>(work: (kysely: Kysely<Schema>) => Promise<T>): Promise<T> {
    return 'engine' in this.#database ? withoutSync(this.#database, work) : work(this.#database.kysely);
  }

  /** Writes one after the other, with a turn of the event loop between: SQLite stops it for each. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#before;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#before = promise;
    await before;
    try {
      return await work();
    } finally {
      setImmediate(resolve);
      if (this.#before === promise) this.#before = undefined;
    }
  }

  /**
   * Counts one attempt for each name in turn, and stops at the first that has none left, so that a caller over its own
   * limit does not use up the limits of the names after it.
   * @returns undefined if it is allowed; otherwise the seconds until the next one is.
   */
  async countInTurn(...tries: readonly (readonly [Allowance, string])[]): Promise<number | undefined> {
    for (const [allowance, name] of tries) {
      const wait = await this.count(allowance, name);
      if (wait !== undefined) return wait;
    }
    return undefined;
  }

  /**
   * Consumes a single-use value.
   * @returns whether it was unused in this window and the one before, so that none is forgotten when a window ends.
   */
  async useUp(allowance: Allowance, name: string): Promise<boolean> {
    if ((await this.count(allowance, name)) !== undefined) return false;
    const windowStart = Math.floor(this.#clock() / allowance.withinMs) * allowance.withinMs;
    const before = await this.#database.kysely
      .selectFrom('auth_tries')
      .select('tries')
      .where('scope', '=', scopeOf(allowance, name))
      .where('window_start', '=', windowStart - allowance.withinMs)
      .executeTakeFirst();
    return before === undefined;
  }

  /** Resets the count of a name after the correct password. */
  async forget(allowance: Allowance, name: string): Promise<void> {
    const scope = scopeOf(allowance, name);
    await this.#unsynced((kysely) => kysely.deleteFrom('auth_tries').where('scope', '=', scope).execute());
    this.#spent.delete(scope);
  }
}

/** Kinds of attempts that a success gives back before their window ends, perhaps on another instance. */
const GIVEN_BACK: ReadonlySet<string> = new Set(
  [ALLOWANCES.signInToAccount, ALLOWANCES.signInFromNetworkToAccount, ALLOWANCES.codeOnce].map(({ what }) => what),
);

function scopeOf({ what }: Allowance, name: string): string {
  return `${what}:${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
}
