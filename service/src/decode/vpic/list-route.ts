import type { FastifyInstance, FastifyReply } from 'fastify';
import { type TObject, Type } from 'typebox';

import { HttpError } from '../../kernel/http/http-error.ts';
import { describeList, FormatQuery } from './describe.ts';
import { type Document, type Format, formatOf, MEDIA_TYPES, write } from './formats.ts';

/** The catalog changes with a release only. */
const CACHED = 'public, max-age=3600';

/** What a list is asked by, held to its `params` and `query`. */
export type Asked = Readonly<Partial<Record<string, string>>>;

/** What a list needs: its address, its words in the API's description, and the list itself. */
export interface List {
  path: string;
  operationId: string;
  summary: string;
  params?: TObject;
  /** What it takes beside `format`. */
  query?: TObject;
  /** Whether it is long, and takes nothing but `format`: it is written once for each. */
  isLong?: boolean;
  document: (asked: Asked) => Document;
}

/** Adds a list: free, and the same for everybody. */
export function addList(app: FastifyInstance, list: List): void {
  const { path, operationId, summary, params, query, isLong = false, document } = list;
  const written = new Map<Format, string>();
  app.get<{ Params: Asked; Querystring: Asked & { format?: string } }>(
    `/api/vehicles/${path}`,
    {
      config: { etag: true },
      schema: {
        ...describeList(operationId, summary),
        ...(params === undefined ? {} : { params }),
        querystring: Type.Object({ ...FormatQuery.properties, ...query?.properties }),
      },
    },
    (request, reply): FastifyReply => {
      const format = askedFormat(request.query.format);
      const text = written.get(format) ?? write(document({ ...request.query, ...request.params }), format);
      if (isLong) written.set(format, text);
      return reply.header('cache-control', CACHED).type(MEDIA_TYPES[format]).send(text);
    },
  );
}

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
