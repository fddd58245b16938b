/** The parts of an OpenAPI 3.1 description that the reference page reads. */
export interface OpenApi {
  info: { title: string; version: string; description?: string };
  tags?: { name: string; description?: string }[];
  paths?: Record<string, Record<string, Operation>>;
  /** Requests that the service sends by itself, by the type of the event. */
  webhooks?: Record<string, { post?: Operation }>;
  components?: { schemas?: Record<string, Schema>; securitySchemes?: Record<string, WayToSendAKey> };
}

interface WayToSendAKey {
  type: string;
  in?: string;
  name?: string;
  scheme?: string;
  description?: string;
}

interface Operation {
  tags?: string[];
  operationId?: string;
  summary?: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content?: Record<string, { schema?: Schema; example?: unknown }> };
  responses?: Record<string, Answer>;
}

/** A part of the address or a header. Its example is next to its schema, not in it. */
export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
}

interface Answer {
  description?: string;
  content?: Record<string, { schema?: Schema; example?: unknown }>;
  headers?: Record<string, { description?: string; schema?: Schema }>;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  example?: unknown;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** One operation with its address. */
export interface Endpoint {
  method: string;
  path: string;
  /** The anchor for links within the page. */
  anchor: string;
  operation: Operation;
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Returns the operations of a description, by tag, in its order. */
export function endpointsByTag(api: OpenApi): { tag: string; description: string; endpoints: Endpoint[] }[] {
  const endpoints = Object.entries(api.paths ?? {}).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        anchor: `${method}${path.replace(/[^A-Za-z0-9]+/g, '-')}`.replace(/-$/, ''),
        operation,
      })),
  );
  return (api.tags ?? [])
    .map(({ name: tag, description = '' }) => ({
      tag,
      description,
      endpoints: parentsFirst(endpoints.filter(({ operation }) => operation.tags?.includes(tag))),
    }))
    .filter((entry) => entry.endpoints.length > 0);
}

/** Puts a resource before the operations on it: an address is followed by those below it. */
function parentsFirst(endpoints: readonly Endpoint[]): Endpoint[] {
  const isBelow = (child: Endpoint, parent: Endpoint): boolean => child.path.startsWith(`${parent.path}/`);
  const tops = endpoints.filter((endpoint) => !endpoints.some((other) => isBelow(endpoint, other)));
  const paths = [...new Set(tops.map(({ path }) => path))];
  return paths.flatMap((path) =>
    tops
      .filter((top) => top.path === path)
      .concat(endpoints.filter((endpoint) => endpoint.path.startsWith(`${path}/`))),
  );
}

/** Returns the schema that a reference points to; any other schema unchanged. */
export function resolve(api: OpenApi, schema: Schema | undefined): Schema | undefined {
  const name = nameOf(schema);
  return name === undefined ? schema : api.components?.schemas?.[name];
}

/** Returns the name of the shared schema that a reference points to. */
export function nameOf(schema: Schema | undefined): string | undefined {
  return schema?.$ref?.split('/').at(-1);
}

/** Returns an example value of a schema, from its examples; undefined if it has none. */
export function exampleOf(api: OpenApi, schema: Schema | undefined): unknown {
  const found = resolve(api, schema);
  if (found === undefined) return undefined;
  const own = found.examples?.[0] ?? found.example;
  if (own !== undefined) return own;
  if (found.const !== undefined) return found.const;
  if (found.properties !== undefined) {
    const entries = Object.entries(found.properties).map(([name, property]) => [name, exampleOf(api, property)]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  if (found.items !== undefined) {
    const item = exampleOf(api, found.items);
    return item === undefined ? undefined : [item];
  }
  return found.anyOf?.map((option) => exampleOf(api, option)).find((value) => value !== undefined);
}

/**
 * Returns the example of an operation's answer: its own, or one made from the examples of its fields; undefined if that
 * is empty.
 */
export function answerExample(api: OpenApi, { responses }: Endpoint['operation']): unknown {
  const answer = (responses?.['200'] ?? responses?.['202'])?.content?.['application/json'];
  const example = answer?.example ?? exampleOf(api, answer?.schema);
  const isEmpty = typeof example === 'object' && example !== null && Object.keys(example).length === 0;
  return isEmpty ? undefined : example;
}

/** Returns a schema's type as text. */
function typeText(schema: Schema): string {
  const name = nameOf(schema);
  if (name !== undefined) return name;
  if (schema.anyOf !== undefined) {
    const literals = schema.anyOf.map((option) => option.const).filter((value) => value !== undefined);
    if (literals.length === schema.anyOf.length) return literals.map((value) => JSON.stringify(value)).join(' | ');
    return [...new Set(schema.anyOf.map(typeText))].join(' or ');
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.items !== undefined) return `array of ${typeText(schema.items)}`;
  const type = [schema.type ?? 'any'].flat().join(' or ');
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}

/** Returns the data of an event, without the envelope that all share. */
export function eventData({ webhooks }: OpenApi, type: string): Schema {
  const body = webhooks?.[type]?.post?.requestBody?.content?.['application/json']?.schema;
  return body?.properties?.['data'] ?? {};
}

/** A field of an object, or of one within it. */
interface FieldRow {
  /** Its place in the object: `engine.powerKw`, `results[].vin`. */
  path: string;
  type: string;
  required: boolean;
  description: string;
}

/** Returns the fields of an object, those of objects within it below their own. */
export function fieldsOf(schema: Schema, prefix = ''): FieldRow[] {
  const rows: FieldRow[] = [];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const path = `${prefix}${name}`;
    const description = property.description ?? property.anyOf?.find((option) => option.description)?.description ?? '';
    rows.push({ path, type: typeText(property), required: schema.required?.includes(name) ?? false, description });
    rows.push(...fieldsOf(property, `${path}.`), ...fieldsOf(property.items ?? {}, `${path}[].`));
  }
  return rows;
}

/** A header of requests, responses, or events. */
interface Header {
  name: string;
  in: 'request' | 'response' | 'event';
  description: string;
}

/** Returns every header that the description names, each once: an operation may say more of it than another. */
export function headersOf({ components, paths, webhooks }: OpenApi): Header[] {
  const operations = Object.values(paths ?? {}).flatMap((methods) => Object.values(methods));
  const events = Object.values(webhooks ?? {}).flatMap(({ post }) => post ?? []);
  const all = [
    ...Object.values(components?.securitySchemes ?? {}).flatMap(keyHeader),
    ...operations.flatMap(({ parameters = [] }) => parameters.flatMap((parameter) => inHeader(parameter, 'request'))),
    ...operations.flatMap(({ responses }) => Object.values(responses ?? {}).flatMap(answerHeaders)),
    ...events.flatMap(({ parameters = [] }) => parameters.flatMap((parameter) => inHeader(parameter, 'event'))),
  ];
  const once = new Map<string, Header>();
  for (const header of all) {
    const name = header.name.toLowerCase();
    if (!once.has(name)) once.set(name, header);
  }
  return [...once.values()];
}

function keyHeader({ type, in: place, name, scheme, description = '' }: WayToSendAKey): Header[] {
  if (type === 'apiKey' && place === 'header' && name !== undefined) return [{ name, in: 'request', description }];
  return scheme === 'bearer' ? [{ name: 'authorization', in: 'request', description }] : [];
}

function inHeader({ name, in: place, description = '' }: Parameter, direction: Header['in']): Header[] {
  return place === 'header' ? [{ name, in: direction, description }] : [];
}

function answerHeaders({ headers = {} }: Answer): Header[] {
  return Object.entries(headers).map(([name, { description = '' }]) => ({ name, in: 'response', description }));
}
