import type { FastifyReply } from 'fastify';

import { busyError } from '../kernel/http/errors.ts';
import type { WorkTurns } from '../kernel/limits/work-turns.ts';

/** Makes a page that takes milliseconds, for anybody, when it is its turn. @throws HttpError 503 when too many wait. */
export async function inTurn(turns: WorkTurns, network: string, make: () => FastifyReply): Promise<FastifyReply> {
  // A reply is a thenable: returned bare, it would hold the turn until the client has read the page.
  const made = await turns.run(network, () => [make()] as const);
  if (made.kind === 'done') return made.result[0];
  throw busyError();
}
