import { setImmediate } from 'node:timers/promises';

import type { Decoder, Hints } from '@marque/decoder';

import type { Clock } from '../../kernel/clock.ts';
import type { BurstLimit, OpenRateLimit, RateLimiter } from '../../kernel/http/burst.ts';
import { narrow, type Narrowed } from './questions.ts';
import { type ReadCandidates, readCandidates } from './read-candidates.ts';

/** Limits on searching: repeating it for one VIN is free, and takes processor time from decodes. */
const BOUNDS = {
  /** Searches for one workspace: one takes up to ten milliseconds, most under one. */
  perWorkspace: { burst: 60, refillMs: 100 } satisfies BurstLimit,
  /** Searches that may wait for their turn. */
  queued: 100,
};

/** Bounds of searching: tests set their own. */
type CandidateBounds = Readonly<typeof BOUNDS>;

/** A search that is refused for now. */
export type NotSearched =
  | { kind: 'overloaded'; retryAfterSeconds: number }
  /** The workspace asks too often. */
  | { kind: 'too-often'; retryAfterSeconds: number };

type Asked = Parameters<typeof narrow> extends [unknown, ...infer Rest] ? Rest : never;

/** Finds candidates for the whole process: one search in a turn of the event loop, and within a limit for each workspace. */
export class CandidateSearches {
  readonly #decoder: Pick<Decoder, 'candidates'>;
  readonly #clock: Clock;
  readonly #perWorkspace: RateLimiter;
  readonly #queuedAtMost: number;
  #last: Promise<unknown> = Promise.resolve();
  #queued = 0;

  constructor(
    { decoder, clock, rateLimit }: { decoder: Pick<Decoder, 'candidates'>; clock: Clock; rateLimit: OpenRateLimit },
    bounds: CandidateBounds = BOUNDS,
  ) {
    this.#decoder = decoder;
    this.#clock = clock;
    this.#perWorkspace = rateLimit('candidates', bounds.perWorkspace);
    this.#queuedAtMost = bounds.queued;
  }

  /** Reads the fields that a VIN, a masked VIN or its beginning leaves open. Charges nothing. */
  read(workspaceId: string, text: string, hints: Hints): Promise<ReadCandidates | NotSearched> {
    return this.#inTurn(workspaceId, () => readCandidates(this.#decoder, text, hints));
  }

  /** Returns a stored report's open fields beside answers, as questions. Charges nothing. */
  narrow(workspaceId: string, ...asked: Asked): Promise<{ kind: 'narrowed'; narrowed: Narrowed } | NotSearched> {
    return this.#inTurn(workspaceId, () => ({ kind: 'narrowed', narrowed: narrow(this.#decoder, ...asked) }));
  }

  async #inTurn<T>(workspaceId: string, search: () => T): Promise<T | NotSearched> {
    if (this.#queued >= this.#queuedAtMost) return { kind: 'overloaded', retryAfterSeconds: 1 };
    this.#queued += 1;
    try {
      const retryAfterSeconds = await this.#perWorkspace.take(workspaceId, this.#clock());
      if (retryAfterSeconds > 0) return { kind: 'too-often', retryAfterSeconds };
      const turn = this.#last.then(async () => {
        await setImmediate();
        return search();
      });
      this.#last = turn.catch(() => {});
      return await turn;
    } finally {
      this.#queued -= 1;
    }
  }
}
