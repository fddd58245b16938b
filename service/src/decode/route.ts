import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';

import { readVinAlone, vinWithin } from '@marque/catalog/cells';

import { HttpError } from '../kernel/http/http-error.ts';
import { callerOf, authenticate, type Plan } from '../workspaces/index.ts';
import { idempotencyKeyHeader, markReplay, REPLAY_HEADER } from '../metering/index.ts';
import { VehicleReport } from '../report/index.ts';
import { answerOf, errorAnswers, textField } from '../kernel/http/schemas.ts';
import { depthOf, planMetadata } from './depth.ts';
import { decodeFor, type DecodeOutcome } from './metered.ts';
import type { DecodeParts } from './parts.ts';
import {
  DecodeRequest,
  DecodeResponse,
  EnrichmentPendingResponse,
  RateLimitErrorResponse,
  UsageInfo,
} from './schemas.ts';
import {
  DECODE_ID_HEADER,
  exhaustedAnswer,
  METERED_HEADERS,
  refusalOf,
  setMeteredHeaders,
  sendExhausted,
  usageInfo,
} from './usage-answer.ts';

const SCHEMAS = [
  VehicleReport,
  UsageInfo,
  DecodeRequest,
  DecodeResponse,
  EnrichmentPendingResponse,
  RateLimitErrorResponse,
];

/** Adds `POST /api/decode`. */
export function addDecode(app: FastifyInstance, deps: DecodeParts): void {
  for (const schema of SCHEMAS) {
    app.addSchema(schema);
  }
  app.post<{ Body: Static<typeof DecodeRequest> }>(
    '/api/decode',
    { onRequest: authenticate(deps.access), schema: describeDecode(), attachValidation: true },
    async (request, reply) => {
      if (request.validationError !== undefined) throw namingVin(request.body, request.validationError);
      const caller = callerOf(request);
      const outcome = await decodeFor(deps, caller, {
        text: request.body.vin,
        id: request.id,
        idempotencyKey: request.headers['idempotency-key']?.toString(),
      });
      if (outcome.kind !== 'granted' && outcome.kind !== 'exhausted' && outcome.kind !== 'pending') {
        throw refusalOf(outcome);
      }
      setMeteredHeaders(reply, deps.decoder.info, outcome.usage);
      if (outcome.kind === 'exhausted') return sendExhausted(reply, caller, outcome.usage);
      if (outcome.kind === 'pending') return replyPending(reply, outcome);
      if (outcome.isReplay) markReplay(reply);
      reply.header('x-request-id', outcome.id).header('content-type', 'application/json; charset=utf-8');
      return reply.send(answerText(caller.kind === 'subscriber' ? caller.plan : undefined, outcome));
    },
  );
}

/** Returns the error of a body that the schema refuses; if only its text is too long, the error names the VIN in it. */
function namingVin(body: unknown, fault: Error): Error {
  const vin = typeof body === 'object' && body !== null && 'vin' in body ? body.vin : undefined;
  if (typeof vin !== 'string' || vinWithin(vin) === undefined) return fault;
  const form = readVinAlone(vin);
  return form.kind === 'malformed' ? new HttpError(400, form.message) : fault;
}

/**
 * Returns the body of a 200. It is put together here because the report is text already, as it is stored; `project` has
 * cut it to the response schema.
 */
function answerText(plan: Plan | undefined, { answer, usage }: Extract<DecodeOutcome, { kind: 'granted' }>): string {
  const metadata = plan && { ...planMetadata(plan), premiumFieldsAvailable: answer.premiumFields };
  const rest = JSON.stringify({ usage: usageInfo(usage), metadata });
  return `{"report":${answer.textAt(depthOf(plan))},${rest.slice(1)}`;
}

/** Answers that the VIN is looked up: when to come back, and that nothing was charged. */
function replyPending(
  reply: FastifyReply,
  { id, retryAfterSeconds, usage }: Extract<DecodeOutcome, { kind: 'pending' }>,
): FastifyReply {
  reply.headers({ 'x-request-id': id, 'retry-after': String(retryAfterSeconds) });
  const body: Static<typeof EnrichmentPendingResponse> = {
    status: 'enrichment_pending',
    retryAfterSeconds,
    usageCharged: false,
    usage: usageInfo(usage),
  };
  return reply.code(202).send(body);
}

function describeDecode() {
  return {
    tags: ['decode'],
    operationId: 'decode',
    summary: 'Decode a VIN.',
    description:
      'Returns the vehicle report and your usage this month. Without a key and on the Free plan, the report has vin, wmi, vds, manufacturer, model, bodyStyle, bodyStyleNormalized, modelYear, and region. Other plans see everything that is known. Charged only if the status is 200.',
    security: [{}, { apiKey: [] }, { bearer: [] }],
    headers: idempotencyKeyHeader('you get the same answer and are charged once'),
    body: Type.Unsafe<object>({ $ref: 'DecodeRequest#' }),
    response: {
      200: answerOf('DecodeResponse', 'The report.', { ...METERED_HEADERS, ...DECODE_ID_HEADER, ...REPLAY_HEADER }),
      202: answerOf(
        'EnrichmentPendingResponse',
        'The VIN is still being looked up. Send the same request again after Retry-After seconds. Not charged.',
        {
          ...METERED_HEADERS,
          ...DECODE_ID_HEADER,
          'Retry-After': textField('Seconds to wait before you ask again.', '3'),
        },
      ),
      429: exhaustedAnswer(),
      ...errorAnswers(
        { 400: 'The body is not JSON or has no valid VIN. The message says what to change.' },
        [401, 409, 413, 415, 422, 500, 503],
      ),
    },
  };
}
