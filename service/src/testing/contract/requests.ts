import { VIN_CHARACTERS } from '@marque/decoder';
import * as fc from 'fast-check';

import type { Contract, Operation } from './description.ts';
import { type TextsByName, valuesOf } from './from-schema.ts';
import { anyCharacter } from '../any-character.ts';
import { unknownVin } from '../vins.ts';

/** A request as it is sent through `inject`. */
export interface DrawnRequest {
  operationId: string;
  method: Operation['method'];
  url: string;
  headers: Record<string, string>;
  payload: string | undefined;
}

/** The credentials of callers. Each is drawn as often as the others. */
export type Credentials = readonly Readonly<Record<string, string>>[];

const VINS = [
  '1HGCM82633A004352',
  'WVWZZZ1KZAW000001',
  'WP0ZZZ99ZTS392124',
  'JTDBR32E720123456',
  'VF1RFB00X56789012',
  'LSVAA4182E2184847',
  '1FA6P8TH5J5100001',
  '5YJ3E1EA7KF317000',
  'SAJWA0ES6DPS12345',
  'YV1CZ91H041012345',
  '9BWZZZ377VT004251',
  'MA3FHEB1S00123456',
];

const vinCharacter = fc.constantFrom(...VIN_CHARACTERS);
const changedVin = fc
  .tuple(fc.constantFrom(...VINS), fc.array(fc.tuple(fc.nat(16), vinCharacter), { maxLength: 4 }))
  .map(([vin, changes]) => {
    const characters = [...vin];
    for (const [at, character] of changes) characters[at] = character;
    return characters.join('');
  });
const randomVin = fc.string({ unit: vinCharacter, minLength: 17, maxLength: 17 });
/** With a WMI that is not assigned: the report is completed later. */
const unassignedVin = fc.nat(99_999).map(unknownVin);
const wrongVin = fc.oneof(
  changedVin.map((vin) => vin.slice(1)),
  changedVin.map((vin) => vin.replace(/[0-9]/, 'O')),
  changedVin.map((vin) => `${vin.slice(0, 5)}🚗${vin.slice(6)}`),
  fc.string({ unit: anyCharacter, maxLength: 80 }),
);
const decorated = changedVin.map((vin) => ` ${vin.toLowerCase().slice(0, 3)}-${vin.slice(3, 9)}.${vin.slice(9)} `);

/** Texts that fields of these names are likely to have. */
const TEXTS: TextsByName = {
  vin: fc.oneof({ arbitrary: changedVin, weight: 4 }, randomVin, unassignedVin, decorated, wrongVin),
  DATA: fc
    .array(fc.oneof({ arbitrary: changedVin, weight: 6 }, randomVin, wrongVin), { maxLength: 5 })
    .map((vins) => vins.join(';')),
  format: fc.constantFrom('json', 'xml', 'csv', 'JSON', 'yaml', ''),
  wmi: fc.constantFrom('1HG', 'wvw', '1T9131', 'ZZZ', 'IOQ'),
  make: fc.constantFrom('honda', 'TESLA', 'nobody', '__proto__'),
  vins: fc.oneof({ arbitrary: changedVin, weight: 6 }, randomVin, decorated, wrongVin),
};

