import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { callerOf, authenticate } from '../../workspaces/index.ts';
import { HttpError } from '../../kernel/http/http-error.ts';
import { JSON_BOUNDS } from '../../kernel/http/json-shape.ts';
import type { BatchQueue } from '../batch/queue.ts';
import type { DecodeParts } from '../parts.ts';
import { vinsIn } from './backend.ts';

/** A hundred VINs, or a report with every character of its texts escaped. */
const BODY_LIMIT = 65_536;

/**
 * Bounds of the messages. The SDK goes through each part several times and prints each that is at fault, which takes up
 * to 7 µs. A hundred VINs, ten reports of wrong decodes and the capabilities of any client stay far below.
 */
const BODY_BOUNDS = { ...JSON_BOUNDS, names: 300, values: 500 };

/**
 * Messages in one batch. Newer versions of the protocol have no batches, and `decode_vins` takes many VINs in one call.
 */
const MOST_MESSAGES = 10;

const NO_KEY = new HttpError(401, 'Send an API key: decodes by an assistant are charged to the workspace of the key.', {
  'www-authenticate': 'Bearer realm="Marque"',
});

/**
 * Adds `/mcp`: the Model Context Protocol over streamable HTTP. Each request is complete, so that any instance can
 * answer any of them: no session, no stream that the server would open, and a plain JSON answer.
 */
export function addMcp(app: FastifyInstance, deps: DecodeParts, queue: BatchQueue): void {
  const config = { jsonBounds: BODY_BOUNDS };
  const options = { onRequest: authenticate(deps.access), bodyLimit: BODY_LIMIT, config, schema: { hide: true } };
  app.post('/mcp', options, (request, reply) => answer(deps, queue, request, reply));
}

async function answer(
  deps: DecodeParts,
  queue: BatchQueue,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = callerOf(request);
  if (caller.kind === 'public') throw NO_KEY;
  const { body } = request;
  if (Array.isArray(body) && body.length > MOST_MESSAGES) {
    const most = `A batch has at most ${MOST_MESSAGES} messages, and this one has ${body.length}.`;
    throw new HttpError(400, `${most} Send several requests, and several VINs to decode_vins. Nothing was charged.`);
  }
  // Loaded on the first request: most services never get one, and start sooner without it.
  const { answerMcp } = await import('./answer.ts');
  const vins = vinsIn(Array.isArray(body) ? body : [body]);
  const { status, headers, text } = await queue.run(caller, { request, reply, vins }, () =>
    answerMcp(deps, caller, request),
  );
  return reply.code(status).headers(headers).send(text);
}
