import type { CatalogInfo, Decoder } from '@marque/decoder';

import { csvLine } from '../../kernel/csv/csv.ts';
import type { Depth } from '../depth.ts';

/** The formats of a list of results. */
const FORMATS = ['json', 'xml', 'csv'] as const;

export type Format = (typeof FORMATS)[number];

type Plain = string | number | boolean | null;

/** A value of a result: plain, or a list of things with names, such as a manufacturer's types of vehicles. */
export type Cell = Plain | readonly Readonly<Record<string, Plain>>[];

/** An answer of NHTSA's API before it is written. */
export interface Document {
  message: string;
  /** Undefined: NHTSA's answer has no such field. */
  searchCriteria: string | null | undefined;
  /** Name of the XML element of one result. */
  element: string;
  /** The order of a result's fields in XML and CSV, if it differs from JSON. */
  order?: readonly string[];
  /** They are taken once, as they are written. */
  results: Iterable<Result>;
}

/** A result, by the names of its fields. */
export type Result = Readonly<Record<string, Cell>>;

export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/**
 * Returns the format of a name in any case; XML if none is named, as NHTSA does. Undefined: there is no such format.
 */
export function formatOf(name: string | undefined): Format | undefined {
  const wanted = name === undefined || name.trim() === '' ? 'xml' : name.trim().toLowerCase();
  return FORMATS.find((format) => format === wanted);
}

/** Writes an answer. CSV contains the results alone. */
export function write(document: Document, format: Format): string {
  const steps = writeSteps(document, format);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Results that are written in a step: a millisecond or two. */
const A_STEP = 500;

/** Writes it in steps, for who has other work: the longest list has 30,000 results. */
export function* writeSteps(document: Document, format: Format): Generator<undefined, string, undefined> {
  const { writeResult, whole } = WRITERS[format];
  const results: string[] = [];
  let columns: readonly string[] | undefined;
  for (const result of document.results) {
    columns ??= document.order ?? Object.keys(result);
    results.push(writeResult(result, document, columns));
    if (results.length % A_STEP === 0) yield;
  }
  yield;
  return whole(results, document, columns ?? []);
}

/** Writes a format; `columns` are those of the first result. */
interface Writer {
  writeResult: (result: Result, document: Document, columns: readonly string[]) => string;
  whole: (results: readonly string[], document: Document, columns: readonly string[]) => string;
}

/** XML is as .NET writes it: null is left out, an empty text is an empty element. */
const WRITERS: Readonly<Record<Format, Writer>> = {
  json: {
    writeResult: (result) => JSON.stringify(result),
    whole: (results, { message, searchCriteria }) => {
      const head = JSON.stringify({ Count: results.length, Message: message, SearchCriteria: searchCriteria });
      return `${head.slice(0, -1)},"Results":[${results.join(',')}]}`;
    },
  },
  xml: {
    writeResult: (result, { element, order }) => {
      const fields = (order ?? Object.keys(result)).map((name) => tag(name, result[name] ?? null));
      return `<${element}>${fields.join('')}</${element}>`;
    },
    whole: (results, { message, searchCriteria = null }) => {
      const head = [tag('Count', results.length), tag('Message', message), tag('SearchCriteria', searchCriteria)];
      return `<?xml version="1.0" encoding="utf-8"?><Response ${NAMESPACES}>${head.join('')}<Results>${results.join('')}</Results></Response>`;
    },
  },
  // By RFC 4180: lines end with CR LF. NHTSA writes the names of columns in lower case, whatever they are in JSON.
  csv: {
    writeResult: (result, _document, columns) => {
      const cells = columns.map((column) => textOf(result[column] ?? null));
      return csvLine(cells, ',');
    },
    whole: (results, _document, columns) => {
      if (results.length === 0) return '';
      const names = columns.map((column) => column.toLowerCase());
      return csvLine(names, ',') + results.join('');
    },
  },
};

const NAMESPACES = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"';

function tag(name: string, value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'object') return `<${name}>${value.map((item) => itemTag(name, item)).join('')}</${name}>`;
  return value === '' ? `<${name} />` : `<${name}>${escaped(String(value))}</${name}>`;
}

/**
 * Returns the element of an item: `VehicleTypes` contains `VehicleType`. NHTSA's XML puts the name of such an item
 * first.
 */
function itemTag(list: string, item: Readonly<Record<string, Plain>>): string {
  const one = list.replace(/s$/, '');
  const names = Object.keys(item).toSorted((a, b) => Number(b === 'Name') - Number(a === 'Name'));
  return `<${one}>${names.map((name) => tag(name, item[name] ?? null)).join('')}</${one}>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text. XML 1.0 has no place for most control characters, in any notation. */
function escaped(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '').replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '');
}

function textOf(value: Cell): string {
  return typeof value === 'object' && value !== null ? value.map(itemText).join('; ') : String(value ?? '');
}

/** Returns an item's text, such as `MYR 9`, `Passenger Car false`: NHTSA's CSV of such lists is not on record. */
function itemText(item: Readonly<Record<string, Plain>>): string {
  return Object.values(item)
    .filter((value) => value !== null && value !== '')
    .join(' ');
}

/** NHTSA's words on lists. */
export const RESPONSE = 'Response returned successfully';
export const RESULTS = 'Results returned successfully';

/** NHTSA's note on a decode: true of all of its data. */
const ALL = 'Any missing decoded values should be interpreted as NHTSA does not have data on the specific variable.';
const reducedText = (lacking: readonly string[]): string =>
  `This service decodes with a reduced set of NHTSA's data, without ${lacking.join('; ')} and some other variables: a missing value does not mean that NHTSA has none. Drive type, transmission, engine power, battery capacity and wheelbase may be from other public specifications.`;
const HIDDEN = 'Values that your plan does not include are left empty.';
const NEITHER =
  'Missing value should NOT be interpreted as an indication that a feature or technology is unavailable for a vehicle.';

/** Returns NHTSA's message with a note, in the form of NHTSA's own note on decodes. */
export function withNote(message: string, note: string): string {
  return `${message}. NOTE: ${note}`;
}

/** Returns the word on a decode: what its missing values mean. */
export function decodeMessage({ info, vpicFacts }: Pick<Decoder, 'info' | 'vpicFacts'>, depth: Depth): string {
  const about = isReducedSet(info) ? reducedText(vpicFacts.emptyGroups()) : ALL;
  const notes = [about, ...(depth === 'full' ? [] : [HIDDEN]), NEITHER];
  return withNote(RESULTS, notes.join(' '));
}

/** Returns true if the catalog was made from a part of NHTSA's data. */
export function isReducedSet({ sources }: Pick<CatalogInfo, 'sources'>): boolean {
  return sources.some(({ id, reduced }) => id === 'vpic' && reduced === true);
}
