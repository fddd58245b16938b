import * as fc from 'fast-check';

import { type Contract, type JsonSchema, resolved } from './description.ts';

/** The longest list drawn, even if its schema allows more: the longest are for tests of their own. */
const MOST_ITEMS = 12;

/** Values for the texts of a description, by the name of their field. Others are drawn at random. */
export type TextsByName = Readonly<Record<string, fc.Arbitrary<string>>>;

/** Draws values that a schema allows. */
export function valuesOf(
  schema: JsonSchema,
  schemas: Contract['schemas'],
  texts: TextsByName,
  name = '',
): fc.Arbitrary<unknown> {
  const { enum: choices, anyOf, ...known } = resolved(schema, schemas);
  if ('const' in known) return fc.constant(known.const);
  if (choices !== undefined) return fc.constantFrom(...choices);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((one) => valuesOf(one, schemas, texts, name)));
  const types = [known.type ?? []].flat();
  if (types.length === 0) return fc.jsonValue();
  return fc.oneof(...types.map((type) => valuesOfType(type, known, schemas, texts, name)));
}

function valuesOfType(
  type: string,
  schema: JsonSchema,
  schemas: Contract['schemas'],
  texts: TextsByName,
  name: string,
): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textsOf(schema, texts[name]);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000_000, max: schema.maximum ?? 1_000_000 });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const minLength = schema.minItems ?? 0;
      const maxLength = Math.min(schema.maxItems ?? MOST_ITEMS, Math.max(MOST_ITEMS, minLength));
      return fc.array(valuesOf(schema.items ?? {}, schemas, texts, name), { minLength, maxLength });
    }
    case 'object':
      return objectsOf(schema, schemas, texts);
    default:
      throw new Error(`The contract tests do not know the type ${type}.`);
  }
}

function textsOf(
  { minLength = 0, maxLength = 200, pattern }: JsonSchema,
  named: fc.Arbitrary<string> | undefined,
): fc.Arbitrary<string> {
  const any = fc.string({ unit: 'grapheme', minLength, maxLength });
  const allowed = (named === undefined ? any : fc.oneof(any, { arbitrary: named, weight: 9 })).filter(
    (text) => [...text].length >= minLength && [...text].length <= maxLength,
  );
  if (pattern === undefined) return allowed;
  const rule = new RegExp(pattern, 'u');
  // A pattern that hardly any text meets is drawn from itself.
  if (pattern.startsWith('^')) return fc.stringMatching(rule);
  return allowed.filter((text) => rule.test(text));
}

function objectsOf(
  { properties, required = [] }: JsonSchema,
  schemas: Contract['schemas'],
  texts: TextsByName,
): fc.Arbitrary<unknown> {
  if (properties === undefined) return fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 });
  const fields: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, schema] of Object.entries(properties)) fields[name] = valuesOf(schema, schemas, texts, name);
  return fc.record(fields, { requiredKeys: required });
}
