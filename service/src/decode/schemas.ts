import { type Static, Type } from 'typebox';

import { nullable, oneOf } from '../kernel/http/schemas.ts';
import { PLANS } from '../workspaces/index.ts';

/** Body of `POST /api/decode`. Fields that are not listed are ignored. */
export const DecodeRequest = Type.Object(
  {
    vin: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The vehicle identification number. Case does not matter. Spaces, hyphens, and dots are removed.',
      examples: ['1HGCM82633A004352'],
    }),
  },
  { $id: 'DecodeRequest', title: 'DecodeRequest', examples: [{ vin: '1HGCM82633A004352' }] },
);

/** The rest of the month's decodes. */
export const UsageInfo = Type.Object(
  {
    limit: nullable(
      Type.Integer({ description: 'Decodes allowed in the current month. null: no limit.', examples: [100] }),
    ),
    remaining: nullable(
      Type.Integer({ description: 'Decodes left in the current month. null: no limit.', examples: [99] }),
    ),
    resetAt: nullable(
      Type.String({
        format: 'date-time',
        description: 'When the next month begins (UTC).',
        examples: ['2026-12-01T00:00:00.000Z'],
      }),
    ),
  },
  { $id: 'UsageInfo', title: 'UsageInfo' },
);

/** Metadata of an answer to a key. */
export const DecodeMetadata = Type.Object(
  {
    plan: oneOf(PLANS, 'Plan of the key.', 'free'),
    upgradeAvailable: Type.Boolean({ description: 'Whether there is a higher plan.' }),
    premiumFieldsAvailable: Type.Integer({
      description:
        'How many values this vehicle has beyond the nine basic fields, whether or not your plan shows them. Segments of the VIN and validFormat do not count.',
    }),
  },
  { description: 'Only in answers to a request with a key.' },
);

/** Body of a decode's 200. */
export const DecodeResponse = Type.Object(
  {
    report: Type.Unsafe<object>({ $ref: 'VehicleReport#' }),
    usage: Type.Unsafe<object>({ $ref: 'UsageInfo#' }),
    metadata: Type.Optional(DecodeMetadata),
  },
  { $id: 'DecodeResponse', title: 'DecodeResponse' },
);

/** Body of a 202: the VIN is valid, and what it says needs a slower look outside. */
export const EnrichmentPendingResponse = Type.Object(
  {
    status: Type.Literal('enrichment_pending'),
    retryAfterSeconds: Type.Integer({
      minimum: 1,
      maximum: 60,
      description: 'When to send the same request again.',
      examples: [3],
    }),
    usageCharged: Type.Literal(false, { description: 'This answer is free. The answer with the report is charged.' }),
    usage: Type.Unsafe<Static<typeof UsageInfo>>({ $ref: 'UsageInfo#' }),
  },
  { $id: 'EnrichmentPendingResponse', title: 'EnrichmentPendingResponse' },
);

/** Body of a 429 of the monthly limit. */
export const RateLimitErrorResponse = Type.Object(
  {
    error: Type.String({
      description: 'What went wrong, for people.',
      examples: [
        'The monthly limit of 100 decodes is reached. It resets next month. A higher limit takes effect at once.',
      ],
    }),
    limit: Type.Optional(nullable(Type.Integer())),
    remaining: Type.Optional(nullable(Type.Integer({ description: '0 when the limit is reached.' }))),
    resetAt: Type.Optional(nullable(Type.String({ format: 'date-time' }))),
  },
  { $id: 'RateLimitErrorResponse', title: 'RateLimitErrorResponse' },
);
