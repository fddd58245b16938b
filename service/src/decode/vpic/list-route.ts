import type { FastifyInstance, FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type TObject, Type } from 'typebox';

import { HttpError } from '../../kernel/http/http-error.ts';
import type { NetworkOf } from '../../workspaces/index.ts';
import { describeList, FormatQuery } from './describe.ts';
import type { ListTurns } from './list-turns.ts';
import { type Document, type Format, formatOf, MEDIA_TYPES, write } from './formats.ts';

/** The catalog changes with a release only. */
const CACHED = 'public, max-age=3600';

/** The parameters of a list, restricted to its `params` and `query`. */
export type Asked = Readonly<Partial<Record<string, string>>>;

/** A list: its address, its words in the API's description, and its rows. */
export interface List {
  path: string;
  /** Default: the first part of its path. */
  operationId?: string;
  summary: string;
  params?: TObject;
  /** Its parameters other than `format`. */
  query?: TObject;
  document: (asked: Asked) => Document;
}

/** Describes a parameter that may be left out. */
export const optionalText = (description: string, more: { pattern?: string } = {}) =>
  Type.Optional(Type.String({ ...more, description }));

/** The size of the cache of written lists, in characters. The longest one has a million. */
const KEPT_CHARACTERS = 16_000_000;

/** The lists written last: some take long to write. */
type Written = LRUCache<string, string>;

/** Opens the cache of written lists. */
export function openWritten(): Written {
  return new LRUCache({ maxSize: KEPT_CHARACTERS, sizeCalculation: (text, key) => text.length + key.length });
}

/** The cache of written lists, and the queue for writing them. */
interface ListParts {
  written: Written;
  turns: ListTurns;
  networkOf: NetworkOf;
}

/** Adds a list: free, and the same for everybody. */
export function addList(app: FastifyInstance, list: List, { written, turns, networkOf }: ListParts): void {
  const { path, summary, params, query, document } = list;
  const [method = ''] = path.split('/');
  const { operationId = method.charAt(0).toLowerCase() + method.slice(1) } = list;
  const names = [...Object.keys(params?.properties ?? {}), ...Object.keys(query?.properties ?? {})];
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
    async (request, reply): Promise<FastifyReply> => {
      const format = askedFormat(request.query.format);
      const asked = { ...request.query, ...request.params };
      // Other parameters change nothing.
      const key = JSON.stringify([path, format, ...names.map((name) => asked[name] ?? null)]);
      // It may have been written while it waited for its turn.
      const make = (): string => written.get(key) ?? write(document(asked), format);
      const text = written.get(key) ?? (await turns.write(networkOf(request.raw), make));
      written.set(key, text);
      return reply.header('cache-control', CACHED).type(MEDIA_TYPES[format]).send(text);
    },
  );
}

/**
 * Returns the format requested.
 *
 * @throws HttpError 400 when there is no such format.
 */
export function askedFormat(name: string | undefined): Format {
  const format = formatOf(name);
  if (format === undefined) throw new HttpError(400, 'format must be json, xml, or csv.');
  return format;
}
