import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { DatabaseUnavailableError, StorageUnwritableError } from '../db/index.ts';
import { HttpError } from './http-error.ts';
import { NOT_BLANK } from './schemas.ts';
import { orList } from '../lists.ts';

/** Seconds until a client may try again when the service is overloaded or stopping. */
export const RETRY_AFTER_SECONDS = 2;

/** The public text of each status that a library's error can bring. Never the library's own message. */
const TEXT_OF_STATUS: Readonly<Record<number, string>> = {
  400: 'The request cannot be read.',
  404: 'There is nothing at this address.',
  405: 'This address does not support this method.',
  408: 'The request took too long to arrive.',
  413: 'The body is too large.',
  415: 'Send the body as JSON with the header Content-Type: application/json.',
  431: 'The request headers are too large.',
  503: 'The service is busy. Try again in a moment.',
};

/** The public text of Fastify's own errors where the status alone would say too little. */
const TEXT_OF_CODE: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The length of the body does not match Content-Length.',
  FST_ERR_BAD_URL: 'The address is not a valid URL path.',
};

/** PostgreSQL's code for a text with a character that it cannot store: U+0000. Only an attack sends one. */
const UNSTORABLE_CHARACTER = '22021';
/** The answer to it. */
export const UNSTORABLE = 'The request contains a character that text must not contain (U+0000).';

/** Node's error, which Fastify makes a 400, when a client disconnects within its body. No one receives the answer. */
const BODY_CUT_OFF = 'ECONNRESET';

const BUG = 'The service failed. This is our fault. Try again.';

/** Returns the refusal of what may be asked for again in a moment. */
export function busyError(): HttpError {
  return new HttpError(503, textOf(503), { 'retry-after': String(RETRY_AFTER_SECONDS) });
}

/**
 * Returns the answer to an error: a status and a sentence, never an internal message.
 *
 * @param bodyLimit bytes that the route takes.
 */
export function answerTo(
  error: Partial<FastifyError>,
  bodyLimit?: number,
): {
  status: number;
  text: string;
  headers: Readonly<Record<string, string>>;
} {
  if (error instanceof HttpError) return { status: error.statusCode, text: error.message, headers: error.headers };
  if (error.validation !== undefined) return { status: 400, text: faultsIn(error), headers: {} };
  if (error.code === BODY_CUT_OFF && error.statusCode === 400) return { status: 400, text: textOf(400), headers: {} };
  if (error.code === UNSTORABLE_CHARACTER) return { status: 400, text: UNSTORABLE, headers: {} };
  const status = error instanceof DatabaseUnavailableError ? 503 : statusOf(error);
  if (status === 503) return { status, text: textOf(503), headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } };
  if (status < 400 || status > 499) return { status: 500, text: BUG, headers: {} };
  if (status === 413 && bodyLimit !== undefined) return { status, text: tooLarge(bodyLimit), headers: {} };
  return { status, text: TEXT_OF_CODE[error.code ?? ''] ?? textOf(status), headers: {} };
}

function tooLarge(limit: number): string {
  return `The body is too large: this address takes at most ${limit.toLocaleString('en-US')} bytes.`;
}

/**
 * Returns the status of an error: Fastify's own errors describe the client's fault; any other status is the answer of a
 * party outside to us.
 */
function statusOf({ code, statusCode = 500 }: Partial<FastifyError>): number {
  const isOurs = code?.startsWith('FST_') === true || statusCode === 503;
  return isOurs ? statusCode : 500;
}

/** Returns the public text of a status. */
export function textOf(status: number): string {
  return TEXT_OF_STATUS[status] ?? 'The request cannot be answered.';
}

/** Answers every error with `{"error"}`; logs the ones that are the service's fault. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, text, headers } = answerTo(error, request.routeOptions.bodyLimit);
  logFault(error, status, request.log);
  return reply.code(status).headers(headers).send({ error: text });
}

/** The code of a stream that its reader has left. */
const LEFT = 'ERR_STREAM_PREMATURE_CLOSE';

/** Logs an error that is the service's fault. */
export function logFault(error: unknown, status: number, log: FastifyBaseLogger): void {
  if (error instanceof Error && 'code' in error && error.code === LEFT)
    return log.info('The reader of an answer left.');
  if (status === 500) log.error({ err: error }, 'request failed');
  if (error instanceof StorageUnwritableError) log.error({ err: error }, 'nothing can be stored');
  else if (error instanceof DatabaseUnavailableError) log.warn({ err: error }, 'database unavailable');
}

/** Faults that an answer names. */
const MOST_FAULTS = 100;

/** Returns one sentence for each field that the route's schema refuses. */
function faultsIn(error: Partial<FastifyError>): string {
  // A body may have a fault in each of thousands of values; each is compared with the others.
  const faults = error.validation?.slice(0, MOST_FAULTS) ?? [];
  const typesAt = (path: string): string[] =>
    faults
      .filter(({ keyword, instancePath }) => keyword === 'type' && instancePath === path)
      .map(({ params }) => wordOfType(params['type']));
  const sentences = faults.map(({ keyword, instancePath, params, message = 'is not valid' }) => {
    const field = instancePath.slice(1).replaceAll('/', '.');
    if (keyword === 'required') return `${String(params['missingProperty'])} is missing.`;
    if (field === '') return 'The body must be a JSON object.';
    if (keyword === 'maxLength') return `${field} is longer than ${String(params['limit'])} characters.`;
    if (keyword === 'minLength') return `${field} is empty.`;
    if (keyword === 'maxItems')
      return `${field} has more than ${Number(params['limit']).toLocaleString('en-US')} entries.`;
    if (keyword === 'minItems') return `${field} is an empty list.`;
    if (keyword === 'pattern' && params['pattern'] === NOT_BLANK) return `${field} is blank.`;
    // For alternatives in a schema, each of them reports its type, and then the choice between them fails.
    const types = keyword === 'type' || keyword === 'anyOf' ? typesAt(instancePath) : [];
    if (types.length > 0) return `${field} must be ${orList(types)}.`;
    if (keyword === 'enum') return `${field} must be ${orList([params['allowedValues']].flat().map(String))}.`;
    return `${field} ${message}.`;
  });
  return [...new Set(sentences)].join(' ');
}

/** Returns the common name of a type of a JSON schema. */
export function wordOfType(type: unknown): string {
  return TYPE_WORDS[String(type)] ?? 'something else';
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  object: 'an object',
  'object,null': 'an object or null',
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
};