/** Bodies that no client sends in good faith. */
const HOSTILE_BODIES = [
  '',
  'null',
  '{',
  '{"vin":"\\u0000"}',
  '{"vin":"\\ud800"}',
  '{"__proto__":{"vin":"1HGCM82633A004352"}}',
  '{"vin":"1HGCM82633A004352","constructor":{"prototype":{"polluted":1}}}',
  '{"vin":{"toString":1,"length":17}}',
  '{"vin":["1HGCM82633A004352"]}',
  '{"vin":1e400}',
  '{"vin":"1HGCM82633A004352","vin":"x"}',
  `{"vins":[${'"1HGCM82633A004352",'.repeat(1_000)}"x"]}`,
  `{"vin":"${'A'.repeat(10_000)}"}`,
  '['.repeat(5_000),
  `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
  '\uFEFF{"vin":"1HGCM82633A004352"}',
  '{"vin":"1HGCM82633A004352\' OR 1=1 --"}',
  '{"vin":"=HYPERLINK(\\"http://x\\")"}',
];

const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/json, text/plain',
  'nonsense',
];

const headerText = fc.stringMatching(/^[\t -~\u0080-\u00FF]{0,80}$/);
const strangeHeaders = fc.dictionary(
  fc.constantFrom(
    'x-forwarded-for',
    'x-forwarded-host',
    'forwarded',
    'accept',
    'accept-encoding',
    'content-encoding',
    'cookie',
    'origin',
    'range',
    'x-http-method-override',
    'x-request-id',
  ),
  fc.oneof(headerText, fc.constantFrom('application/x-ndjson', 'gzip', '127.0.0.1', 'https://elsewhere.example', '*')),
  { maxKeys: 3 },
);

/** Draws requests for any operation of a contract: a third as described, the others slightly or wholly wrong. */
export function requestsOf(contract: Contract, credentials: Credentials): fc.Arbitrary<DrawnRequest> {
  const who = fc.oneof(
    { arbitrary: fc.constantFrom(...credentials), weight: 6 },
    headerText.map((key) => ({ 'x-api-key': key })),
    headerText.map((key) => ({ authorization: `Bearer ${key}` })),
  );
  return fc.oneof(
    ...contract.operations.map((operation) => ({
      arbitrary: requestsFor(operation, contract, who),
      // An operation with a body can be called wrongly in more ways.
      weight: operation.requestBody === undefined ? 1 : 4,
    })),
  );
}

function requestsFor(
  operation: Operation,
  contract: Contract,
  who: fc.Arbitrary<Readonly<Record<string, string>>>,
): fc.Arbitrary<DrawnRequest> {
  const content = operation.requestBody?.content;
  const type = content?.[FORM] === undefined ? JSON_TYPE : FORM;
  const schema = content?.[type]?.schema;
  const body =
    schema === undefined ? fc.constant(undefined) : bodiesOf(valuesOf(schema, contract.schemas, TEXTS), type);
  // Few different ones, so that some come again, with the same body or another.
  const idempotencyKey = fc.oneof({ arbitrary: fc.constant(undefined), weight: 5 }, fc.nat(12).map(String), headerText);
  return fc
    .record({ url: urlsOf(operation, contract), who, body, idempotencyKey, strange: strangeHeaders })
    .map(({ url, who: key, body: sent, idempotencyKey: id, strange }) => ({
      operationId: operation.operationId,
      method: operation.method,
      url,
      payload: sent?.text,
      headers: {
        ...strange,
        ...(sent?.type === undefined ? {} : { 'content-type': sent.type }),
        ...(id === undefined || operation.method === 'GET' ? {} : { 'idempotency-key': id }),
        ...key,
      },
    }));
}

interface DrawnBody {
  text: string;
  type: string | undefined;
}

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';

/** Converts a field of a form to text; other values to JSON: an object may not be convertible by itself. */
function textOf(field: unknown): string {
  return (typeof field === 'string' ? field : JSON.stringify(field)).toWellFormed();
}

/** Returns a value as a body of a type. */
function written(value: unknown, type: string): string {
  if (type === JSON_TYPE) return JSON.stringify(value);
  const fields = Object.entries(Object(value)).map(([name, field]) => [name, textOf(field)]);
  return new URLSearchParams(Object.fromEntries(fields)).toString();
}

function bodiesOf(valid: fc.Arbitrary<unknown>, type: string): fc.Arbitrary<DrawnBody> {
  const asDescribed = valid.map((value) => ({ text: written(value, type), type }));
  const nearly = fc.tuple(valid, fc.nat(), fc.jsonValue()).map(([value, pick, other]) => {
    const entries = Object.entries(Object(value));
    const at = pick % Math.max(1, entries.length);
    const changed = entries.map(([name, old], index) => [name, index === at ? other : old]);
    return { text: written(Object.fromEntries(changed), type), type };
  });
  const without = fc.tuple(valid, fc.nat()).map(([value, pick]) => {
    const entries = Object.entries(Object(value));
    const at = pick % Math.max(1, entries.length);
    const kept = entries.filter((_entry, index) => index !== at);
    return { text: written({ ...Object.fromEntries(kept), unknown: '=1+1' }, type), type };
  });
  const hostile = fc.record({
    text: fc.oneof(fc.constantFrom(...HOSTILE_BODIES), fc.json(), fc.string({ unit: anyCharacter, maxLength: 200 })),
    type: fc.oneof(fc.constantFrom(...TYPES), fc.constant(undefined)),
  });
  const otherType = fc.record({ text: asDescribed.map(({ text }) => text), type: fc.constantFrom(...TYPES) });
  return fc.oneof({ arbitrary: asDescribed, weight: 4 }, otherType, nearly, without, { arbitrary: hostile, weight: 3 });
}

/** Generates path and query, with values as described or strange ones; some of the strange are not URLs at all. */
function urlsOf({ path, parameters = [] }: Operation, contract: Contract): fc.Arbitrary<string> {
  const strange = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 60 }),
    fc.constantFrom('..', '%00', '\u0000', '../../etc/passwd', 'A'.repeat(9_000), "' OR 1=1 --", '0', '-1', '1e99'),
  );
  const values = fc.record(
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in !== 'header')
        .map(({ name, schema }) => [
          name,
          fc.oneof({ arbitrary: valuesOf(schema, contract.schemas, TEXTS, name).map(String), weight: 3 }, strange),
        ]),
    ),
  );
  const ends = ['?', '?a=b&a=c&__proto__[x]=1', '?limit[]=1&constructor.prototype.x=1', '#x'];
  const broken = fc.oneof(
    { arbitrary: fc.constant(''), weight: 20 },
    fc.constantFrom(...ends, ...(path.endsWith('}') ? ['%E0%A4%A'] : [])),
  );
  return fc.tuple(values, broken, fc.boolean()).map(([drawn, end, withQuery]) => {
    let url = path;
    const query = new URLSearchParams();
    for (const { name, in: place } of parameters) {
      const value = drawn[name];
      if (value === undefined) continue;
      if (place === 'path') url = url.replace(`{${name}}`, asSegment(value));
      else if (withQuery) query.append(name, value);
    }
    return `${url}${query.size === 0 ? '' : `?${query.toString()}`}${query.size === 0 ? end : ''}`;
  });
}

/**
 * Returns a text as one segment of a path. Lone surrogates have no place there, and nothing or dots would be another
 * path.
 */
function asSegment(text: string): string {
  return /^\.{0,2}$/.test(text) ? '-' : encodeURIComponent(text.toWellFormed());
}
