import type { FastifyReply, FastifyRequest } from 'fastify';

import { busyError } from '../../kernel/http/errors.ts';
import { onceOver } from '../../kernel/http/exchanges.ts';
import { type FairBounds, FairQueue } from '../../kernel/limits/fair-queue.ts';
import { anyTurn, type LoopTurns, type NextTurn } from '../../kernel/limits/loop-turns.ts';
import type { Tenant } from '../../kernel/limits/slots.ts';
import { type Access, type Caller, recheckKey, tenantOf } from '../../workspaces/index.ts';

/**
 * Batches that are answered at once. Each takes a millisecond of a turn of the event loop, and up to ten megabytes;
 * those that wait take their VINs.
 */
const BOUNDS: FairBounds = { all: 4, reserved: 1, perTenant: 4, waiting: 250, waitingPerTenant: 250, waitMs: 10_000 };

/** VINs that are answered at once: they take no longer than as many single decodes. */
const FEW = 10;

/** Shares the answering of requests with many VINs among workspaces. */
export class BatchQueue {
  readonly #access: Pick<Access, 'refusalOf'>;
  readonly #queue = new FairQueue(BOUNDS);

  constructor(access: Pick<Access, 'refusalOf'>) {
    this.#access = access;
  }

  /**
   * Makes the answer to a request when it is the caller's turn.
   *
   * @param answer must not send it: that lasts until its client has read it.
   * @throws HttpError 503 with `Retry-After` when too many wait, 401 when the key was revoked meanwhile: nothing was
   * charged.
   */
  async run<T>(
    caller: Caller,
    { request, reply, vins }: { request: FastifyRequest; reply: FastifyReply; vins: number },
    answer: () => Promise<T>,
  ): Promise<T> {
    if (vins <= FEW) return answer();
    const gone = new AbortController();
    onceOver({ request: request.raw, response: reply.raw }, () => gone.abort());
    const entered = await this.#queue.enter(queuedAs(caller), gone.signal);
    if (entered.kind === 'refused') {
      throw busyError();
    }
    try {
      await recheckKey(this.#access, request);
      return await answer();
    } finally {
      entered.leave();
    }
  }
}

/** Batches that were begun are finished, whether or not somebody waits for them. */
const NEVER = new AbortController().signal;

/** Returns the turns of what a caller sent: without a paid plan, all together have a share of the event loop. */
export function turnsOf({ turns }: { turns: Pick<LoopTurns, 'next'> }, caller: Caller): NextTurn {
  const tenant = queuedAs(caller);
  if (tenant.isPaid) return anyTurn;
  return async () => {
    // The next turn of a tenant that nobody waits beside would be this one.
    await anyTurn();
    await turns.next(tenant, NEVER);
  };
}

function queuedAs(caller: Caller): Tenant {
  if (caller.kind === 'subscriber') return tenantOf(caller);
  return { id: caller.wideClientId ?? caller.clientId, isPaid: false };
}
