import { setImmediate } from 'node:timers/promises';

import { type Decoder, hasValidCheckDigit, readVin, type Suggestion } from '@marque/decoder';

import type { Clock } from '../../kernel/clock.ts';
import { FairQueue } from '../../kernel/limits/fair-queue.ts';
import { TimeBudget } from '../../kernel/limits/time-budget.ts';
import type { BurstLimit, OpenRateLimit, RateLimiter } from '../../kernel/limits/token-buckets.ts';

/** Limits on searching: it is free for anybody, and takes processor time from paid decodes. */
const BOUNDS = {
  /** Searches for one client. */
  perClient: { burst: 10, refillMs: 2_000 } satisfies BurstLimit,
  /** Share of one processor's time that all searches together may take. One takes up to thirty milliseconds. */
  share: 0.05,
  /** Milliseconds that they may take at once after a pause. */
  burstMs: 400,
  /** Searches that may wait for their turn: of all clients, and of one. */
  waiting: 8,
  waitingPerTenant: 4,
};

/** Bounds of searching: tests set their own. */
type SearchBounds = Readonly<typeof BOUNDS>;

/** Milliseconds after which a search yields: the most that it delays a decode. */
const TURN_MS = 1;

type Search = ReturnType<Decoder['suggestInSteps']>;

/**
 * Finds what mistyped VINs were meant to be, for the whole process: one search at a time, in short turns, within a
 * budget of processor time and a limit for each client. Beyond them nothing is suggested.
 */
export class Suggestions {
  readonly #decoder: Pick<Decoder, 'suggestInSteps'>;
  readonly #clock: Clock;
  readonly #perClient: RateLimiter;
  readonly #budget: TimeBudget;
  readonly #queue: FairQueue;

  constructor(
    { decoder, clock, rateLimit }: { decoder: Pick<Decoder, 'suggestInSteps'>; clock: Clock; rateLimit: OpenRateLimit },
    bounds: SearchBounds = BOUNDS,
  ) {
    this.#decoder = decoder;
    this.#clock = clock;
    this.#perClient = rateLimit('suggestions', bounds.perClient);
    this.#budget = new TimeBudget(bounds);
    this.#queue = new FairQueue({ all: 1, perTenant: 1, ...bounds });
  }

  /**
   * Returns the VINs that a text was likely meant to be, best first; none if it is a VIN with a right check digit, or
   * the limits on searching are reached.
   *
   * @param client the network or workspace whose limit it counts against.
   */
  async for(text: string, client: string): Promise<Suggestion[]> {
    if (!looksMistyped(text)) return [];
    const search = this.#decoder.suggestInSteps(text);
    // A text that is far from any VIN does not count against limits.
    const begun = search.next();
    if (begun.done === true) return begun.value;
    if (!this.#hasBudget() || (await this.#perClient.take(client, this.#clock())) > 0) return [];
    const searched = await this.#queue.run({ id: client, isPaid: false }, () => this.#run(search));
    if (searched.kind === 'done') return searched.result;
    this.#perClient.giveBack(client);
    return [];
  }

  async #run(search: Search): Promise<Suggestion[]> {
    if (!this.#hasBudget()) return [];
    for (;;) {
      const began = performance.now();
      const spent = cpuMs();
      let step = search.next();
      while (step.done !== true && performance.now() - began < TURN_MS) step = search.next();
      this.#budget.spend(cpuMs() - spent);
      if (step.done === true) return step.value;
      await setImmediate();
    }
  }

  #hasBudget(): boolean {
    return this.#budget.lackMs() === 0;
  }
}

/** Returns the processor time of this thread: a busy machine must not make searches look more expensive. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Returns true if a text is worth searching: a VIN whose check digit is right is hardly ever mistyped. */
function looksMistyped(text: string): boolean {
  const form = readVin(text);
  return form.kind === 'malformed' || !hasValidCheckDigit(form.vin);
}
