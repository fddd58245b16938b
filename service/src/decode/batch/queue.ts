import { RETRY_AFTER_SECONDS, textOf } from '../../kernel/http/errors.ts';
import { type Exchange, onceOver } from '../../kernel/http/exchanges.ts';
import { HttpError } from '../../kernel/http/http-error.ts';
import { type FairBounds, FairQueue } from '../../kernel/limits/fair-queue.ts';
import { type Subscriber, tenantOf } from '../../workspaces/index.ts';

/**
 * Batches that are answered at once. Each takes a millisecond of a turn of the event loop, and up to ten megabytes until
 * its answer is sent; those that wait take their VINs.
 */
const BOUNDS: FairBounds = { all: 4, reserved: 1, perTenant: 4, waiting: 250, waitingPerTenant: 250, waitMs: 10_000 };

/** Shares the answering of requests with many VINs among workspaces; calls of assistants may have many. */
export class BatchQueue {
  readonly #queue = new FairQueue(BOUNDS);

  /**
   * Answers a request when it is the caller's turn.
   *
   * @throws HttpError 503 with `Retry-After` when too many wait: nothing was charged.
   */
  async run<T>(caller: Subscriber, exchange: Exchange, answer: () => Promise<T>): Promise<T> {
    const gone = new AbortController();
    onceOver(exchange, () => gone.abort());
    const entered = await this.#queue.enter(tenantOf(caller), gone.signal);
    if (entered.kind === 'refused') {
      throw new HttpError(503, textOf(503), { 'retry-after': String(RETRY_AFTER_SECONDS) });
    }
    try {
      return await answer();
    } finally {
      entered.leave();
    }
  }
}
