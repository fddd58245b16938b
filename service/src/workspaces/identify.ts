import type { IncomingHttpHeaders } from 'node:http';

import type { Selectable } from 'kysely';
import { LRUCache } from 'lru-cache';

import { type Clock, systemClock } from '../kernel/clock.ts';
import { type Database, DatabaseUnavailableError, type Schema } from '../kernel/db/index.ts';
import { readAgain } from '../kernel/db/read-again.ts';
import { busyError } from '../kernel/http/errors.ts';
import { type FairBounds, FairQueue } from '../kernel/limits/fair-queue.ts';
import type { Tenant } from '../kernel/limits/slots.ts';
import { localRateLimit, type OpenRateLimit, type RateLimiter } from '../kernel/limits/token-buckets.ts';
import { wideNetworkOf } from '../kernel/limits/wide-network.ts';
import { clientAddress, networkOf, trustedProxies, type TrustedProxies } from './address.ts';
import type { Caller, KnownWorkspace, RateLimited, Refusal, Subscriber } from './caller.ts';
import { KeyHashes, modeOf, type Random, sameHash, systemRandom } from './key.ts';
import { LastUse, noteFirstUse } from './last-use.ts';
import { asTest, limitOf } from './limit.ts';
import type { PlanLimits } from './plan.ts';
import { PublicClients } from './public-client.ts';
import { type Workspace, workspaceOf } from './workspaces.ts';

/** Options of `Access`. */
interface AccessOptions {
  database: Database;
  planLimits: PlanLimits;
  publicMonthlyLimit: number;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustProxy: readonly string[];
  clock?: Clock;
  /** Says what is known to be wrong with the clock; undefined: nothing. Until then no one is identified. */
  clockFault?: () => string | undefined;
  random?: Random;
  /** Shared by the processes that serve together; default: this process counts alone. */
  rateLimit?: OpenRateLimit;
}

/** The parts of a request that identify its caller. */
interface AccessRequest {
  headers: IncomingHttpHeaders;
  /** The remote address of the socket, unchanged: trusted proxies are resolved here. */
  address: string | undefined;
}

/** Requests of a workspace's test keys: one a second, and 60 at once after a pause. */
const TEST_RATE = { burst: 60, refillMs: 1_000 };

/** Keys in each cache. */
const KEPT_KEYS = 20_000;

/**
 * Keys that are looked up at once, by network (an IPv6 /48): anyone can make keys up, and each would take a connection to the database
 * from a charge. A key that was valid a moment ago counts as paid, by workspace.
 */
const LOOK_UPS: FairBounds = { all: 3, reserved: 1, perTenant: 2, waiting: 500, waitingPerTenant: 250, waitMs: 5_000 };

const NO_HASH = '0'.repeat(64);

interface KeptKey {
  /** The version of `access` before the record was read: any later change invalidates it. */
  version: number;
  record: KeyRecord | undefined;
}

/** The result of identifying a request. */
export type Identity = Caller | Refusal | RateLimited;

/** Identifies callers. */
export class Access {
  readonly #database: Database;
  readonly #planLimits: PlanLimits;
  readonly #publicMonthlyLimit: number;
  readonly #trusted: TrustedProxies;
  readonly #clock: Clock;
  readonly #clockFault: () => string | undefined;
  readonly #publicClients: PublicClients;
  readonly #lastUse: LastUse;
  readonly #testRate: RateLimiter;
  readonly #hashes = new KeyHashes();
  readonly #kept = keptKeys();
  /**
   * Keys that nobody has, so that a client that keeps sending one costs a single look-up. Apart: anyone can make up as
   * many as would push all others out.
   */
  readonly #unknown = keptKeys();

  readonly #lookUps = new FairQueue(LOOK_UPS);
  /** Look-ups under way, by version and hash: those who ask for the same key wait for the same one. */
  readonly #underWay = new Map<string, Promise<KeyRecord | undefined>>();

  constructor(options: AccessOptions) {
    this.#database = options.database;
    this.#planLimits = options.planLimits;
    this.#publicMonthlyLimit = options.publicMonthlyLimit;
    this.#trusted = trustedProxies(options.trustProxy);
    this.#clock = options.clock ?? systemClock;
    this.#clockFault = options.clockFault ?? (() => undefined);
    this.#publicClients = new PublicClients(options.database, this.#clock, options.random ?? systemRandom);
    this.#lastUse = new LastUse(options.database);
    this.#testRate = (options.rateLimit ?? localRateLimit)('test keys', TEST_RATE);
  }

  /**
   * Returns the caller: a workspace by its key, or a public client by its address. A promise only if something has to
   * be awaited: the key of nearly every request is in the cache.
   *
   * @throws DatabaseUnavailableError when the database does not answer, or by a wrong clock keys would seem to have
   * expired and public clients would get another month's names.
   */
  identify({ headers, address }: AccessRequest): Identity | Promise<Identity> {
    const fault = this.#clockFault();
    if (fault !== undefined) return Promise.reject(new DatabaseUnavailableError(fault));
    const credential = credentialOf(headers);
    return credential === undefined
      ? this.#identifyPublic(headers, address)
      : this.#identifyKey(credential, headers, address);
  }

