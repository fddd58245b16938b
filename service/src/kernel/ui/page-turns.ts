import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { busyError, textOf } from '../http/errors.ts';
import { onceOver } from '../http/exchanges.ts';
import { HttpError } from '../http/http-error.ts';
import type { LoopTurns, NextTurn } from '../limits/loop-turns.ts';
import type { Tenant } from '../limits/slots.ts';
import { wideNetworkOf } from '../limits/wide-network.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Waits for the turn in which the next piece of its page is made; undefined: it has had none. */
    pageTurn: NextTurn | undefined;
  }
  interface FastifyContextConfig {
    /** True for pages whose turns are those of a workspace. */
    ownTurns?: boolean;
  }
}

/** The dependencies of pages that are made in turns. */
interface TurnDeps {
  turns: Pick<LoopTurns, 'next'>;
  networkOf: (request: FastifyRequest) => string;
  /** Throws if the person who asks for a page may no longer see it. */
  recheck: (request: FastifyRequest) => Promise<void>;
}

/** Milliseconds that all turns of a page may take: connections on which nothing moves are closed after 30,000. */
const MOST_MS = 20_000;

const BUSY = busyError();

/** Pages that one person may wait for at once, and one network: a browser opens six connections. */
const MOST_OPEN = { person: 20, network: 200 };

/** The pages that are waited for, by person or network: a member takes no page from others of the workspace. */
const OPEN = new Map<string, number>();

/** Functions that stop counting a request's page: once made, it no longer waits, even if it is read late. */
const WAITING = new WeakMap<FastifyRequest, () => void>();

/** Milliseconds after which a person is looked at again when a turn has come. */
const LATE_MS = 1_000;

/** A page that is made when it is sent. */
export class PageToMake {
  readonly make: () => string | Promise<Buffer>;

  constructor(make: () => string | Promise<Buffer>) {
    this.make = make;
  }
}

/**
 * Lets every page of a scope begin in a turn of the event loop, and makes it in another one, which files and results
 * share: many pages leave time to decodes.
 */
export function makeInTurns(scope: FastifyInstance, deps: TurnDeps): void {
  scope.decorateRequest('pageTurn', undefined);
  scope.addHook('preHandler', async (request, reply) => {
    // A form first waits for what it changes.
    if (isRead(request) && request.routeOptions.config.ownTurns !== true) await turnOf(deps, request, reply)();
  });
  scope.addHook('onSend', async (request, reply, payload) => {
    // Databases in another process have answered in other turns.
    if (payload instanceof PageToMake) await turnOf(deps, request, reply)();
    WAITING.get(request)?.();
    return payload instanceof PageToMake ? payload.make() : payload;
  });
}

/**
 * Returns the turns of a request's page, of a person, a network or a workspace.
 * They throw when nobody waits for the page any more; of a page that changes nothing also when it is late, or when its
 * reader may no longer see it.
 *
 * @param recheck throws then.
 * @throws HttpError 503 when the person or network waits for more pages than may be.
 */
export function pageTurns(
  turns: TurnDeps['turns'],
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { tenant, recheck }: { tenant: Tenant; recheck: () => Promise<void> },
): NextTurn {
  const { viewer } = request;
  const leave = isRead(request)
    ? enter(viewer?.id ?? tenant.id, viewer === undefined ? 'network' : 'person')
    : () => {};
  let checkedAtMs = performance.now();
  const gone = new AbortController();
  let late: NodeJS.Timeout | undefined;
  WAITING.set(request, leave);
  onceOver({ request: request.raw, response: reply.raw }, () => {
    leave();
    clearTimeout(late);
    gone.abort(new HttpError(400, textOf(400)));
  });
  return async () => {
    if (isRead(request)) late ??= setTimeout(() => gone.abort(BUSY), MOST_MS);
    await turns.next(tenant, gone.signal);
    const nowMs = performance.now();
    if (!isRead(request) || nowMs - checkedAtMs < LATE_MS) return;
    checkedAtMs = nowMs;
    await recheck();
  };
}

/** @returns what counts the page no more. */
function enter(id: string, kind: keyof typeof MOST_OPEN): () => void {
  const others = OPEN.get(id) ?? 0;
  if (others >= MOST_OPEN[kind]) throw BUSY;
  OPEN.set(id, others + 1);
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    const left = (OPEN.get(id) ?? 1) - 1;
    if (left === 0) OPEN.delete(id);
    else OPEN.set(id, left);
  };
}

function turnOf(deps: TurnDeps, request: FastifyRequest, reply: FastifyReply): NextTurn {
  if (request.pageTurn !== undefined) return request.pageTurn;
  const { viewer } = request;
  // An administrator may come to end a flood: their pages do not wait behind it.
  const tenant = { id: viewer?.id ?? wideNetworkOf(deps.networkOf(request)), isPaid: viewer?.isAdministrator === true };
  const recheck = (): Promise<void> => deps.recheck(request);
  return (request.pageTurn = pageTurns(deps.turns, { request, reply }, { tenant, recheck }));
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}
