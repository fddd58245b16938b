import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { HttpError } from './http-error.ts';
import { JSON_BOUNDS, parseBoundedJson } from './json-shape.ts';

/** Counts the parts of a parsed value. */
function partsOf(value: unknown, depth = 0): { depth: number; containers: number; names: number } {
  if (typeof value !== 'object' || value === null) return { depth, containers: 0, names: 0 };
  const parts = Object.values(value).map((part) => partsOf(part, depth + 1));
  return {
    depth: Math.max(depth + 1, ...parts.map((part) => part.depth)),
    containers: parts.reduce((sum, part) => sum + part.containers, 1),
    names: parts.reduce((sum, part) => sum + part.names, Array.isArray(value) ? 0 : Object.keys(value).length),
  };
}

/** Returns the value, or what refuses it. */
function outcome(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch (error) {
    return error instanceof HttpError ? error.message : 'not JSON';
  }
}

test('a body within the bounds is parsed as JSON, with anything in its strings', () => {
  const awkward = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[[\]{}:,"\\]{0,40}$/));
  const values = fc.object({ key: awkward, values: [awkward, fc.double(), fc.constant(null)], maxDepth: 8 });
  fc.assert(
    fc.property(values, fc.constantFrom(undefined, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(parseBoundedJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('depth is counted as nesting, wherever brackets are in strings', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 * JSON_BOUNDS.depth }), fc.boolean(), (depth, isList) => {
      const [open, close] = isList ? ['["]", ', ']'] : ['{"{": ', '}'];
      const text = `${open.repeat(depth)}1${close.repeat(depth)}`;
      expect(partsOf(JSON.parse(text)).depth).toBe(depth);
      expect(typeof outcome(text) === 'string').toBe(depth > JSON_BOUNDS.depth);
    }),
  );
});

test.each([
  ['objects and lists', 'containers', (count: number) => `[${'{},'.repeat(count - 2)}{}]`],
  ['names', 'names', (count: number) => `{${Array.from({ length: count }, (_, index) => `"a${index}":1`).join(',')}}`],
  ['values', 'values', (count: number) => `[1${',1'.repeat(count)}]`],
] as const)('as many %s as are allowed are parsed, and one more is refused', (what, bound, textOf) => {
  const most = JSON_BOUNDS[bound];
  expect(outcome(textOf(most))).toEqual(JSON.parse(textOf(most)));
  expect(outcome(textOf(most + 1))).toBe(`The body has more than ${most.toLocaleString('en-US')} ${what}.`);
});

test('the bounds that the caller names apply in place of the usual ones', () => {
  const text = `[1${',1'.repeat(JSON_BOUNDS.values)},1]`;
  const values = JSON_BOUNDS.values + 1;
  expect(parseBoundedJson(text, { ...JSON_BOUNDS, values })).toEqual(JSON.parse(text));
  expect(() => parseBoundedJson(text, { ...JSON_BOUNDS, values: 3 })).toThrow('The body has more than 3 values.');
});

test('the text is scanned no further than the first excess, and an unterminated string is not JSON', () => {
  expect(outcome('['.repeat(1_000_000))).toBe(`The body nests deeper than ${JSON_BOUNDS.depth} levels.`);
  expect(outcome(`"${'\\'.repeat(1_000_001)}"`)).toBe('not JSON');
  expect(outcome('\u{FEFF}{"vin": 1}')).toEqual({ vin: 1 });
});
