import type { FastifyBodyParser, FastifyInstance } from 'fastify';

import { HttpError } from './http-error.ts';

const NOT_JSON = new HttpError(415, 'Send the body as JSON with the header Content-Type: application/json.');
const FORBIDDEN_NAME = new HttpError(
  400,
  'The body holds a property name that is not allowed: __proto__ or constructor.',
);

/**
 * Bodies are JSON and nothing else, sent as `application/json` or with no media type at all, which a hand-written
 * client may forget.
 *
 * `application/x-www-form-urlencoded` is what `curl -d` claims for any body. The documented one-liner has no header, so
 * a body that begins as JSON is read as JSON under that type; a real form gets the 415 of every other media type. The
 * API knows no cookies, so a form on a foreign page gains nothing by it.
 *
 * `__proto__` and `constructor.prototype` are refused, not dropped: only an attack sends them.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parseStrictly = app.getDefaultJsonParser('error', 'error');
  const parseJson: FastifyBodyParser<string> = (request, body, done) =>
    void parseStrictly(request, body, (error, parsed) => done(error && isJson(body) ? FORBIDDEN_NAME : error, parsed));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, parseJson);
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body: string, done) => {
    const type = request.headers['content-type'];
    const asJson = type === undefined || (type.startsWith('application/x-www-form-urlencoded') && isLikeJson(body));
    if (asJson) parseJson(request, body, done);
    else done(NOT_JSON);
  });
}

function isLikeJson(body: string): boolean {
  return /^\s*(?:[[{"]|$)/.test(body);
}

function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}
