import { type Static, type TSchema, Type } from 'typebox';

const Vin = Type.String({ description: 'The VIN, as it was requested.' });

const EnrichmentFinished = Type.Object(
  {
    vin: Vin,
    outcome: Type.Union([Type.Literal('found'), Type.Literal('nothing')], {
      description: '`found`: the next decode returns more. `nothing`: the next decode returns what the VIN alone says.',
    }),
  },
  { additionalProperties: false },
);

const JobEnded = Type.Object(
  {
    jobId: Type.String({ description: 'The ID from `POST /api/jobs`. A file uploaded in the portal is a job, too.' }),
    vins: Type.Integer({ description: 'How many VINs the job has.' }),
    done: Type.Integer({ description: 'How many have been processed.' }),
    charged: Type.Integer({ description: 'How many of these were decoded and charged.' }),
    results: Type.String({ description: 'Where to get the results.', examples: ['/api/jobs/019ab3c2/results'] }),
  },
  { additionalProperties: false },
);

const ReportDecided = Type.Object(
  {
    reportId: Type.String({ description: 'As `GET /api/reports` lists it.' }),
    vin: Type.Union([Vin, Type.Null()], { description: 'Null if the report was not about a VIN.' }),
    state: Type.Union(
      [Type.Literal('accepted'), Type.Literal('rejected'), Type.Literal('superseded'), Type.Literal('reverted')],
      { description: 'The new state of the report.' },
    ),
    reason: Type.String({ description: 'The reason, for people. May be empty.' }),
  },
  { additionalProperties: false },
);

const UsageThreshold = Type.Object(
  {
    percent: Type.Union([Type.Literal(80), Type.Literal(100)], { description: 'The share that was reached.' }),
    limit: Type.Integer({ description: 'The monthly limit at that time.' }),
    used: Type.Integer({ description: 'Decodes charged so far this month.' }),
    windowStart: Type.String({ format: 'date-time', description: 'The start of the month (UTC).' }),
    resetAt: Type.String({ format: 'date-time', description: 'When the count resets (UTC).' }),
  },
  { additionalProperties: false },
);

const Test = Type.Object({}, { additionalProperties: false });

/** The data of each type of event. */
const EVENT_DATA = {
  'enrichment.finished': EnrichmentFinished,
  'job.completed': JobEnded,
  'job.stopped': JobEnded,
  'report.decided': ReportDecided,
  'usage.threshold': UsageThreshold,
  'webhook.test': Test,
} as const;

/** The types that endpoints can subscribe to, with their meaning. */
export const EVENTS = {
  'enrichment.finished': 'A VIN that was pending has its result.',
  'job.completed': 'A job or file is complete.',
  'job.stopped':
    'A job or file stopped early: the monthly limit was reached, the workspace is suspended, or its key was revoked.',
  'report.decided': 'A report of a wrong decode was accepted, rejected, superseded, or reverted.',
  'usage.threshold': 'The workspace has used 80% or 100% of its monthly limit.',
} as const;

/** A type of event that an endpoint may choose. */
export type EventType = keyof typeof EVENTS;

/** All of them, by name. */
export const EVENT_TYPES = Object.keys(EVENTS).filter((name): name is EventType => Object.hasOwn(EVENTS, name));

/** An event to be stored. */
export type NewEvent = {
  [Type in keyof typeof EVENT_DATA]: { type: Type; data: Static<(typeof EVENT_DATA)[Type]> };
}[keyof typeof EVENT_DATA];

/** Returns the delivered body of an event: the same for every attempt. `data` is JSON. */
export function bodyOf(type: string, data: string, atMs: number): string {
  return JSON.stringify({ type, timestamp: new Date(atMs).toISOString(), data: JSON.parse(data) });
}

const HEADERS = {
  'webhook-id': 'The same for every delivery attempt and every endpoint. Use it to ignore repeats.',
  'webhook-timestamp': 'When this attempt was signed, in seconds since 1970.',
  'webhook-signature':
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. For a day after you rotate the secret, two signatures, separated by a space.',
} as const;

const ALL_EVENTS = { ...EVENTS, 'webhook.test': 'Someone sent a test event from the portal.' } as const;

/** Returns the part of an OpenAPI 3.1 description that documents events. */
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
      content: { 'application/json': { schema: bodySchema(type, data) } },
    },
    responses: {
      '2XX': { description: 'Received. Any other status is retried for two days.' },
      '410': { description: 'Disables the webhook.' },
    },
  };
}

function bodySchema(type: string, data: TSchema) {
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
