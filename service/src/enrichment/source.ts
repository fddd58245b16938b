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

/** What became of one look-up. */
export type LookUp =
  | { kind: 'found'; answer: Answer }
  /** The source answered, and knows nothing of this VIN. */
  | { kind: 'nothing' }
  | {
      kind: 'failed';
      reason: FailureReason;
      /** How long the source asks to be left alone. */
      retryAfterMs?: number;
    };

/** How fast a source may be asked, by all instances together and by each. */
export interface RateLimit {
  /** Look-ups a minute, all instances together. */
  perMinute: number;
  /** Look-ups under way at once, on one instance. */
  concurrent: number;
}

/** Someone outside who may know a VIN that the catalog does not. */
export interface Source {
  /** Names it in the database: letters, digits and hyphens. */
  readonly name: string;
  readonly rateLimit: RateLimit;
  /** After this long a look-up is given up. */
  readonly timeoutMs: number;
  /** Whether asking this source about a VIN can help. Pure. */
  covers(vin: string): boolean;
  /** Asks it. Never rejects while the source alone misbehaves; when `signal` aborts, fails soon as `too slow`. */
  lookUp(vin: string, signal: AbortSignal): Promise<LookUp>;
  /** Closes its connections. */
  close(): Promise<void>;
}