  /** Looks at a request's key again, without counting it. @returns why it is refused now; undefined: it is not. */
  async refusalOf({ headers, address }: AccessRequest): Promise<Refusal | undefined> {
    const hash = this.#hashes.of(credentialOf(headers) ?? '', this.#clock());
    if (hash === undefined) return undefined;
    const record = await this.#recordOf(hash, { headers, address });
    return record === undefined ? { kind: 'refused', reason: 'unknown' } : judgeKey(record, this.#clock());
  }

  /** Returns the workspace of a cached key that is valid, without a look-up: used before the caller is identified. */
  knownWorkspace(headers: IncomingHttpHeaders): KnownWorkspace | undefined {
    const key = credentialOf(headers);
    const now = this.#clock();
    const hash = key === undefined ? undefined : this.#hashes.of(key, now);
    const record = hash === undefined ? undefined : this.#kept.get(hash)?.record;
    return record === undefined || faultOf(record, now) !== undefined ? undefined : record.workspace;
  }

  /** Writes pending last uses. */
  async close(): Promise<void> {
    await this.#lastUse.close();
  }

  async #identifyPublic(headers: IncomingHttpHeaders, address: string | undefined): Promise<Identity> {
    const network = networkOf(this.#addressOf(headers, address));
    const wide = wideNetworkOf(network);
    return {
      kind: 'public',
      clientId: await this.#publicClients.nameOf(network),
      ...(wide !== network && { wideClientId: await this.#publicClients.nameOf(wide) }),
      limit: this.#publicMonthlyLimit,
    };
  }

  #addressOf(headers: IncomingHttpHeaders, address: string | undefined): string {
    return clientAddress(address, headers['x-forwarded-for'], this.#trusted);
  }

  #identifyKey(key: string, headers: IncomingHttpHeaders, address: string | undefined): Identity | Promise<Identity> {
    const hash = this.#hashes.of(key, this.#clock());
    if (hash === undefined) return { kind: 'refused', reason: 'malformed' };
    const record = this.#recordOf(hash, { headers, address });
    return record instanceof Promise ? record.then((found) => this.#judge(key, found)) : this.#judge(key, record);
  }

  #recordOf(hash: string, { headers, address }: AccessRequest): KeyRecord | undefined | Promise<KeyRecord | undefined> {
    const version = this.#database.changes.version('access');
    const kept = this.#keptOf(hash);
    if (kept !== undefined && kept.version === version) return kept.record;
    const client = kept?.record?.workspace.id ?? wideNetworkOf(networkOf(this.#addressOf(headers, address)));
    return this.#find(hash, version, { id: client, isPaid: kept?.record !== undefined });
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

  async #find(hash: string, asked: number | Promise<number>, tenant: Tenant): Promise<KeyRecord | undefined> {
    const version = await asked;
    const kept = this.#keptOf(hash);
    if (kept?.version === version) return kept.record;
    const name = `${version} ${hash}`;
    const underWay = this.#underWay.get(name);
    if (underWay !== undefined) return underWay;
    const begun = this.#lookUp(hash, version, tenant).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, begun);
    return begun;
  }

  async #lookUp(hash: string, version: number, tenant: Tenant): Promise<KeyRecord | undefined> {
    const looked = await this.#lookUps.run(tenant, () =>
      readAgain(this.#database.failure, () => findKey(this.#database, hash)),
    );
    if (looked.kind === 'refused') throw busyError();
    const found = looked.result;
    // Always compared: an unknown key takes the same steps as a known one.
    const isSame = sameHash(found?.hash ?? NO_HASH, hash);
    const record = isSame ? found : undefined;
    if (record === undefined) this.#kept.delete(hash);
    (record === undefined ? this.#unknown : this.#kept).set(hash, { version, record });
    return record;
  }

  #keptOf(hash: string): KeptKey | undefined {
    return this.#kept.get(hash) ?? this.#unknown.get(hash);
  }
}

const BEARER = /^bearer(?: +|$)/i;

/**
 * Returns the key that a request carries: `x-api-key`, else `Authorization: Bearer`; undefined: none was sent. An empty
 * one counts as sent, and is refused: an unset variable must not silently turn a subscriber into a public client.
 */
function credentialOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key'];
  // If it is sent twice, Node joins the values with a comma: no key has one.
  if (key !== undefined) return String(key).trim();
  const authorization = headers.authorization;
  if (authorization === undefined || !BEARER.test(authorization)) return undefined;
  return authorization.replace(BEARER, '').trim();
}

/** A key with its workspace: the columns that decide on a request. */
type KeyRecord = Pick<
  Selectable<Schema['api_keys']>,
  'hash' | 'expires_at' | 'revoked_at' | 'last_used_at' | 'rotated_from'
> & { keyId: string; workspace: Workspace };

/** Returns a cache of keys, bounded by size: with `max` it would take the memory for all of them at once. */
function keptKeys(): LRUCache<string, KeptKey> {
  return new LRUCache({ maxSize: KEPT_KEYS, sizeCalculation: () => 1 });
}

/** Finds the key with a hash, with its workspace. */
async function findKey(database: Database, hash: string): Promise<KeyRecord | undefined> {
  const row = await database.kysely
    .selectFrom('api_keys')
    .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
    .selectAll('workspaces')
    .select(['api_keys.id as keyId', 'hash', 'expires_at', 'revoked_at', 'last_used_at', 'rotated_from'])
    .where('api_keys.hash', '=', hash)
    .executeTakeFirst();
  return row && { ...row, workspace: workspaceOf(row) };
}

/** Returns the reason for refusing a key, if there is one. */
function judgeKey(record: KeyRecord, atMs: number): Refusal | undefined {
  const reason = faultOf(record, atMs);
  if (reason === undefined) return undefined;
  return { kind: 'refused', reason, key: { workspaceId: record.workspace.id, keyId: record.keyId } };
}

function faultOf(record: KeyRecord, atMs: number): Refusal['reason'] | undefined {
  if (record.revoked_at !== null) return 'revoked';
  if (record.expires_at !== null && record.expires_at <= atMs) return 'expired';
  return record.workspace.suspendedAtMs === null ? undefined : 'suspended';
}
