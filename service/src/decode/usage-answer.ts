import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';

import type { Caller } from '../workspaces/index.ts';
import { answerError } from '../kernel/http/errors.ts';
import { HttpError } from '../kernel/http/http-error.ts';
import type { Meter, Usage } from '../metering/index.ts';
import type { UsageInfo } from './schemas.ts';

/** Usage as a body tells it. */
export function usageInfo({ limit, remaining, resetAtMs }: Usage): Static<typeof UsageInfo> {
  return { limit, remaining, resetAt: resetText(resetAtMs) };
}

/** The JSON of `usageInfo`. */
export function usageText({ limit, remaining, resetAtMs }: Usage): string {
  return `{"limit":${limit},"remaining":${remaining},"resetAt":"${resetText(resetAtMs)}"}`;
}

/** Months end rarely: the text of the last one is kept. */
let lastReset = { atMs: 0, text: new Date(0).toISOString() };

function resetText(atMs: number): string {
  if (lastReset.atMs !== atMs) lastReset = { atMs, text: new Date(atMs).toISOString() };
  return lastReset.text;
}

/** Usage as headers tell it. */
export function setUsageHeaders(reply: FastifyReply, usage: Usage): void {
  reply.header('x-ratelimit-limit', String(usage.limit ?? 'unlimited'));
  reply.header('x-ratelimit-remaining', String(usage.remaining ?? 'unlimited'));
  reply.header('x-ratelimit-reset', String(Math.floor(usage.resetAtMs / 1000)));
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

/** That the month is used up, for people. */
export function exhaustedText(caller: Caller): string {
  return caller.kind === 'subscriber'
    ? `The monthly limit of ${caller.limit} decodes is reached. It starts again next month, or rises with the plan.`
    : `The monthly limit of ${caller.limit} decodes without an API key is reached. It starts again next month; with a key it is higher.`;
}
