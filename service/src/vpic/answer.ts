import type { FastifyReply } from 'fastify';

import { HttpError } from '../platform/http/http-error.ts';
import { type Document, type Format, formatOf, MEDIA_TYPES, write } from './formats.ts';

/** The catalog changes with a release only. */
const CACHED = 'public, max-age=3600';

/**
 * The format that is asked for.
 *
 * @throws HttpError 400 when there is no such format.
 */
export function askedFormat(name: string | undefined): Format {
  const format = formatOf(name);
  if (format === undefined) throw new HttpError(400, 'format must be json, xml, or csv.');
  return format;
}

/** Answers with a list, which is the same for everybody. */
export function sendList(reply: FastifyReply, document: Document, format: Format): FastifyReply {
  return sendWritten(reply, write(document, format), format);
}

/** The same of one that is written already. */
export function sendWritten(reply: FastifyReply, text: string, format: Format): FastifyReply {
  return reply.header('cache-control', CACHED).type(MEDIA_TYPES[format]).send(text);
}
