import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino';

import { maskVin } from '../mask-vin.ts';
import { LogOutput } from './log-output.ts';

const VIN_LIKE = /(?<![A-Z0-9])[A-HJ-NPR-Z0-9]{17}(?![A-Z0-9])/gi;
const KEY_LIKE = /mq_[a-z]+_[A-Za-z0-9]+/g;
const SIGNING_SECRET_LIKE = /whsec_[A-Za-z0-9+/=]+/g;
// Bounded, so that a long text without a URL takes no longer than its length.
const URL_PASSWORD = /(?<!\w)(\w{1,20}:\/\/[^\s:@/"]{0,200}):[^\s@"]{1,500}@/g;

/** Options of a log. */
interface LogOptions {
  /** Returns further fields of every line. */
  fields?: (() => object) | undefined;
  /** Texts that are masked wherever they occur, such as in the errors of a party outside. */
  secrets?: readonly string[];
}

/**
 * Returns the service's log: one JSON object a line, to stdout by default.
 *
 * Every finished line passes through `withoutSecrets`, so that no code path, library or error message can put a key or
 * a whole VIN into the log.
 */
export function createLog(level: string, destination?: DestinationStream, more: LogOptions = {}): Logger {
  const { fields, secrets = [] } = more;
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    ...(fields === undefined ? {} : { mixin: fields }),
    hooks: { streamWrite: (line: string) => withoutSecrets(without(line, secrets)) },
  };
  return destination === undefined ? logToStdout(options) : pino(options, destination);
}

/** Returns a log to stdout, which says how many lines could not be written. */
function logToStdout(options: LoggerOptions): Logger {
  const log: Logger = pino(
    options,
    new LogOutput((dropped) =>
      log.warn({ dropped }, 'lines of this log were dropped, since they could not be written'),
    ),
  );
  return log;
}

function without(line: string, secrets: readonly string[]): string {
  // Longest first, so that one that contains another goes as a whole.
  return secrets.reduce((text, secret) => text.replaceAll(secret, '***'), line);
}

/** Returns the text with keys and passwords masked and VINs cut to their first 11 characters. */
export function withoutSecrets(text: string): string {
  return text
    .replace(KEY_LIKE, 'mq_***')
    .replace(SIGNING_SECRET_LIKE, 'whsec_***')
    .replace(URL_PASSWORD, '$1:***@')
    .replace(VIN_LIKE, maskVin);
}

const NONE = {};

/**
 * Writes one line for each answered request: method, route, status and time. The route's pattern replaces the URL, and
 * no header or body is logged: URLs contain VINs, and headers keys.
 *
 * @param fieldsOf returns further fields of the line.
 */
export function logRequests(app: FastifyInstance, fieldsOf: (request: FastifyRequest) => object = () => NONE): void {
  app.addHook('onResponse', (request, reply, done) => {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 100) / 100,
      ...fieldsOf(request),
    };
    // Only a route with its own level needs its request's log, which is created then.
    if (request.routeOptions.logLevel) request.log.info(line, 'answered');
    else app.log.info({ reqId: request.id, ...line }, 'answered');
    done();
  });
}
