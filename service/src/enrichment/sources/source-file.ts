import { type Static, Type } from 'typebox';
import { Settings } from 'typebox/system';
import { Value } from 'typebox/value';
import { parseDocument } from 'yaml';

import { isRecord } from '../../kernel/records.ts';
import { type Answer, ANSWER_FIELDS, type LookUp, type RateLimit, type Source, textOfValue } from '../source.ts';
import { isForNorthAmerica, vpicSource } from './vpic.ts';
import { Web, type WebOptions } from './web.ts';

const POINTER = { pattern: '^(?:/[^/]+)+$', must: 'a JSON Pointer like /vehicle/make' };

const Rule = Type.Object(
  {
    at: Type.String(POINTER),
    words: Type.Optional(
      Type.Record(Type.String(), Type.String({ must: 'text' }), { must: 'words and what they mean' }),
    ),
    times: Type.Optional(Type.Number({ exclusiveMinimum: 0, must: 'a number above 0' })),
  },
  { additionalProperties: false, must: 'a JSON Pointer, or at with words or times' },
);

const Entry = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$', must: 'up to 32 lower-case letters, digits, and hyphens' }),
    format: Type.String({ pattern: '^(?:json|vpic)$', must: 'json or vpic' }),
    url: Type.String({
      pattern: '^https?://[^\\s/{}?#@]+(?:[/?][^\\s#]*)?$',
      must: 'a URL like https://api.example.com/vin/{vin}',
    }),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String({ must: 'text' }), { must: 'names of headers and their values' }),
    ),
    requestsPerMinute: Type.Integer({ minimum: 1, maximum: 60_000, must: 'a whole number from 1 to 60000' }),
    concurrent: Type.Optional(Type.Integer({ minimum: 1, maximum: 64, must: 'a whole number from 1 to 64' })),
    timeoutSeconds: Type.Optional(Type.Number({ minimum: 1, maximum: 60, must: 'a number from 1 to 60' })),
    covers: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-HJ-NPR-Z0-9]{1,11}$', must: 'the beginning of a VIN like WVW' }), {
        must: 'a list of beginnings of VINs',
      }),
    ),
    privateAddresses: Type.Optional(Type.Boolean({ must: 'true or false' })),
    vin: Type.Optional(Type.String(POINTER)),
    fields: Type.Optional(
      Type.Object(Object.fromEntries(ANSWER_FIELDS.map((field) => [field, Type.Optional(Rule)])), {
        additionalProperties: false,
        must: 'fields and where they stand',
      }),
    ),
  },
  { additionalProperties: false, must: 'a source' },
);

type SourceEntry = Static<typeof Entry>;

const SourcesFile = Type.Object(
  { sources: Type.Array(Entry, { maxItems: 20, must: 'a list of at most 20 sources' }) },
  { additionalProperties: false, must: 'an object with the list "sources"' },
);

/** A file of sources, read: the sources, or one sentence for each fault. */
type SourcesReading = { kind: 'sources'; sources: Source[] } | { kind: 'faulty'; faults: string[] };

const ALIASES = 'An alias, such as *name, stands for nothing or is used too often. Write out what it stands for.';

/**
 * Reads the text of a file of sources, YAML or JSON.
 *
 * @param env the variables that replace `${NAME}` in headers, so that the file contains no secret.
 */
export function readSources(text: string, env: NodeJS.ProcessEnv): SourcesReading {
  const document = parseDocument(text, { prettyErrors: true });
  if (document.errors.length > 0) {
    return { kind: 'faulty', faults: document.errors.map(({ message }) => `${message.split('\n')[0]}`) };
  }
  let content: unknown;
  try {
    content = withRules(document.toJS({ maxAliasCount: 100 }));
  } catch (error) {
    if (error instanceof ReferenceError) return { kind: 'faulty', faults: [ALIASES] };
    throw error;
  }
  if (!Value.Check(SourcesFile, content)) return { kind: 'faulty', faults: faultsIn(content) };
  const faults = content.sources.flatMap((entry, index) => faultsOf(entry, env, `sources[${index}]`));
  const names = content.sources.map(({ name }) => name);
  if (new Set(names).size < names.length) faults.push('Two sources have the same name.');
  if (faults.length > 0) return { kind: 'faulty', faults };
  return { kind: 'sources', sources: content.sources.map((entry) => toSource(entry, env)) };
}

