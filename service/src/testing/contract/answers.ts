import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { LightMyRequestResponse } from 'fastify';

import type { Contract, JsonSchema, Operation } from './description.ts';

/** Returns the faults of an answer to an operation; empty: none. */
export type Judge = (operationId: string, answer: LightMyRequestResponse) => string[];

/** The most that an error may say: a sentence or a few, and nothing that the client sent at length. */
const LONGEST_ERROR = 400;

/** Returns the check of answers to a contract. Objects may contain nothing that is not listed. */
export function judgeOf(contract: Contract): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const [name, schema] of Object.entries(contract.schemas)) {
    ajv.addSchema({ ...closed(schema), $id: nameOf(name) });
  }
  const validators = new Map<JsonSchema, ValidateFunction>();
  const validatorOf = (schema: JsonSchema): ValidateFunction => {
    const known = validators.get(schema) ?? ajv.compile(closed(schema));
    validators.set(schema, known);
    return known;
  };
  const byId = new Map<string, Operation>(contract.operations.map((one) => [one.operationId, one]));
  return (operationId, answer) => {
    const described = byId.get(operationId)?.responses[answer.statusCode];
    if (described === undefined) return [`status ${answer.statusCode} is not described: ${answer.body.slice(0, 200)}`];
    if (answer.statusCode === 500) return [`status 500: ${answer.body}`];
    const type = String(answer.headers['content-type']).split(';')[0] ?? '';
    const schema = described.content?.[type]?.schema;
    if (schema === undefined) return [`type ${type} is not described for ${answer.statusCode}`];
    const validate = validatorOf(schema);
    const faults = bodiesIn(answer, type).flatMap((body) => {
      validate(body);
      return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    });
    return [...faults, ...headerFaults(answer), ...errorFaults(answer)];
  };
}

function bodiesIn({ body }: LightMyRequestResponse, type: string): unknown[] {
  // A body other than JSON is described as a text.
  if (type === 'application/xml' || type === 'text/csv') return [body];
  const lines = type === 'application/x-ndjson' ? body.trimEnd().split('\n') : [body];
  return lines.map((line): unknown => JSON.parse(line));
}

function headerFaults({ headers, statusCode }: LightMyRequestResponse): string[] {
  const faults: string[] = [];
  if (headers['x-content-type-options'] !== 'nosniff') faults.push('x-content-type-options is missing');
  if (headers['set-cookie'] !== undefined) faults.push('the API set a cookie');
  if (statusCode === 503 && headers['retry-after'] === undefined) faults.push('a 503 without Retry-After');
  if (statusCode === 401 && headers['www-authenticate'] === undefined) faults.push('a 401 without WWW-Authenticate');
  return faults;
}

function errorFaults({ statusCode, body }: LightMyRequestResponse): string[] {
  if (statusCode < 400) return [];
  const { error }: { error: string } = JSON.parse(body);
  if (error.length > LONGEST_ERROR) return [`an error of ${error.length} characters`];
  return /\bat \S+:\d+|node_modules|SQLITE|node:|ECONN|undefined/.test(error) ? [`an internal message: ${error}`] : [];
}

/** Returns a shared schema's name as Ajv takes it. */
function nameOf(schema: string): string {
  return `marque:${schema}`;
}

/** Returns the schema with every object shut against properties that it does not list. */
function closed(schema: JsonSchema): JsonSchema {
  const copy: JsonSchema = { ...schema };
  if (schema.$ref !== undefined) copy.$ref = nameOf(schema.$ref.replace('#/components/schemas/', ''));
  if (schema.anyOf !== undefined) copy.anyOf = schema.anyOf.map(closed);
  if (schema.items !== undefined) copy.items = closed(schema.items);
  if (schema.properties !== undefined) {
    copy.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, closed(property)]),
    );
    copy.additionalProperties ??= false;
  }
  return copy;
}
