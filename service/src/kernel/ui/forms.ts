import type { FastifyInstance, FastifyRequest } from 'fastify';

import { UNSTORABLE } from '../http/errors.ts';
import { readFields } from '../http/form-body.ts';
import { HttpError } from '../http/http-error.ts';
import { inTurn } from '../http/in-turn.ts';
import { DAY_MS } from '../clock.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Makes the routes of this scope read forms as browsers send them. Their bodies are `URLSearchParams`. */
export function readForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) =>
    done(new HttpError(415, `Send the form with the header Content-Type: ${FORM}.`)),
  );
  scope.addContentTypeParser(FORM, { parseAs: 'string' }, inTurn(readFields));
}

/** The field of a form that tells for whom its page was made. */
export const VIEWER_FIELD = 'viewer';

/** Refuses forms of a page that was made for another person, who had signed in to the same browser before. */
export function refuseFormsOfOthers(scope: FastifyInstance): void {
  scope.addHook('preValidation', (request, _reply, done) => {
    const madeFor = formOf(request).get(VIEWER_FIELD);
    const isOthers = madeFor !== null && request.viewer !== undefined && madeFor !== request.viewer.id;
    done(isOthers ? new HttpError(409, OTHERS_FORM) : undefined);
  });
}

const OTHERS_FORM =
  'Nothing was changed: someone else has signed in to this browser since the page was opened. Open it again.';

/** Returns the fields of a form; none if the request has no body. */
export function formOf(request: FastifyRequest): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
}

/** Returns a field as one trimmed line of text; empty if it is missing. */
export function textField(form: URLSearchParams, name: string, longest: number): string {
  return oneLine(form.get(name) ?? '', longest);
}

/** Characters that are looked at for each one of a line: blanks and what is taken out may come before them. */
const LOOKED_AT = 10;

/** Returns a text as one trimmed line, without control characters and changes of direction. */
export function oneLine(text: string, longest: number): string {
  const begin = text.slice(0, LOOKED_AT * longest);
  // oxlint-disable-next-line no-control-regex -- they are what is taken out
  const line = begin.replace(/[\u0000-\u001f\u007f\u2028-\u202e\u2066-\u2069]+/g, ' ').trim();
  return [...line].slice(0, longest).join('');
}

/** Returns the status of a page that shows a form again: 422 if something is wrong with it. */
export function formStatus(...faults: unknown[]): number {
  return faults.every((fault) => fault === undefined) ? 200 : 422;
}

/** Returns true if htmx asks for a part of a page. */
export function wantsPart(request: FastifyRequest): boolean {
  return request.headers['hx-request'] === 'true';
}

/**
 * Returns the moments between two days as a form sends them, both days included; an unreadable day is no filter. Pure.
 */
export function daysBetween(
  from: string | undefined,
  until: string | undefined,
): { fromMs?: number; untilMs?: number } {
  const fromMs = dayOf(from);
  const untilMs = dayOf(until);
  return {
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(untilMs === undefined ? {} : { untilMs: untilMs + DAY_MS }),
  };
}

/** Returns a text of a form; undefined if it was left empty. Pure. */
export function given(text: string | undefined, longest: number): string | undefined {
  const trimmed = text?.trim().slice(0, longest);
  return trimmed === '' ? undefined : trimmed;
}

function dayOf(text: string | undefined): number | undefined {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text ?? '') ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/**
 * Refuses addresses that name a parameter twice, which would arrive as a list where pages expect a text, or that
 * contain U+0000, which PostgreSQL refuses only when a download has begun. Routes of the API have schemas that say so.
 */
export function refuseUnfitParameters(scope: FastifyInstance): void {
  scope.addHook<{ Querystring: Record<string, unknown> }>('preValidation', (request, _reply, done) => {
    const values = Object.values(request.query);
    if (values.some((value) => typeof value !== 'string'))
      return done(new HttpError(400, 'The address names a parameter twice.'));
    done(values.some((value) => String(value).includes('\0')) ? new HttpError(400, UNSTORABLE) : undefined);
  });
}