/** Completes the rules of fields: one may be its pointer alone. */
function withRules(content: unknown): unknown {
  if (!isRecord(content) || !Array.isArray(content['sources'])) return content;
  const sources = content['sources'].map((entry: unknown) => {
    if (!isRecord(entry) || !isRecord(entry['fields'])) return entry;
    const rules = Object.entries(entry['fields']).map(([field, rule]) => [
      field,
      typeof rule === 'string' ? { at: rule } : rule,
    ]);
    return { ...entry, fields: Object.fromEntries(rules) };
  });
  return { ...content, sources };
}

/** Returns the faults that TypeBox's own messages do not describe for the shapes of our schemas. */
function faultsIn(content: unknown): string[] {
  // TypeBox stops at eight faults by itself.
  Settings.Set({ maxErrors: 1_000 });
  // An unknown property is also reported as one whose schema is "false".
  const errors = Value.Errors(SourcesFile, content).filter(({ keyword }) => keyword !== 'boolean');
  Settings.Reset();
  const sentences = errors.flatMap((error) => {
    const where = placeOf(error.instancePath);
    if (error.keyword === 'required') {
      return error.params.requiredProperties.map((name) => `${join(where, name)} is missing.`);
    }
    if (error.keyword === 'additionalProperties') {
      return error.params.additionalProperties.map((name) => `${join(where, name)} is not known here.`);
    }
    return `${where === '' ? 'The file' : where} must be ${mustOf(error.instancePath)}.`;
  });
  return [...new Set(sentences)];
}

function join(where: string, name: string): string {
  return where === '' ? name : `${where}.${name}`;
}

function placeOf(instancePath: string): string {
  return instancePath
    .slice(1)
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');
}

/** Returns the schema's requirement at a path, as text. */
function mustOf(instancePath: string): string {
  let schema: unknown = SourcesFile;
  for (const part of instancePath.split('/').slice(1)) {
    if (!isRecord(schema)) break;
    const { properties, patternProperties, items } = schema;
    if (isRecord(properties)) schema = properties[part];
    else if (isRecord(patternProperties)) schema = Object.values(patternProperties)[0];
    else schema = items;
  }
  return isRecord(schema) && typeof schema['must'] === 'string' ? schema['must'] : 'something else';
}

/** Faults that a schema cannot express. */
function faultsOf(entry: SourceEntry, env: NodeJS.ProcessEnv, where: string): string[] {
  const faults: string[] = [];
  if (!URL.canParse(entry.url)) faults.push(`${where}.url is no URL.`);
  if (entry.format === 'json') {
    if (!entry.url.includes('{vin}')) faults.push(`${where}.url must hold {vin}, where the VIN goes.`);
    for (const field of ['make', 'model']) {
      if (entry.fields?.[field] === undefined) faults.push(`${where}.fields.${field} is missing.`);
    }
  } else if (entry.fields !== undefined || entry.vin !== undefined) {
    faults.push(`${where} has the format vpic, which needs neither fields nor vin.`);
  }
  for (const [name, value] of Object.entries(entry.headers ?? {})) {
    for (const variable of variablesIn(value)) {
      if ((env[variable] ?? '') === '') {
        faults.push(`${where}.headers.${name} needs the environment variable ${variable}, which is not set.`);
      }
    }
  }
  return faults;
}

const VARIABLE = /\$\{([A-Z][A-Z0-9_]*)\}/g;

function variablesIn(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, name]) => name ?? '');
}

