import type { FastifyReply } from 'fastify';
import type { Static, TSchema } from 'typebox';

import type { Caller } from '../workspaces/index.ts';
import { brandHeaders } from '../kernel/http/browser-safety.ts';
import { textField } from '../kernel/http/schemas.ts';
import type { Usage } from '../metering/index.ts';
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

/** The names of the brand's headers: a service has one brand, and puts them on every answer. */
let lastBrand = { headerBrand: '', auth: '', client: '' };

/** Usage and who was asked for, as headers tell it. */
export function setUsageHeaders(reply: FastifyReply, headerBrand: string, caller: Caller, usage: Usage): void {
  if (lastBrand.headerBrand !== headerBrand) lastBrand = { headerBrand, ...brandHeaders(headerBrand.toLowerCase()) };
  reply.header(lastBrand.auth, caller.kind);
  if (caller.kind === 'subscriber') reply.header(lastBrand.client, caller.slug);
  reply.header('x-ratelimit-limit', String(usage.limit ?? 'unlimited'));
  reply.header('x-ratelimit-remaining', String(usage.remaining ?? 'unlimited'));
  reply.header('x-ratelimit-reset', String(Math.floor(usage.resetAtMs / 1000)));
}

/** That the month is used up, for people. */
export function exhaustedText(caller: Caller): string {
  return caller.kind === 'subscriber'
    ? `The monthly limit of ${caller.limit} decodes is reached. It starts again next month, or rises with the plan.`
    : `The monthly limit of ${caller.limit} decodes without an API key is reached. It starts again next month; with a key it is higher.`;
}

/** The headers of `setUsageHeaders`, for the reference. */
export function usageHeaders(headerBrand: string): Record<string, TSchema> {
  const { auth, client } = brandHeaders(headerBrand);
  return {
    [auth]: textField('Whether the request was public or came with a key.', 'public', 'subscriber'),
    [client]: textField('Slug of the workspace. Only with a key.', 'acme'),
    'X-RateLimit-Limit': textField('Decodes allowed in the current month, or unlimited.', '100'),
    'X-RateLimit-Remaining': textField('Decodes left in the current month, or unlimited.', '99'),
    'X-RateLimit-Reset': textField('Unix time of the next reset, in seconds.', '1796083200'),
  };
}
