import type { ChargeableDecode } from './types.ts';

/** Makes a charge count once per idempotency key: stored with the charge, in the same transaction. */
export interface IdempotentCharge {
  /** The client's key, as sent. */
  key: string;
  bodyHash: string;
  /** The data that the route needs to give the same answer again. */
  outcome: string;
  sentAtMs: number;
  expiresAtMs: number;
}

/** One decode on its way into a commit. */
export interface PendingDecode extends ChargeableDecode {
  /** Empty for public access. */
  keyId: string;
  createdAtMs: number;
}

/** The decodes that one request wants charged: as many as the limit allows, the first ones first. */
export interface ChargeRequest {
  decodes: PendingDecode[];
  idempotency: IdempotentCharge | undefined;
}

/** Requests of one subject in one window, in the order they came in. */
export interface ChargeGroup {
  subject: string;
  windowStartMs: number;
  windowEndMs: number;
  limit: number | null;
  requests: ChargeRequest[];
}

/** A decode that is stored and not charged. */
export interface FreeDecode extends PendingDecode {
  subject: string;
}

/** All that one transaction commits. */
export interface Batch {
  /** Each of another subject. */
  groups: ChargeGroup[];
  free: FreeDecode[];
  /** The number of earlier tries of this batch: above zero, one may have been committed without an answer. */
  earlierTries: number;
}

/** The result of one request: the number of its decodes that were granted, and the counter after them. */
export type RequestResult = { kind: 'counted'; granted: number; usedAfter: number } | { kind: 'conflict' };

/**
 * A statement whose writes may be lost in a power cut until the next charge is committed, which makes them durable with
 * itself. Its text is constant: it stays prepared.
 */
export interface UnsyncedWrite {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Commits charges. */
export interface UsageStore {
  /**
   * Commits a batch whole, or not at all, and answers when it is durable: a result for each request of each group.
   * @throws StorageUnwritableError when nothing can be written for longer than a moment.
   * @throws DatabaseUnavailableError when it could not be committed or it is not known whether it was; trying the same
   *   batch again, with `earlierTries` one higher, is safe.
   */
  commit(batch: Batch): Promise<RequestResult[][]>;
  /** Runs a statement in a transaction of its own. @throws Error when it fails. */
  write(statement: UnsyncedWrite): Promise<void>;
  /** The largest number of concurrent batches. */
  readonly concurrency: number;
  /**
   * The number of these in which one subject may have charges: more than one only if the store commits in the order of
   * the calls.
   */
  readonly concurrencyPerSubject: number;
  close(): Promise<void>;
}
