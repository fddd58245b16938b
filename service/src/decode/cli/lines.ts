import { jsonText, vinFieldOf } from '@marque/catalog/cells';

import { isRecord } from '../../kernel/records.ts';

/** Longer lines are cut here: no VIN is this long, and a file without line ends must not fill the memory. */
export const LONGEST_LINE = 1_024;

/** Longer lines of JSON are cut here, and then are no JSON any more. */
export const LONGEST_JSON_LINE = 1_048_576;

/** What the lines of a text hold, trimmed, in order; `field`: the field of the VINs where the lines are JSON. */
export function vinsIn(text: string, field?: string): string[] {
  return text
    .split(/\r\n?|\n/)
    .map((line) => (field === undefined ? tidied(line) : valueIn(line, field)))
    .filter((vin) => vin !== undefined);
}

/** Undefined: the line is blank. */
function tidied(line: string): string | undefined {
  // The byte order mark that some editors put before the first line counts as blank.
  const text = line.slice(0, LONGEST_LINE).trim();
  return text === '' ? undefined : text;
}

/** A line that holds no object stands for itself; null is a row without a VIN. */
function valueIn(line: string, field: string): string | undefined {
  const object = objectIn(line);
  if (object === undefined) return line.trim() === 'null' ? '' : tidied(line);
  const name = Object.hasOwn(object, field) ? field : vinFieldOf(Object.keys(object), field);
  return name === undefined ? '' : jsonText(object[name]);
}

/** The object that a line of JSON holds; undefined: it holds none. */
function objectIn(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line.trim());
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
