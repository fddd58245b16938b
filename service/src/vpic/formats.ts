/** What a list of results may be written as. */
export const FORMATS = ['json', 'xml', 'csv'] as const;

export type Format = (typeof FORMATS)[number];

/** A value of a result. */
export type Cell = string | number | null;

/** An answer of NHTSA's API before it is written. */
export interface Document {
  message: string;
  searchCriteria: string | null;
  /** Name of the XML element of one result. */
  element: string;
  results: readonly Readonly<Record<string, Cell>>[];
}

export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/** The format of a name in any case; XML where none is named, as NHTSA has it. Undefined: there is no such format. */
export function formatOf(name: string | undefined): Format | undefined {
  const wanted = name === undefined || name.trim() === '' ? 'xml' : name.trim().toLowerCase();
  return FORMATS.find((format) => format === wanted);
}

/** Writes an answer. CSV holds the results alone. */
export function write(document: Document, format: Format): string {
  switch (format) {
    case 'json':
      return JSON.stringify({
        Count: document.results.length,
        Message: document.message,
        SearchCriteria: document.searchCriteria,
        Results: document.results,
      });
    case 'xml':
      return toXml(document);
    case 'csv':
      return toCsv(document.results);
    default:
      return format satisfies never;
  }
}

function toXml({ message, searchCriteria, element, results }: Document): string {
  const rows = results.map(
    (result) =>
      `<${element}>${Object.entries(result)
        .map(([name, value]) => tag(name, value))
        .join('')}</${element}>`,
  );
  const head = [tag('Count', results.length), tag('Message', message), tag('SearchCriteria', searchCriteria)].join('');
  return `<?xml version="1.0" encoding="utf-8"?><Response>${head}<Results>${rows.join('')}</Results></Response>`;
}

function tag(name: string, value: Cell): string {
  return value === null || value === '' ? `<${name} />` : `<${name}>${escaped(String(value))}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 has no place for most control characters, however they are written. */
function escaped(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '').replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '');
}

/** RFC 4180: lines end with CR LF. */
function toCsv(results: readonly Readonly<Record<string, Cell>>[]): string {
  const [first] = results;
  if (first === undefined) return '';
  const columns = Object.keys(first);
  const lines = results.map((result) => columns.map((column) => quoted(result[column] ?? null)).join(','));
  return `${[columns.join(','), ...lines].join('\r\n')}\r\n`;
}

function quoted(value: Cell): string {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
