import { type Call, callOf } from '../pages/reference/examples.ts';
import { endpointsByTag, type OpenApi } from '../pages/reference/openapi.ts';

/** A collection of Postman's format 2.1, as much of it as is written here. */
export interface Collection {
  info: { name: string; description: string; schema: string };
  variable: { key: string; value: string }[];
  item: { name: string; description: string; item: CollectionRequest[] }[];
}

/** One request of a collection, ready to be sent. */
export interface CollectionRequest {
  name: string;
  request: {
    method: string;
    description: string;
    url: string;
    header: { key: string; value: string }[];
    body?: { mode: 'raw'; raw: string };
  };
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** Every operation with its example, by tag; `{{baseUrl}}` and `{{apiKey}}` are the collection's variables. */
export function collectionOf(api: OpenApi): Collection {
  return {
    info: { name: api.info.title, description: api.info.description ?? '', schema: SCHEMA },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:8080' },
      { key: 'apiKey', value: '' },
    ],
    item: endpointsByTag(api).map(({ tag, description, endpoints }) => ({
      name: tag,
      description,
      item: endpoints.map((endpoint) => ({
        name: endpoint.operation.summary ?? `${endpoint.method} ${endpoint.path}`,
        request: requestOf(callOf(api, endpoint, '{{baseUrl}}'), endpoint.operation.description ?? ''),
      })),
    })),
  };
}

function requestOf({ method, url, body, takesKey }: Call, description: string): CollectionRequest['request'] {
  const header = [
    ...(takesKey ? [{ key: 'x-api-key', value: '{{apiKey}}' }] : []),
    ...(body === undefined ? [] : [{ key: 'content-type', value: body.type }]),
  ];
  const request = { method, description, url, header };
  return body === undefined ? request : { ...request, body: { mode: 'raw', raw: body.text } };
}
