// The program that the Python package runs: decodes its standard input until that ends. A frame is its length in bytes
// (32 bits, little-endian) and a JSON text. The first frame sent describes the open catalog; then each frame received
// is answered by one.
import { readSync, writeSync } from 'node:fs';

import {
  type Decoder,
  type Hints,
  openCatalog,
  readHints,
  readVin,
  REPORT_ENTRIES,
  type SharedReport,
} from '@marque/decoder';

type Request =
  | { kind: 'reports'; vins: string[] }
  | { kind: 'columns'; vins: string[]; fields: string[] }
  | { kind: 'changed'; vins: string[]; fields: string[]; before: { catalog: string; year: number | null } }
  | { kind: 'candidates'; vin: string; hints: Record<string, unknown> };

/** One field of many reports: each different value once, and for each VIN the place of its value or -1. */
interface Column {
  values: unknown[];
  codes: number[];
}

const STDIN = 0;
const STDOUT = 1;
const LENGTH_BYTES = 4;

/** A text in a report, as the API has it; a number in a column. */
const YEAR = 'modelYear';

const [catalog = '', year = ''] = process.argv.slice(2);
const decoder = openIn(catalog, year === '' ? null : Number(year));

/** A decoder that this one is compared with in some fields, and whether pairs of their reports differ. */
interface Comparison {
  decoder: Decoder;
  known: WeakMap<SharedReport, WeakMap<SharedReport, boolean>>;
}

/** The last one: programs compare with one decoder at a time. */
let comparison: (Comparison & { key: string }) | undefined;

const fields = REPORT_ENTRIES.map(([name, { kind, unit, description }]) => {
  // Batteries are the only thing that is measured in tenths.
  const isWhole = (kind === 'number' && unit !== 'kWh') || name === YEAR;
  return { name, kind: isWhole ? 'integer' : kind, description };
});
send(JSON.stringify({ node: process.versions.node, catalog: decoder.info.hash, fields }));
for (let request = receive(); request !== undefined; request = receive()) send(answerTo(request));

function answerTo(request: Request): string {
  switch (request.kind) {
    case 'reports':
      return `[${request.vins.map((text) => reportOf(decoder, text)).join(',')}]`;
    case 'columns':
      return JSON.stringify(columnsOf(decoder, request.vins, request.fields));
    case 'changed':
      return JSON.stringify(changedOf(request));
    case 'candidates':
      return JSON.stringify(candidatesOf(decoder, request.vin, request.hints));
    default:
      throw new Error('Another package wrote to this program.');
  }
}

function reportOf(decoder: Decoder, text: string): string {
  const form = readVin(text);
  return form.kind === 'vin'
    ? decoder.decodeToJson(form.vin)
    : JSON.stringify({ vin: text, validFormat: false, error: form.message });
}

function columnsOf(decoder: Decoder, vins: readonly string[], names: readonly string[]) {
  const columns = names.map((name) => ({ name, path: name.split('.'), ...emptyColumn() }));
  const errors: Record<number, string> = {};
  for (const [row, text] of vins.entries()) {
    const form = readVin(text);
    if (form.kind === 'malformed') errors[row] = form.message;
    const report = form.kind === 'vin' ? decoder.decode(form.vin) : {};
    for (const { name, path, values, codes, codeOf } of columns) {
      const found = valueAt(report, path);
      const value = name === YEAR && found !== undefined ? Number(found) : found;
      codes.push(value === undefined ? -1 : codeFor(value, values, codeOf));
    }
  }
  return { rows: vins.length, columns: columns.map(({ values, codes }): Column => ({ values, codes })), errors };
}

function emptyColumn(): Column & { codeOf: Map<unknown, number> } {
  return { values: [], codes: [], codeOf: new Map() };
}

function valueAt(report: object, path: readonly string[]): unknown {
  let value: unknown = report;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

function codeFor(value: unknown, values: unknown[], codeOf: Map<unknown, number>): number {
  // Lists are equal when their texts are.
  const key = typeof value === 'object' ? JSON.stringify(value) : value;
  const known = codeOf.get(key);
  if (known !== undefined) return known;
  codeOf.set(key, values.length);
  return values.push(value) - 1;
}

/** Returns for each VIN true if its decode has changed in these fields. */
function changedOf({ vins, fields, before }: Extract<Request, { kind: 'changed' }>): boolean[] | { error: string } {
  const key = JSON.stringify([before, fields]);
  if (comparison?.key !== key) {
    try {
      comparison = { key, decoder: openIn(before.catalog, before.year), known: new WeakMap() };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }
  const { decoder: old, known } = comparison;
  const paths = fields.map((name) => name.split('.'));
  const valuesOf = (report: object) => JSON.stringify(paths.map((path) => valueAt(report, path) ?? null));
  return vins.map((text) => {
    const form = readVin(text);
    if (form.kind !== 'vin') return false;
    // Thousands of VINs share a pair of reports: it is compared once.
    const [was, is] = [old.shared(form.vin), decoder.shared(form.vin)];
    const ofPair = known.get(was) ?? new WeakMap<SharedReport, boolean>();
    known.set(was, ofPair);
    const isChanged = ofPair.get(is) ?? valuesOf(was.for(form.vin)) !== valuesOf(is.for(form.vin));
    ofPair.set(is, isChanged);
    return isChanged;
  });
}

function openIn(catalog: string, year: number | null): Decoder {
  return openCatalog(catalog, year === null ? {} : { now: () => Date.UTC(year, 0) });
}

function candidatesOf(decoder: Decoder, vin: string, hints: Record<string, unknown>): unknown {
  const form = readHints(hints);
  if (form.kind === 'malformed') return { error: form.messages.join(' ') };
  try {
    return { answer: decoder.candidates(vin.toUpperCase(), form.hints satisfies Hints) };
  } catch (error) {
    if (error instanceof RangeError) return { error: error.message };
    throw error;
  }
}

/** The next request; undefined when the parent has ended or closed the pipe. */
function receive(): Request | undefined {
  const head = read(LENGTH_BYTES);
  const body = head === undefined ? undefined : read(head.readUInt32LE());
  if (body === undefined) return undefined;
  const request: Request = JSON.parse(body.toString('utf8'));
  return request;
}

function read(length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(length);
  for (let offset = 0; offset < length;) {
    const count = readSync(STDIN, bytes, { offset });
    if (count === 0) return undefined;
    offset += count;
  }
  return bytes;
}

function send(text: string): void {
  const body = Buffer.from(text);
  const head = Buffer.allocUnsafe(LENGTH_BYTES);
  head.writeUInt32LE(body.length);
  for (const bytes of [head, body]) {
    for (let offset = 0; offset < bytes.length;) offset += writeSync(STDOUT, bytes, offset);
  }
}
