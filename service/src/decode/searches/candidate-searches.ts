import type { Decoder, Hints } from '@marque/decoder';

import type { Clock } from '../../kernel/clock.ts';
import { FairQueue } from '../../kernel/limits/fair-queue.ts';
import type { LoopTurns } from '../../kernel/limits/loop-turns.ts';
import type { Tenant } from '../../kernel/limits/slots.ts';
import { TimeBudget } from '../../kernel/limits/time-budget.ts';
import type { BurstLimit, OpenRateLimit, RateLimiter } from '../../kernel/limits/token-buckets.ts';
import { narrow, type Narrowed } from './questions.ts';
import { type ReadCandidates, readCandidates } from './read-candidates.ts';

/** Limits on searching: repeating it for one VIN is free, and takes processor time from decodes. */
const BOUNDS = {
  /** Searches for one workspace. */
  perWorkspace: { burst: 60, refillMs: 100 } satisfies BurstLimit,
  /**
   * Share of the event loop's time that all searches may take: most take under two milliseconds, a masked VIN with hints
   * that contradict it up to twenty.
   */
  share: 0.25,
  /** Milliseconds that they may take at once after a pause. */
  burstMs: 250,
  /** Searches that may wait for their turn: of all workspaces, and of one. */
  waiting: 100,
  waitingPerTenant: 100,
};

/** Bounds of searching: tests set their own. */
type CandidateBounds = Readonly<typeof BOUNDS>;

/** A search that is refused for now. */
export type NotSearched =
  | { kind: 'overloaded'; retryAfterSeconds: number }
  /** The workspace asks too often. */
  | { kind: 'too-often'; retryAfterSeconds: number };

type Asked = Parameters<typeof narrow> extends [unknown, ...infer Rest] ? Rest : never;

/** Searches that were begun are finished, whether or not somebody waits for them. */
const NEVER = new AbortController().signal;

/** The dependencies of searches. */
interface SearchDeps {
  decoder: Pick<Decoder, 'candidates'>;
  clock: Clock;
  rateLimit: OpenRateLimit;
  turns: Pick<LoopTurns, 'next'>;
}

/**
 * Finds candidates for the whole process: one search in a turn of the event loop that other work shares, within a part
 * of its time, and within a limit for each workspace.
 */
export class CandidateSearches {
  readonly #decoder: Pick<Decoder, 'candidates'>;
  readonly #clock: Clock;
  readonly #turns: SearchDeps['turns'];
  readonly #perWorkspace: RateLimiter;
  readonly #queue: FairQueue;
  readonly #budget: TimeBudget;
  readonly #now: () => number;

  /** @param now milliseconds of a clock that never jumps. */
  constructor(
    { decoder, clock, rateLimit, turns }: SearchDeps,
    { perWorkspace, ...bounds }: CandidateBounds = BOUNDS,
    now: () => number = () => performance.now(),
  ) {
    this.#decoder = decoder;
    this.#turns = turns;
    this.#clock = clock;
    this.#perWorkspace = rateLimit('candidates', perWorkspace);
    // One that waits for a turn among those of other plans keeps no paid one waiting.
    this.#queue = new FairQueue({ all: 2, reserved: 1, perTenant: 1, ...bounds }, now);
    this.#budget = new TimeBudget(bounds, now);
    this.#now = now;
  }

  /** Reads the fields that a VIN, a masked VIN or its beginning leaves open. Charges nothing. */
  read(workspace: Tenant, text: string, hints: Hints): Promise<ReadCandidates | NotSearched> {
    return this.#inTurn(workspace, () => readCandidates(this.#decoder, text, hints));
  }

  /** Returns a stored report's open fields beside answers, as questions. Charges nothing. */
  narrow(workspace: Tenant, ...asked: Asked): Promise<{ kind: 'narrowed'; narrowed: Narrowed } | NotSearched> {
    return this.#inTurn(workspace, () => ({ kind: 'narrowed', narrowed: narrow(this.#decoder, ...asked) }));
  }

  async #inTurn<T>(workspace: Tenant, search: () => T): Promise<T | NotSearched> {
    const retryAfterSeconds = await this.#perWorkspace.take(workspace.id, this.#clock());
    if (retryAfterSeconds > 0) return { kind: 'too-often', retryAfterSeconds };
    const entered = await this.#queue.enter(workspace);
    if (entered.kind === 'refused') {
      this.#perWorkspace.giveBack(workspace.id);
      return { kind: 'overloaded', retryAfterSeconds: 1 };
    }
    await this.#turns.next(workspace, NEVER);
    const beganMs = this.#now();
    try {
      return search();
    } finally {
      this.#budget.spend(this.#now() - beganMs);
      // The wait after a long search counts as time of its workspace, so that others come first.
      const lackMs = this.#budget.lackMs();
      if (lackMs === 0) entered.leave();
      else setTimeout(entered.leave, lackMs);
    }
  }
}
