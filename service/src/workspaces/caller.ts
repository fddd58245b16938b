import type { Plan } from './plan.ts';

/** Someone with a valid key. */
export interface Subscriber {
  kind: 'subscriber';
  workspaceId: string;
  slug: string;
  plan: Plan;
  /** Charged requests a month; null: no limit. */
  limit: number | null;
  keyId: string;
  /** It came with a test key: its usage is counted apart, and never charged. */
  isTest?: true;
}

/** Someone without a key. */
interface PublicClient {
  kind: 'public';
  /** Keyed hash of the address; another one each month. */
  clientId: string;
  /** The same of its IPv6 /48, where it has one. */
  wideClientId?: string;
  limit: number;
}

export type Caller = Subscriber | PublicClient;

/** A key that a workspace made, whether or not it still works. */
export interface KnownKey {
  workspaceId: string;
  keyId: string;
}

/** The workspace of a key that was looked up lately. */
export interface KnownWorkspace {
  id: string;
  plan: Plan;
}

/** A key was sent and is not valid. The reason is for logs: every client gets the same words. */
export interface Refusal {
  kind: 'refused';
  reason: 'malformed' | 'unknown' | 'revoked' | 'expired' | 'suspended';
  /** Undefined: no workspace has it. */
  key?: KnownKey;
}

/** A test key was used too often in a short time. */
export interface RateLimited {
  kind: 'rate-limited';
  caller: Subscriber;
  retryAfterSeconds: number;
}
