import type { Act, ActDeps, Actor } from './audit/index.ts';
import type { Database } from './db/index.ts';

/** The subject of an export or an erasure: a vehicle, or a workspace with the people in it. */
export type PrivacySubject = { kind: 'vin'; vin: string } | { kind: 'workspace'; id: string; slug: string };

/** One stored record; `kind` names its table or topic. */
export type ExportedRecord = { kind: string } & Record<string, unknown>;

/** The number of erased records, by kind. */
export type Erased = Readonly<Record<string, number>>;

/** Every instance follows a change within two seconds. */
export const FOLLOWED_MS = 2_500;

/**
 * Milliseconds until what was admitted before a change has ended: instances follow it within two seconds; then a batch
 * may wait ten for its turn, and its charge thirteen for the database.
 */
export const UNDER_WAY_MS = 30_000;

/** The records that were withdrawn. */
interface Withdrawn {
  erased?: Erased;
  /** Milliseconds until nobody uses a copy or stores what a request under way brings: the next step waits for them. */
  settledInMs: number;
}

/** A slice's part in erasing. Every slice has done a step before one does the next. Done again, a step does no harm. */
export interface Erasure {
  /** Ends what would use the data or store it again: keys, overrides, jobs. */
  withdraw?: () => Promise<Withdrawn>;
  /** Takes the data out of tables that are too large for one transaction. */
  mask?: () => Promise<Erased>;
  /** Takes the rest away, in one transaction for all slices. */
  erase?: (act: Act) => Promise<Erased>;
}

/** A slice's part in exporting and erasing data. */
export interface SlicePrivacy {
  /** Everything that it stores about a subject, without hashes of keys and passwords. */
  records?: (database: Database, subject: PrivacySubject) => AsyncIterable<ExportedRecord>;
  /**
   * Returns its part in erasing a subject. Reads the data that the first step of any slice would remove.
   *
   * `actor`: for the audit log: `cli:USER`.
   */
  erasure: (deps: ActDeps & { actor: Actor }, subject: PrivacySubject) => Promise<Erasure>;
}

/** Parses JSON as it is stored, for a record. */
export function parsed(json: string | null): unknown {
  return json === null || json === '' ? null : JSON.parse(json);
}
