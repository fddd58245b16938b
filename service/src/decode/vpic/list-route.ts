import type { FastifyInstance, FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type TObject, Type } from 'typebox';

import { tagOf } from '../../kernel/http/etag.ts';
import { HttpError } from '../../kernel/http/http-error.ts';
import type { WorkTurns } from '../../kernel/limits/work-turns.ts';
import type { NetworkOf } from '../../workspaces/index.ts';
import { describeList, FormatQuery } from './describe.ts';
import { type Document, type Format, formatOf, MEDIA_TYPES, writeSteps } from './formats.ts';

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

/** The size of the cache of written lists, in bytes. The longest one has three million. */
const KEPT_BYTES = 16_000_000;

/** The lists written last, with their tags: some take long to write. */
type Written = LRUCache<string, { body: Buffer; tag: string }>;

/** Opens the cache of written lists. */
export function openWritten(): Written {
  return new LRUCache({ maxSize: KEPT_BYTES, sizeCalculation: ({ body }, key) => body.length + key.length });
}

const TOO_MANY = new HttpError(503, 'Too many lists are being written. Try again in a second.', { 'retry-after': '1' });

/** The cache of written lists, and the queue for writing them. */
interface ListParts {
  written: Written;
  turns: WorkTurns;
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
      // Other parameters change nothing, so that a list is kept under those that it has.
      const sent: Asked = { ...request.query, ...request.params };
      const asked: Asked = Object.fromEntries(names.map((name) => [name, sent[name]]));
      const key = JSON.stringify([path, format, ...names.map((name) => asked[name] ?? null)]);
      let list = written.get(key);
      if (list === undefined) {
        const made = await turns.runSteps(networkOf(request.raw), function* steps() {
          // It may have been written while it waited for its turn.
          const known = written.get(key);
          if (known !== undefined) return known;
          const body = Buffer.from(yield* writeSteps(document(asked), format));
          yield;
          return { body, tag: tagOf(body) };
        });
        if (made.kind === 'refused') throw TOO_MANY;
        list = made.result;
        written.set(key, list);
      }
      reply.headers({ 'cache-control': CACHED, etag: list.tag });
      return reply.type(MEDIA_TYPES[format]).send(list.body);
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
