import { setTimeout as sleep } from 'node:timers/promises';

import type { RecentFailure } from './recent-failure.ts';
import { isPassing } from './refusal.ts';

/** Longer than a failover takes. A read that got no answer has already waited for longer, and is not tried again. */
const AGAIN_FOR_MS = 4_000;
const PAUSE_MS = 50;

/**
 * Reads what a request needs, and again while the database is away: a proxy before PostgreSQL closes connections at
 * once until one of its servers is the primary; not after a full disk, which takes longer than a failover. For
 * statements that change nothing, or nothing more the second time.
 * @throws DatabaseUnavailableError when it stays away.
 */
export async function readAgain<T>(failure: Pick<RecentFailure, 'goesOn'>, read: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + AGAIN_FOR_MS;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isPassing(error) || failure.goesOn(error) || performance.now() > giveUpAt) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
