import { readHints } from '@marque/decoder';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';

import { HttpError } from '../../kernel/http/http-error.ts';
import { answerOf, errorAnswers, KEY_NEEDED } from '../../kernel/http/schemas.ts';
import { authenticate, subscriberOf, type Subscriber } from '../../workspaces/index.ts';
import { project, depthOf, metadataFor } from '../depth.ts';
import {
  DECODE_ID_HEADER,
  METERED_HEADERS,
  refusalOf,
  setMeteredHeaders,
  sendExhausted,
  usageInfo,
} from '../usage-answer.ts';
import type { DecodeParts } from '../parts.ts';
import { candidatesFor, firstFaults, tooOftenText } from './candidates-for.ts';
import { CandidatesRequest, CandidatesResponse } from './schemas.ts';

type Body = Static<typeof CandidatesRequest>;

/** Adds `POST /api/decode/candidates`. It needs the schemas of `POST /api/decode`. */
export function addCandidates(app: FastifyInstance, deps: DecodeParts): void {
  for (const schema of [CandidatesRequest, CandidatesResponse]) app.addSchema(schema);
  app.post<{ Body: Body }>(
    '/api/decode/candidates',
    {
      onRequest: [authenticate(deps.access), async (request) => void fullCallerOf(request)],
      schema: describeCandidates(),
    },
    async (request, reply) => {
      const caller = fullCallerOf(request);
      const form = readHints(request.body.hints ?? {});
      if (form.kind === 'malformed') throw new HttpError(400, firstFaults(form.messages));
      const question = { id: request.id, text: request.body.vin, hints: form.hints };
      const outcome = await candidatesFor(deps, caller, question);
      if (outcome.kind === 'malformed' || outcome.kind === 'overloaded') throw refusalOf(outcome);
      if (outcome.kind === 'too-often') {
        const { retryAfterSeconds } = outcome;
        throw new HttpError(429, tooOftenText(retryAfterSeconds), { 'retry-after': String(retryAfterSeconds) });
      }
      setMeteredHeaders(reply, deps.decoder.info, outcome.usage);
      if (outcome.kind === 'exhausted') return sendExhausted(reply, caller, outcome.usage);
      const { id, answer, usage } = outcome;
      reply.header('x-request-id', id);
      const body: Static<typeof CandidatesResponse> = {
        ...answer,
        report: project('full', answer.report),
        usage: usageInfo(usage),
        metadata: metadataFor(caller.plan, answer.report),
      };
      return reply.send(body);
    },
  );
}

/** Returns the caller, who sees all known fields: open ones are beyond the basic fields. */
function fullCallerOf(request: FastifyRequest): Subscriber {
  const caller = subscriberOf(request, 'Send an API key of a paid plan: candidates are not public.');
  if (depthOf(caller.plan) === 'full') return caller;
  throw new HttpError(403, 'Candidates are available with the plans starter, business, and enterprise.');
}

function describeCandidates() {
  return {
    tags: ['decode'],
    operationId: 'decodeCandidates',
    summary: 'Get open questions.',
    description:
      'Returns the report that the VIN and the hints settle together, and for each field that stays open the values that remain, most likely first. Needs a plan above Free. Charged like a decode. For 24 hours, more requests for the same VIN are free, whatever the hints.',
    security: [{ apiKey: [] }, { bearer: [] }],
    body: Type.Unsafe<Body>({ $ref: 'CandidatesRequest#' }),
    response: {
      200: answerOf('CandidatesResponse', 'The report, and what is open.', { ...METERED_HEADERS, ...DECODE_ID_HEADER }),
      429: answerOf(
        'RateLimitErrorResponse',
        'The monthly limit is reached, or candidates are asked for too often.',
        METERED_HEADERS,
      ),
      ...errorAnswers(
        {
          400: 'The body is not JSON, or its VIN or a hint is invalid. The message says what to change.',
          401: KEY_NEEDED,
          403: 'Your plan does not include candidates.',
        },
        [413, 415, 500, 503],
      ),
    },
  };
}
