import type { FastifyInstance, FastifyRequest } from 'fastify';

import { HttpError } from './http-error.ts';
import { inTurn } from './in-turn.ts';
import { type JsonBounds, parseBoundedJson } from './json-shape.ts';
import { textOf } from './errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Bounds of the route's bodies of JSON; default: those of all bodies. */
    jsonBounds?: JsonBounds;
  }
}

/** Matches the beginning of a media type (RFC 9110, 8.3.1). */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/**
 * Reads bodies as JSON and nothing else, whatever their media type: `curl -d` claims a form, and `fetch` plain text,
 * for every body that its caller gave no type. Only `multipart/*` is refused as such, because its body is never JSON.
 * The API ignores cookies, so a form on another site gains nothing by it.
 *
 * `__proto__` and `constructor` are names like others: `JSON.parse` makes plain properties of them. Bodies are read by
 * name, and stored as JSON.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, inTurn(readJson));
  app.addContentTypeParser('*', { parseAs: 'string' }, inTurn(readJson));
  app.addContentTypeParser(/^multipart\//i, { parseAs: 'string' }, (_request, _body, done) =>
    done(new HttpError(415, textOf(415))),
  );
  // Fastify refuses a malformed media type before it asks any parser.
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    const type = headers['content-type'];
    if (type !== undefined && !MEDIA_TYPE.test(type)) delete headers['content-type'];
    done();
  });
}

function readJson(body: string, { routeOptions }: FastifyRequest): unknown {
  if (body === '') throw new HttpError(400, 'The body is empty. Send JSON.');
  try {
    return parseBoundedJson(body, routeOptions.config.jsonBounds);
  } catch (error) {
    throw error instanceof HttpError ? error : new HttpError(400, 'The body is not valid JSON.');
  }
}