function toSource(entry: SourceEntry, env: NodeJS.ProcessEnv): Source {
  const headers = Object.entries(entry.headers ?? {}).map(([name, value]) => [
    name,
    value.replaceAll(VARIABLE, (_, variable: string) => env[variable] ?? ''),
  ]);
  const common = {
    name: entry.name,
    url: entry.url,
    headers: Object.fromEntries(headers),
    privateAddresses: entry.privateAddresses ?? false,
    timeoutMs: (entry.timeoutSeconds ?? 15) * 1000,
    rateLimit: { perMinute: entry.requestsPerMinute, concurrent: entry.concurrent ?? 2 },
  };
  const beginnings = entry.covers;
  const begins = (vin: string): boolean => beginnings?.some((beginning) => vin.startsWith(beginning)) ?? true;
  if (entry.format === 'vpic') {
    return vpicSource({ ...common, covers: (vin) => isForNorthAmerica(vin) && begins(vin) });
  }
  return jsonSource({
    ...common,
    covers: begins,
    fields: entry.fields ?? {},
    ...(entry.vin === undefined ? {} : { vinAt: entry.vin }),
  });
}

/** Maps a value of a provider's answer to one of our fields. */
interface ValueRule {
  /** A JSON Pointer (RFC 6901): `/vehicle/make`. */
  at: string;
  /** The provider's words and ours for them. Words that are not listed stay. */
  words?: Record<string, string>;
  /** A factor for numbers of a provider with other units. */
  times?: number;
}

/** A provider as its operator describes it. */
interface JsonOptions extends Omit<WebOptions, 'origin' | 'concurrent'> {
  name: string;
  /** With `{vin}` where the VIN goes. */
  url: string;
  headers: Record<string, string>;
  rateLimit: RateLimit;
  covers: (vin: string) => boolean;
  /** The JSON Pointer of the VIN that the answer repeats, if it does. */
  vinAt?: string;
  /** Rules by the name of our field. */
  fields: Readonly<Record<string, ValueRule | undefined>>;
}

/** Returns a provider that answers a GET with JSON. An answer without a make and a model means that it has no data. */
function jsonSource(options: JsonOptions): Source {
  const { name, rateLimit, timeoutMs, covers, url: template } = options;
  const web = new Web({ ...options, origin: template, concurrent: rateLimit.concurrent });
  return {
    name,
    rateLimit,
    timeoutMs,
    covers,
    async lookUp(vin, signal) {
      const fetched = await web.getJson(new URL(template.replaceAll('{vin}', vin)), options.headers, signal);
      if (fetched.kind === 'failed') return fetched;
      return fetched.status === 404 ? { kind: 'nothing' } : readJsonAnswer(vin, fetched.body, options);
    },
    close: () => web.close(),
  };
}

/** Reads a provider's answer about a VIN. Pure. */
function readJsonAnswer(vin: string, body: unknown, rules: Pick<JsonOptions, 'vinAt' | 'fields'>): LookUp {
  if (typeof body !== 'object' || body === null) return { kind: 'failed', reason: 'not understood' };
  if (rules.vinAt !== undefined) {
    const repeated = textOfValue(valueAt(body, rules.vinAt));
    // Such as an error with status 200: it says nothing of the VIN.
    if (repeated === undefined) return { kind: 'failed', reason: 'not understood' };
    if (repeated.trim().toUpperCase() !== vin) return { kind: 'failed', reason: 'another VIN' };
  }
  const answer: Answer = {};
  for (const field of ANSWER_FIELDS) {
    const rule = rules.fields[field];
    const text = rule === undefined ? undefined : textOfValue(convert(valueAt(body, rule.at), rule));
    if (text !== undefined) answer[field] = text;
  }
  if (answer.make === undefined || answer.model === undefined) return { kind: 'nothing' };
  return { kind: 'found', answer };
}

function convert(value: unknown, { words, times }: ValueRule): unknown {
  const word = words === undefined || typeof value !== 'string' ? undefined : new Map(Object.entries(words)).get(value);
  if (word !== undefined) return word;
  if (times === undefined) return value;
  const amount = Number(textOfValue(value));
  return amount > 0 ? (amount * times).toFixed(3) : undefined;
}

/** Returns the value that a JSON Pointer points to; undefined: there is none. */
function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const part of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined;
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Object.getOwnPropertyDescriptor(value, name)?.value;
  }
  return value;
}
