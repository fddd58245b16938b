import type { Answer } from './answer.ts';

/** Why a look-up failed, in a word for the log and the administration pages. */
type FailureReason =
  | 'busy'
  | 'refused'
  | 'server error'
  | 'redirected'
  | 'address not allowed'
  | 'too large'
  | 'not JSON'
  | 'not understood'
  | 'another VIN'
  | 'connection broke'
  | 'too slow'
  | 'bug';

/** The outcome of a look-up. */
export type LookUp =
  | { kind: 'found'; answer: Answer }
  /** The source answered, and has no data for this VIN. */
  | { kind: 'nothing' }
  | {
      kind: 'failed';
      reason: FailureReason;
      /** The source's Retry-After. */
      retryAfterMs?: number;
    };

/** How fast a source may be asked, by all instances together and by each. */
export interface RateLimit {
  /** Look-ups a minute, all instances together. */
  perMinute: number;
  /** Look-ups under way at once, on one instance. */
  concurrent: number;
}

/** An external source that may have data for a VIN that the catalog does not. */
export interface Source {
  /** Names it in the database: letters, digits and hyphens. */
  readonly name: string;
  readonly rateLimit: RateLimit;
  /** The time limit of a look-up. */
  readonly timeoutMs: number;
  /** Whether asking this source about a VIN can help. Pure. */
  covers(vin: string): boolean;
  /** Looks up a VIN. Never rejects because of the source; when `signal` aborts, fails soon as `too slow`. */
  lookUp(vin: string, signal: AbortSignal): Promise<LookUp>;
  /** Closes its connections. */
  close(): Promise<void>;
}
