import type { FastifyInstance } from 'fastify';

/** The part of JSON Schema that the service's description uses. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
}

type Content = Record<string, { schema: JsonSchema }>;

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: JsonSchema;
}

/** The description of one answer of an operation. */
export interface DescribedAnswer {
  headers?: Record<string, unknown>;
  content?: Content;
}

/** One operation, with what its path and method are. */
export interface Operation {
  operationId: string;
  path: string;
  method: 'GET' | 'POST';
  /** Undefined: without authentication. */
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, DescribedAnswer>;
}

/** The description of a service. */
export interface Contract {
  operations: Operation[];
  /** Schemas by their names in `#/components/schemas/`. */
  schemas: Record<string, JsonSchema>;
}

interface OpenApi {
  paths: Record<string, Record<string, Omit<Operation, 'path' | 'method'>>>;
  components: { schemas: Record<string, JsonSchema> };
}

/** Reads `/openapi.json` of a service. */
export async function contractOf(app: FastifyInstance): Promise<Contract> {
  const description: OpenApi = JSON.parse((await app.inject('/openapi.json')).body);
  const operations: Operation[] = [];
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      operations.push({ ...operation, path, method: methodOf(method) });
    }
  }
  return { operations, schemas: description.components.schemas };
}

function methodOf(text: string): Operation['method'] {
  const method = text.toUpperCase();
  if (method === 'GET' || method === 'POST') return method;
  throw new Error(`The contract tests do not know how to send ${method}.`);
}

/** Returns the schema that a schema refers to, or itself. */
export function resolved(schema: JsonSchema, schemas: Contract['schemas']): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const found = schemas[schema.$ref.replace('#/components/schemas/', '')];
  if (found === undefined) throw new Error(`${schema.$ref} leads nowhere.`);
  return found;
}
