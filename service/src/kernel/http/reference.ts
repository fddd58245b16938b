import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type { OpenAPIV3_1 } from 'openapi-types';
import type { TSchema } from 'typebox';

import { SERVICE_VERSION } from '../version.ts';
import { type BrowserSafetyOptions, brandHeaders } from './browser-safety.ts';
import { answerOf, ErrorResponse, textField } from './schemas.ts';

const DESCRIPTION = `Decodes vehicle identification numbers (VINs) into compact vehicle reports. Usage is counted by calendar month (UTC).

Without a key, you get basic fields and a small monthly allowance for each network address. With a key, you get the fields and the limit of your plan. Send the key as \`x-api-key\` or as a bearer token. Every error has a body \`{"error": "…"}\` with a message for people. You pay for answers with status 200 only.`;

const TAGS = [
  {
    name: 'decode',
    description: 'Decode one VIN or a batch, or check a VIN for free.',
  },
  { name: 'jobs', description: 'Decode up to 200,000 VINs in the background.' },
  { name: 'usage', description: 'See what your workspace has used, by month, day, and key.' },
  { name: 'vpic', description: "Run programs written for NHTSA's vPIC API on Marque." },
  { name: 'corrections', description: 'Report a wrong decode, and follow its review.' },
  { name: 'webhooks', description: 'Receive events at your own endpoint.' },
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
 * @param options the service's address, and the brand of its headers.
 * @param webhooks the requests that the service itself sends, as OpenAPI describes them.
 */
export async function describeRoutes(
  app: FastifyInstance,
  { baseUrl, headerBrand }: BrowserSafetyOptions,
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
    transform: ({ schema, url }) => ({ schema: completed(schema, callerHeaders(headerBrand)), url }),
    // Shared schemas keep their own names instead of def-0, def-1 and so on.
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        typeof json.$id === 'string' ? json.$id : `schema-${index}`,
    },
  });
  // Serialized once: it is large, public, and never changes while the service runs.
  let text: string | undefined;
  app.get('/openapi.json', { config: { etag: true }, schema: { hide: true } }, (_request, reply) => {
    text ??= JSON.stringify(app.swagger());
    return reply.header('access-control-allow-origin', '*').type('application/json; charset=utf-8').send(text);
  });
}

/** Returns the headers that name the caller. */
function callerHeaders(headerBrand: string): Record<string, TSchema> {
  const { auth, client } = brandHeaders(headerBrand);
  return {
    [auth]: textField('Whether the request was public or came with a key.', 'public', 'subscriber'),
    [client]: textField('Slug of the workspace. Only with a key.', 'acme'),
  };
}

/**
 * Completes an operation's description: its security, the refusals before requests reach a route, and the headers about
 * the caller.
 */
function completed(schema: FastifySchema, caller: Record<string, TSchema>): FastifySchema {
  const { security = [] } = schema;
  if (security.length === 0) {
    const refusals = { 431: answerOf('ErrorResponse', 'The request headers are too large.') };
    return { ...schema, security, response: Object.assign(refusals, schema.response) };
  }
  const refusals = {
    429: answerOf('RateLimitErrorResponse', 'A test key was used too often. Try again after Retry-After seconds.'),
  };
  const described = Object.entries<object>(Object.assign(refusals, schema.response));
  const response = described.map(([status, answer]) => [status, namesCaller(status) ? named(answer, caller) : answer]);
  return { ...schema, response: Object.fromEntries(response) };
}

/**
 * Returns true if the caller is known when a status is answered: not if a key was refused, or the service failed
 * before.
 */
function namesCaller(status: string): boolean {
  return status !== '401' && Number(status) < 500;
}

function named(answer: object, caller: Record<string, TSchema>): object {
  return { ...answer, headers: { ...caller, ...('headers' in answer ? Object(answer.headers) : {}) } };
}
