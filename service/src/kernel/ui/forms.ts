import type { FastifyInstance, FastifyRequest } from 'fastify';

import { HttpError } from '../http/http-error.ts';

/** Our largest form has about ten fields: this many are an attack. */
const MOST_FIELDS = 200;

/** Makes the routes of this scope read forms as browsers send them. Their bodies are `URLSearchParams`. */
export function readForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body: string, done) => {
      const fields = new URLSearchParams(body);
      if (fields.size > MOST_FIELDS) done(new HttpError(400, 'The form has too many fields.'));
      else done(null, fields);
    },
  );
}

/** The fields of a form; none where the request has no body. */
export function formOf(request: FastifyRequest): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
}

/** A field as one trimmed line of text; empty where it is missing. */
export function textField(form: URLSearchParams, name: string, longest: number): string {
  return oneLine(form.get(name) ?? '', longest);
}

/** A text as one trimmed line, without control characters and what turns its direction. */
export function oneLine(text: string, longest: number): string {
  // oxlint-disable-next-line no-control-regex -- they are what is taken out
  const line = text.replace(/[\u0000-\u001f\u007f\u2028-\u202e\u2066-\u2069]+/g, ' ').trim();
  return [...line].slice(0, longest).join('');
}

/** The status of a page that shows a form again: 422 where something is wrong with it. */
export function formStatus(...faults: unknown[]): number {
  return faults.every((fault) => fault === undefined) ? 200 : 422;
}

/** Whether htmx asks for a part of a page. */
export function wantsPart(request: FastifyRequest): boolean {
  return request.headers['hx-request'] === 'true';
}
