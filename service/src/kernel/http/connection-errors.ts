import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyError, FastifyInstance } from 'fastify';

import { isApi, safetyHeaders } from './browser-safety.ts';
import { answerTo, textOf } from './errors.ts';
import { onceAnswered } from './exchanges.ts';
import { HttpError } from './http-error.ts';

/** Statuses of the errors that Node's parser finds before there is a request. */
const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

const CONTINUE = '100-continue';
const CHUNKED = 'chunked';

/** Connections that brought bytes that are not an HTTP request. */
const BROKEN = new WeakSet<Socket>();

/**
 * Answers bytes that are not an HTTP request, on the bare socket, with the same kind of body as every other error: after
 * the answers to the requests before them.
 */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  // Whatever comes next is as broken.
  if (BROKEN.has(socket)) return;
  BROKEN.add(socket);
  onceAnswered(socket, () => {
    // An answer that says so ends its connection by itself.
    if (socket.writable) refuseBytes(error, socket);
  });
}

function refuseBytes(error: NodeJS.ErrnoException, socket: Socket): void {
  const status = STATUS_OF_CODE[error.code ?? ''] ?? 400;
  const body = JSON.stringify({ error: textOf(status) });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}

/** Refuses requests that Node's parser takes, and whose headers HTTP has refused, in the words of other errors. */
export function refuseBadHeads(app: FastifyInstance): void {
  refuseManyHeaders(app);
  requireOneHost(app);
  refuseCodings(app);
  refuseExpectations(app);
}

/**
 * Answers requests of HTTP/1.1 without a Host, and any with two, like other errors: RFC 9112 (3.2) has them refused.
 */
function requireOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    done(faultOfHost(raw));
  });
}

/** The most headers of a request. Browsers and proxies send some thirty. */
const MOST_HEADERS = 100;

/** Refuses requests with too many headers. Each takes memory from the moment that it arrives, and Node would take 2,000. */
function refuseManyHeaders(app: FastifyInstance): void {
  // Node drops the others: one more, so that they are noticed.
  app.server.maxHeadersCount = MOST_HEADERS + 1;
  app.addHook('onRequest', ({ raw: { rawHeaders } }, _reply, done) => {
    const isOver = rawHeaders.length > 2 * MOST_HEADERS;
    done(isOver ? new HttpError(431, `The request has more than ${MOST_HEADERS} headers.`) : undefined);
  });
}

function faultOfHost({ httpVersion, headers, rawHeaders }: IncomingMessage): HttpError | undefined {
  if (httpVersion === '1.1' && headers.host === undefined) return new HttpError(400, 'The request has no Host header.');
  // Node keeps the first of several.
  const hosts = rawHeaders.filter(
    (name, place) => name.length === 4 && place % 2 === 0 && name.toLowerCase() === 'host',
  );
  return hosts.length > 1 ? new HttpError(400, 'The request has more than one Host header.') : undefined;
}

/** Refuses bodies in codings that nothing here undoes (RFC 9112, 6.1): they would be read as what they decode to. */
function refuseCodings(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const isKnown = (headers['transfer-encoding'] ?? CHUNKED).toLowerCase() === CHUNKED;
    done(isKnown ? undefined : new HttpError(501, 'Transfer-Encoding must be chunked, or be left out.'));
  });
}

/** Answers an `Expect` that is not known like other errors: Node itself would send a bare 417. */
function refuseExpectations(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response);
  });
  app.addHook('onRequest', ({ raw: { headers, httpVersion } }, _reply, done) => {
    // Node answers the known one, 100-continue, before; HTTP/1.0 has no Expect (RFC 9110, 10.1.1).
    const isUnknown = httpVersion === '1.1' && (headers.expect ?? CONTINUE).toLowerCase() !== CONTINUE;
    done(isUnknown ? new HttpError(417, 'Expect must be 100-continue, or be left out.') : undefined);
  });
}

/**
 * Answers an error that the router finds before any route, such as a path with a broken percent sign. No hook runs
 * there, so the headers that every answer carries are added by hand.
 */
export function answerBrokenPath(
  error: FastifyError,
  request: IncomingMessage,
  response: ServerResponse,
  baseUrl: string | undefined,
): void {
  const { status, text } = answerTo(error);
  response.writeHead(status, {
    ...safetyHeaders(baseUrl),
    ...(isApi(request.url ?? '') ? { 'access-control-allow-origin': '*', 'cache-control': 'no-store' } : {}),
    'content-type': 'application/json; charset=utf-8',
  });
  response.end(JSON.stringify({ error: text }));
}
