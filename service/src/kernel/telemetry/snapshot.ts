import type { Clock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import { type Backlog, type Queues, readBacklogs } from '../jobs/index.ts';

/** The state of the database at one moment. */
export type Snapshot =
  | { kind: 'known'; ledgerMismatches: number; backlogs: readonly Backlog[] }
  /** It does not answer. */
  | { kind: 'unknown' };

/** Scrapers come every few seconds, several at a time. */
const FRESH_MS = 30_000;

/**
 * Reads a snapshot, and keeps it for half a minute. Never rejects.
 *
 * @param countMismatches counts the accounts of usage whose counter differs from their ledger.
 * @param failed receives the reason when it is not known.
 */
export function watchSnapshot(
  database: Database,
  clock: Clock,
  queues: Queues,
  countMismatches: (database: Database, nowMs: number) => Promise<number>,
  failed: (error: unknown) => void,
): () => Promise<Snapshot> {
  let snapshot: Promise<Snapshot> | undefined;
  let readAtMs = 0;
  return () => {
    const nowMs = clock();
    if (snapshot === undefined || nowMs - readAtMs > FRESH_MS) {
      readAtMs = nowMs;
      snapshot = read(database, nowMs, queues, countMismatches).catch((error: unknown): Snapshot => {
        failed(error);
        return { kind: 'unknown' };
      });
    }
    return snapshot;
  };
}

async function read(
  database: Database,
  nowMs: number,
  queues: Queues,
  countMismatches: (database: Database, nowMs: number) => Promise<number>,
): Promise<Snapshot> {
  const [ledgerMismatches, backlogs] = await Promise.all([
    countMismatches(database, nowMs),
    readBacklogs(database, nowMs, queues),
  ]);
  return { kind: 'known', ledgerMismatches, backlogs };
}
