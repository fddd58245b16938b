import type { CatalogInfo } from '@marque/decoder';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';

import type { Caller } from '../workspaces/index.ts';
import { CATALOG_HEADER, catalogVersion } from '../catalog/index.ts';
import {
  type IdempotencyRefusal,
  type Meter,
  type Usage,
  USAGE_HEADERS,
  idempotencyRefusal,
} from '../metering/index.ts';
import { answerError, textOf } from '../kernel/http/errors.ts';
import { HttpError } from '../kernel/http/http-error.ts';
import { answerOf, REFUSAL_HEADERS, textField } from '../kernel/http/schemas.ts';
import type { UsageInfo } from './schemas.ts';

/** The headers of every answer of a metered route, for the reference. */
export const METERED_HEADERS = { ...USAGE_HEADERS, ...CATALOG_HEADER };

/** The header that names a stored decode, for the reference. */
export const DECODE_ID_HEADER = {
  'X-Request-Id': textField('ID of the stored decode. Quote it when you ask about this decode.'),
};

/** Returns the answer that the month is used up, for the reference. */
export function exhaustedAnswer(description = 'The monthly limit is reached.'): TSchema {
  return answerOf('RateLimitErrorResponse', description, { ...METERED_HEADERS, ...REFUSAL_HEADERS });
}

/** Returns usage for a body. */
export function usageInfo({ limit, remaining, resetAtMs }: Usage): Static<typeof UsageInfo> {
  return { limit, remaining, resetAt: resetText(resetAtMs) };
}

/** Months end rarely: the text of the last one is kept. */
let lastReset = { atMs: 0, text: new Date(0).toISOString() };

function resetText(atMs: number): string {
  if (lastReset.atMs !== atMs) lastReset = { atMs, text: new Date(atMs).toISOString() };
  return lastReset.text;
}

function setUsageHeaders(reply: FastifyReply, usage: Usage): void {
  reply.header('x-ratelimit-limit', String(usage.limit ?? 'unlimited'));
  reply.header('x-ratelimit-remaining', String(usage.remaining ?? 'unlimited'));
  reply.header('x-ratelimit-reset', String(Math.floor(usage.resetAtMs / 1000)));
}

/** Sets the headers of usage, and of the catalog. */
export function setMeteredHeaders(reply: FastifyReply, info: CatalogInfo, usage: Usage): void {
  reply.header('x-catalog-version', catalogVersion(info));
  setUsageHeaders(reply, usage);
}

/** Answers that the month is used up. */
export function sendExhausted(reply: FastifyReply, caller: Caller, usage: Usage): FastifyReply {
  return reply.code(429).send({ error: exhaustedText(caller), ...usageInfo(usage) });
}

/** A refusal without usage. */
type UnmeteredRefusal =
  | { kind: 'malformed'; message: string }
  | { kind: 'overloaded'; retryAfterSeconds: number }
  | IdempotencyRefusal;

/** Converts the refusal to an HTTP error. None of these is charged. */
export function refusalOf(outcome: UnmeteredRefusal): HttpError {
  switch (outcome.kind) {
    case 'malformed':
      return new HttpError(400, outcome.message);
    case 'overloaded':
      return new HttpError(503, textOf(503), { 'retry-after': String(outcome.retryAfterSeconds) });
    default:
      return idempotencyRefusal(outcome);
  }
}

/** Answers errors; a 429 with the caller's usage, as the one of the monthly limit has it. */
export function answerErrors(meter: Pick<Meter, 'peek'>) {
  return async (error: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!(error instanceof HttpError) || error.statusCode !== 429 || request.caller === null) {
      return answerError(error, request, reply);
    }
    try {
      const usage = await meter.peek(request.caller);
      setUsageHeaders(reply, usage);
      return reply
        .code(429)
        .headers(error.headers)
        .send({ error: error.message, ...usageInfo(usage) });
    } catch {
      // The usage is an addition: without it the refusal is still right.
      return answerError(error, request, reply);
    }
  };
}

/** Kept: to make one takes a hundred times as long as to use it. */
const ENGLISH = new Intl.NumberFormat('en-US');

/** Returns the message that the month is used up, for people. */
export function exhaustedText(caller: Caller): string {
  const limit = ENGLISH.format(caller.limit ?? 0);
  return caller.kind === 'subscriber'
    ? `The monthly limit of ${limit} decodes is reached. It resets next month. A higher limit takes effect at once.`
    : `The monthly limit of ${limit} decodes without an API key is reached. It resets next month; an API key has a limit of its own.`;
}
