import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type { OpenAPIV3_1 } from 'openapi-types';

import { SERVICE_VERSION } from '../version.ts';
import { answerOf, ErrorResponse } from './schemas.ts';

const DESCRIPTION = `Decodes vehicle identification numbers into compact vehicle reports, metered by the calendar month (UTC).

Without a key a request is public: basic fields, and a small monthly number for each network address. A key raises both; send it as \`x-api-key\` or as a bearer token. Every refusal has a body \`{"error": "…"}\` with a sentence for people, and is never charged.`;

const TAGS = [
  {
    name: 'decode',
    description: 'From a VIN to a vehicle: one by one, in batches, or checked without a charge.',
  },
  { name: 'jobs', description: 'Decode very many VINs in the background.' },
  { name: 'usage', description: 'What the workspace has used, by month, day, and key.' },
  { name: 'vpic', description: "NHTSA's own API, answered from Marque's catalog, for programs written for it." },
  { name: 'corrections', description: 'Report a wrong decode, and see what became of it.' },
  { name: 'webhooks', description: 'Events that the service sends to your endpoint.' },
  { name: 'operation', description: 'For load balancers and orchestrators.' },
];

const WAYS_TO_SEND_A_KEY: Record<string, OpenAPIV3_1.SecuritySchemeObject> = {
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The preferred way to send a key.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same key as `Authorization: Bearer …`.' },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'The same key as the password, for vPIC clients that cannot set headers.',
  },
  apiKeyInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description:
      'The same key as a parameter, for clients that can change only the address. Addresses end up in logs and histories: see docs/vpic.md.',
  },
};

/**
 * Describes the routes that are added after it, and serves the description at `/openapi.json`.
 *
 * @param webhooks what the service itself sends, as OpenAPI describes it.
 */
export async function describeRoutes(
  app: FastifyInstance,
  baseUrl: string | undefined,
  webhooks: OpenAPIV3_1.Document['webhooks'],
): Promise<void> {
  app.addSchema(ErrorResponse);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Marque',
        version: SERVICE_VERSION,
        description: DESCRIPTION,
        contact: { name: 'The operator of this service' },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: baseUrl ?? '/' }],
      tags: TAGS,
      webhooks,
      components: { securitySchemes: WAYS_TO_SEND_A_KEY },
    },
    transform: ({ schema, url }) => ({ schema: completed(schema), url }),
    // Shared schemas keep their own names instead of def-0, def-1 and so on.
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        typeof json.$id === 'string' ? json.$id : `schema-${index}`,
    },
  });
  // Written once: it is large, free for anybody, and never changes while the service runs.
  let text: string | undefined;
  app.get('/openapi.json', { config: { etag: true }, schema: { hide: true } }, (_request, reply) => {
    text ??= JSON.stringify(app.swagger());
    return reply.header('access-control-allow-origin', '*').type('application/json; charset=utf-8').send(text);
  });
}

/** What every operation says: who may call it, and how requests are refused before they reach a route. */
function completed(schema: FastifySchema): FastifySchema {
  const { security = [] } = schema;
  const refusals =
    security.length === 0
      ? { 431: answerOf('ErrorResponse', 'The request headers are too large.') }
      : { 429: answerOf('ErrorResponse', 'A test key was used too often. Try again after Retry-After seconds.') };
  return { ...schema, security, response: Object.assign(refusals, schema.response) };
}
