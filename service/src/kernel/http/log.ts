import { constants, openSync } from 'node:fs';
import { isatty } from 'node:tty';

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino';

import { maskVin } from '../mask-vin.ts';

const VIN_LIKE = /(?<![A-Z0-9])[A-HJ-NPR-Z0-9]{17}(?![A-Z0-9])/gi;
const KEY_LIKE = /mq_[a-z]+_[A-Za-z0-9]+/g;
const SIGNING_SECRET_LIKE = /whsec_[A-Za-z0-9+/=]+/g;
// Bounded, so that a long text without a URL takes no longer than its length.
const URL_PASSWORD = /(?<!\w)(\w{1,20}:\/\/[^\s:@/"]{0,200}):[^\s@"]{1,500}@/g;

const STDOUT = 1;
/** Lines that may wait while nobody reads the log, in bytes: those of some 50,000 requests. */
const MOST_WAITING_BYTES = 8 * 1024 * 1024;
/** The time that a process which ends gives the reader of its log, in milliseconds. */
const LAST_LINES_MS = 1_000;

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

/**
 * Returns a log to stdout that needs no reader: while nobody reads, lines wait up to a bound and are then dropped and
 * counted, and a process that ends leaves the rest after a second.
 */
function logToStdout(options: LoggerOptions): Logger {
  let giveUpAtMs = Infinity;
  const output = pino.destination({
    dest: unblockedStdout(),
    sync: false,
    maxLength: MOST_WAITING_BYTES,
    retryEAGAIN: () => performance.now() < giveUpAtMs,
  });
  const writeRest = output.flushSync.bind(output);
  // pino calls this at the end of the process, and for fatal lines.
  output.flushSync = () => {
    giveUpAtMs = performance.now() + LAST_LINES_MS;
    try {
      writeRest();
    } catch {
      // Nobody reads.
    }
    giveUpAtMs = Infinity;
  };
  const log = pino(options, output);
  let dropped = 0;
  output.on('drop', () => void dropped++);
  output.on('drain', () => {
    if (dropped === 0) return;
    log.warn({ dropped }, 'lines of this log were dropped, since nobody read it');
    dropped = 0;
  });
  return log;
}

/**
 * Returns a descriptor of stdout that says when it is full. Node has made a pipe such a one; a terminal that stands
 * still would hold a thread, and with it the end of the process, and is opened anew.
 */
function unblockedStdout(): number {
  if (!isatty(STDOUT)) return STDOUT;
  try {
    return openSync('/dev/fd/1', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // It belongs to another user, or the system has no such file.
    return STDOUT;
  }
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
