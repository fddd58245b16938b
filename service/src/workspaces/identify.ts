import type { IncomingHttpHeaders } from 'node:http';

import { LRUCache } from 'lru-cache';

import { systemClock, type Clock } from '../kernel/clock.ts';
import type { Database, Plan } from '../kernel/db/index.ts';
import { clientAddress, trustedProxies, type TrustedProxies } from './address.ts';
import { localRateLimit, type OpenRateLimit, type RateLimiter } from '../kernel/http/burst.ts';
import type { Caller, RateLimited, Refusal, Subscriber } from './caller.ts';
import { credentialOf } from './credential.ts';
import { modeOf, sameHash, systemRandom, type Random } from './key.ts';
import { KeyHashes } from './key-hashes.ts';
import { findKey, judgeKey, noteFirstUse, type KeyRecord } from './key-record.ts';
import { LastUse } from './last-use.ts';
import type { PlanLimits } from '../kernel/config/config.ts';
import { asTest, limitOf } from './plan.ts';
import { PublicClients } from './public-client.ts';

/** What access needs of the rest. */
export interface AccessOptions {
  database: Database;
  planLimits: PlanLimits;
  publicMonthlyLimit: number;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustProxy: readonly string[];
  clock?: Clock;
  random?: Random;
  /** Shared by the processes that serve together; default: this process counts alone. */
  rateLimit?: OpenRateLimit;
}

/** A request as access sees it. */
export interface AccessRequest {
  headers: IncomingHttpHeaders;
  /** The other end of the socket. Proxies are seen through here, so give it as it is. */
  address: string | undefined;
}

/** Requests of a workspace's test keys: one a second, and 60 at once after a pause. */
const TEST_RATE = { burst: 60, refillMs: 1_000 };

/** Keys in the cache. */
const KEPT_KEYS = 20_000;

const NO_HASH = '0'.repeat(64);

interface KeptKey {
  /** The version of `access` before the record was read: any later change invalidates it. */
  version: number;
  record: KeyRecord | undefined;
}

/** What identifying a request gives. */
export type Identity = Caller | Refusal | RateLimited;

/** Identifies callers. */
export class Access {
  readonly #database: Database;
  readonly #planLimits: PlanLimits;
  readonly #publicMonthlyLimit: number;
  readonly #trusted: TrustedProxies;
  readonly #clock: Clock;
  readonly #publicClients: PublicClients;
  readonly #lastUse: LastUse;
  readonly #testRate: RateLimiter;
  readonly #hashes = new KeyHashes();
  /** Unknown keys too, so that a client that sends one again and again costs one look-up. */
  readonly #kept = new LRUCache<string, KeptKey>({ max: KEPT_KEYS });

  constructor(options: AccessOptions) {
    this.#database = options.database;
    this.#planLimits = options.planLimits;
    this.#publicMonthlyLimit = options.publicMonthlyLimit;
    this.#trusted = trustedProxies(options.trustProxy);
    this.#clock = options.clock ?? systemClock;
    this.#publicClients = new PublicClients(options.database, this.#clock, options.random ?? systemRandom);
    this.#lastUse = new LastUse(options.database);
    this.#testRate = (options.rateLimit ?? localRateLimit)('test keys', TEST_RATE);
  }

  /**
   * The caller: a workspace by its key, or a public client by its address. A promise only where something has to be waited
   * for: nearly every request comes with a key that is in the cache.
   * @throws DatabaseUnavailableError when the database does not answer.
   */
  identify({ headers, address }: AccessRequest): Identity | Promise<Identity> {
    const credential = credentialOf(headers);
    return credential === undefined ? this.#identifyPublic(headers, address) : this.#identifyKey(credential);
  }

  /** The plan of a key that was seen lately, without a look-up: what to go by before the caller is identified. */
  knownPlan(headers: IncomingHttpHeaders): Plan | undefined {
    const key = credentialOf(headers);
    const hash = key === undefined ? undefined : this.#hashes.of(key, this.#clock());
    return hash === undefined ? undefined : this.#kept.get(hash)?.record?.workspace.plan;
  }

  /** Writes what is still to be written. */
  async close(): Promise<void> {
    await this.#lastUse.close();
  }

  async #identifyPublic(headers: IncomingHttpHeaders, address: string | undefined): Promise<Identity> {
    const client = clientAddress(address, headers['x-forwarded-for'], this.#trusted);
    return { kind: 'public', clientId: await this.#publicClients.nameOf(client), limit: this.#publicMonthlyLimit };
  }

  #identifyKey(key: string): Identity | Promise<Identity> {
    const hash = this.#hashes.of(key, this.#clock());
    if (hash === undefined) return { kind: 'refused', reason: 'malformed' };
    const version = this.#database.changes.version('access');
    const kept = this.#kept.get(hash);
    if (kept !== undefined && kept.version === version) return this.#judge(key, kept.record);
    return this.#find(hash, version).then((record) => this.#judge(key, record));
  }

  #judge(key: string, record: KeyRecord | undefined): Identity | Promise<Identity> {
    if (record === undefined) return { kind: 'refused', reason: 'unknown' };
    const now = this.#clock();
    const refusal = judgeKey(record, now);
    if (refusal !== undefined) return refusal;
    if (record.rotated_from === null || record.last_used_at !== null) return this.#callerOf(key, record, now);
    return noteFirstUse(this.#database, record.keyId, now).then(() => {
      record.last_used_at = now;
      return this.#callerOf(key, record, now);
    });
  }

  #callerOf(key: string, record: KeyRecord, nowMs: number): Identity | Promise<Identity> {
    const { keyId, workspace } = record;
    this.#lastUse.note(keyId, nowMs);
    const { id: workspaceId, slug, plan } = workspace;
    const limit = limitOf(workspace, this.#planLimits, nowMs);
    const caller = { kind: 'subscriber', workspaceId, slug, plan, limit, keyId } as const;
    return modeOf(key) === 'live' ? caller : this.#tested(caller, nowMs);
  }

  async #tested(caller: Subscriber, nowMs: number): Promise<Subscriber | RateLimited> {
    const retryAfterSeconds = await this.#testRate.take(caller.workspaceId, nowMs);
    const tested = asTest(caller);
    return retryAfterSeconds === 0 ? tested : { kind: 'rate-limited', caller: tested, retryAfterSeconds };
  }

  async #find(hash: string, asked: number | Promise<number>): Promise<KeyRecord | undefined> {
    const version = await asked;
    const kept = this.#kept.get(hash);
    if (kept?.version === version) return kept.record;
    const found = await findKey(this.#database, hash);
    // Compared in any case: a key that is not known takes the steps of one that is.
    const isSame = sameHash(found?.hash ?? NO_HASH, hash);
    const record = isSame ? found : undefined;
    this.#kept.set(hash, { version, record });
    return record;
  }
}
