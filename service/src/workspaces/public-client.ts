import { createHmac } from 'node:crypto';

import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { monthOf } from '../kernel/db/month.ts';
import { readAgain } from '../kernel/db/read-again.ts';
import type { Random } from './key.ts';

const SECRET_BYTES = 32;
/** The length of the hash in hex digits: 128 bits, so that no two clients meet by chance. */
const HASH_LENGTH = 32;

/**
 * Names public clients without keeping their addresses.
 *
 * The name is a keyed hash of the IPv4 address or the IPv6 network. The secret changes each month and is shared by all
 * instances through the database; when retention has dropped it, a name can no longer be traced to a client.
 */
export class PublicClients {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #random: Random;
  #current: { monthMs: number; secret: Promise<string> } | undefined;

  constructor(database: Database, clock: Clock, random: Random) {
    this.#database = database;
    this.#clock = clock;
    this.#random = random;
  }

  /** Returns the name of a network, in this month. @param network an IPv4 address, an IPv6 /64 or a wider one. */
  async nameOf(network: string): Promise<string> {
    const secret = await this.#secretOf(monthOf(this.#clock()).startMs);
    return createHmac('sha256', secret).update(network).digest('hex').slice(0, HASH_LENGTH);
  }

  #secretOf(monthMs: number): Promise<string> {
    if (this.#current?.monthMs === monthMs) return this.#current.secret;
    const current = { monthMs, secret: readAgain(this.#database.failure, () => this.#load(monthMs)) };
    this.#current = current;
    current.secret.catch(() => {
      if (this.#current === current) this.#current = undefined;
    });
    return current.secret;
  }

  async #load(monthMs: number): Promise<string> {
    const { kysely } = this.#database;
    const known = kysely.selectFrom('public_secrets').select('secret').where('window_start', '=', monthMs);
    const found = await known.executeTakeFirst();
    if (found !== undefined) return found.secret;
    const secret = Buffer.from(this.#random(SECRET_BYTES)).toString('hex');
    await kysely
      .insertInto('public_secrets')
      .values({ window_start: monthMs, secret })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Another instance may have been first: the stored one counts.
    return (await known.executeTakeFirstOrThrow()).secret;
  }
}
