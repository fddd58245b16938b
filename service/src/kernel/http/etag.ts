import { createHash } from 'node:crypto';

import type { FastifyInstance, onSendHookHandler } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if answers carry an `ETag`, so that clients that have them need not load them again. */
    etag?: boolean;
  }
}

/** Bytes of the hash: two answers of one address never share one by accident. */
const TAG_LENGTH = 22;

/**
 * Gives answers of routes with `config.etag` an `ETag`, and answers 304 where it is the one that the client has.
 * Register it before what compresses answers: the tag is of the content, and weak, since the bytes depend on the
 * encoding.
 */
export function tagAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.routeOptions.config.etag !== true || reply.statusCode !== 200 || !isWhole(payload)) {
      done(null, payload);
      return;
    }
    // Answers sent from memory have their tag already.
    const tag = reply.getHeader('etag')?.toString() ?? tagOf(payload);
    reply.header('etag', tag);
    if (!isKnown(request.headers['if-none-match'], tag)) {
      done(null, payload);
      return;
    }
    reply.code(304).removeHeader('content-length').removeHeader('content-type').removeHeader('content-encoding');
    // Fastify leaves a payload of HEAD out by itself, after it has measured it: null cannot be measured.
    done(null, request.method === 'HEAD' ? '' : null);
  });
  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD') route.onSend = [route.onSend ?? [], dropLength].flat();
  });
}

/** Takes that measure off a 304: its length would be that of the content (RFC 9110, 8.6). */
const dropLength: onSendHookHandler = (_request, reply, payload, done) => {
  if (reply.statusCode === 304) reply.removeHeader('content-length');
  done(null, payload);
};

/** Returns the tag of an answer. */
export function tagOf(payload: string | Buffer): string {
  return `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, TAG_LENGTH)}"`;
}

/** Returns true if a payload is there as a whole, and not made as it is sent. */
export function isWhole(payload: unknown): payload is string | Buffer {
  return typeof payload === 'string' || Buffer.isBuffer(payload);
}

/**
 * Returns true if a tag is among those that the client has (RFC 9110, 13.1.2: a list of tags, compared weakly, or any).
 */
function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((known) => {
    const text = known.trim();
    return text === '*' || text === tag || `W/${text}` === tag;
  });
}
