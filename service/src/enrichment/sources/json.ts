import { type Answer, ANSWER_FIELDS, textOfValue } from '../answer.ts';
import type { LookUp, RateLimit, Source } from '../source.ts';
import { Web, type WebOptions } from './web.ts';

/** Where a provider's answer holds a value, and how it becomes one of ours. */
export interface ValueRule {
  /** A JSON Pointer (RFC 6901): `/vehicle/make`. */
  at: string;
  /** The provider's words and ours for them. Words that are not listed stay. */
  words?: Record<string, string>;
  /** What a number is multiplied by, for a provider with other units. */
  times?: number;
}

/** A provider as its operator describes it. */
export interface JsonOptions extends Omit<WebOptions, 'origin' | 'concurrent'> {
  name: string;
  /** With `{vin}` where the VIN goes. */
  url: string;
  headers: Record<string, string>;
  rateLimit: RateLimit;
  covers: (vin: string) => boolean;
  /** Where the answer repeats the VIN, if it does. */
  vinAt?: string;
  /** By the name of ours. */
  fields: Readonly<Record<string, ValueRule | undefined>>;
}

/** A provider that answers a GET with JSON. Without a make and a model in its answer it knows nothing of the VIN. */
export function jsonSource(options: JsonOptions): Source {
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
  const answer: Answer = {};
  for (const field of ANSWER_FIELDS) {
    const rule = rules.fields[field];
    const text = rule === undefined ? undefined : textOfValue(convert(valueAt(body, rule.at), rule));
    if (text !== undefined) answer[field] = text;
  }
  if (answer.make === undefined || answer.model === undefined) return { kind: 'nothing' };
  if (rules.vinAt !== undefined && String(valueAt(body, rules.vinAt)).trim().toUpperCase() !== vin) {
    return { kind: 'failed', reason: 'another VIN' };
  }
  return { kind: 'found', answer };
}

function convert(value: unknown, { words, times }: ValueRule): unknown {
  const word = words === undefined || typeof value !== 'string' ? undefined : new Map(Object.entries(words)).get(value);
  if (word !== undefined) return word;
  if (times === undefined) return value;
  const amount = Number(textOfValue(value));
  return amount > 0 ? (amount * times).toFixed(3) : undefined;
}

/** The value that a JSON Pointer points to; undefined: there is none. */
function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const part of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined;
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Object.getOwnPropertyDescriptor(value, name)?.value;
  }
  return value;
}
