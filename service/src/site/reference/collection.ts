import { callOf, JSON_TYPE } from './examples.ts';
import type { Endpoint, OpenApi } from './openapi.ts';
import type { Section } from './sections.ts';

/** The path of the collection. */
export const COLLECTION_PATH = '/docs/collection.json';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** Placeholder of a key: a variable, so that a shared collection discloses no key. */
const VARIABLES = { address: '{{baseUrl}}', key: '{{apiKey}}' } as const;

/** A collection of Postman's format 2.1, which Bruno and Insomnia read, too. */
interface Collection {
  info: { name: string; description: string; schema: string };
  variable: { key: string; value: string; type: 'string' }[];
  item: Folder[];
}

interface Folder {
  name: string;
  description: string;
  item: CollectionRequest[];
}

interface CollectionRequest {
  name: string;
  request: {
    method: string;
    description: string;
    header: { key: string; value: string; disabled?: boolean }[];
    url: string;
    body?: { mode: 'raw'; raw: string; options: { raw: { language: 'json' | 'text' } } };
  };
}

/** Returns every operation with its example call, a folder for each page of the reference. Pure. */
export function collectionOf(api: OpenApi, sections: readonly Section[], baseUrl: string): Collection {
  return {
    info: {
      name: 'Marque',
      description: `Made from ${baseUrl}/openapi.json. Set the variable apiKey to your key; without one, requests are public.`,
      schema: SCHEMA,
    },
    variable: [
      { key: 'baseUrl', value: baseUrl, type: 'string' },
      { key: 'apiKey', value: '', type: 'string' },
    ],
    item: sections
      .filter(({ endpoints }) => endpoints.length > 0)
      .map(({ name, description, endpoints }) => ({
        name,
        description,
        item: endpoints.map((endpoint) => requestOf(api, endpoint)),
      })),
  };
}

function requestOf(api: OpenApi, endpoint: Endpoint): CollectionRequest {
  const { method, url, body, takesKey } = callOf(api, endpoint, VARIABLES.address);
  const { summary = endpoint.path, description = '' } = endpoint.operation;
  return {
    name: summary.replace(/\.$/, ''),
    request: {
      method,
      description,
      header: [
        // An empty key would be refused, and a request without one is public: it is there to be switched on.
        ...(takesKey ? [{ key: 'x-api-key', value: VARIABLES.key, disabled: !needsKey(endpoint) }] : []),
        ...(body === undefined ? [] : [{ key: 'content-type', value: body.type }]),
      ],
      url,
      ...(body === undefined
        ? {}
        : {
            body: {
              mode: 'raw',
              raw: body.text,
              options: { raw: { language: body.type === JSON_TYPE ? 'json' : 'text' } },
            },
          }),
    },
  };
}

/** Returns true if an operation is refused without a key. */
function needsKey({ operation: { security = [] } }: Endpoint): boolean {
  return security.every((way) => Object.keys(way).length > 0);
}
