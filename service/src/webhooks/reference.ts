import type { TSchema } from 'typebox';

import { EVENT_DATA, EVENTS } from './events.ts';

const HEADERS = {
  'webhook-id': 'The same for every delivery attempt and every endpoint. Use it to ignore repeats.',
  'webhook-timestamp': 'When this attempt was signed, in seconds since 1970.',
  'webhook-signature':
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. For a day after you rotate the secret, two signatures, separated by a space.',
} as const;

const ALL_EVENTS = { ...EVENTS, 'webhook.test': 'Someone sent a test event from the portal.' } as const;

/** The part of an OpenAPI 3.1 description that documents events. */
export function webhookReference() {
  const entries = Object.entries(EVENT_DATA).map(([type, data]) => [type, { post: operationOf(type, data) }] as const);
  return Object.fromEntries(entries);
}

function operationOf(type: string, data: TSchema) {
  const [, summary = ''] = Object.entries(ALL_EVENTS).find(([name]) => name === type) ?? [];
  return {
    operationId: `on-${type.replace('.', '-')}`,
    summary,
    tags: ['webhooks'],
    // Signed, as the headers say: no scheme of OpenAPI describes that.
    security: [],
    parameters: Object.entries(HEADERS).map(([name, description]) => ({
      name,
      in: 'header' as const,
      required: true,
      description,
      schema: { type: 'string' as const },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: bodyOf(type, data) } },
    },
    responses: {
      '2XX': { description: 'Received. Any other status is retried for two days.' },
      '410': { description: 'Disables the webhook.' },
    },
  };
}

function bodyOf(type: string, data: TSchema) {
  return {
    type: 'object' as const,
    required: ['type', 'timestamp', 'data'],
    additionalProperties: false,
    properties: {
      type: { const: type, type: 'string' as const },
      timestamp: { type: 'string' as const, format: 'date-time', description: 'When it happened.' },
      data,
    },
  };
}
