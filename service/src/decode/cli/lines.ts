import { jsonText, VIN_FIELD, vinFieldOf } from '@marque/catalog/cells';
import type { Row } from '@marque/catalog/tables';

import { isRecord } from '../../kernel/records.ts';

/** Longer lines are cut here: no VIN is this long, and a file without line ends must not fill the memory. */
export const LONGEST_LINE = 1_024;

/** The longest line of JSON, in characters: longer ones are cut here, and then are not JSON any more. */
export const LONGEST_JSON_LINE = 1_048_576;

/** Returns the VINs of a text's lines, trimmed, in order; `field`: the field of the VINs if the lines are JSON. */
export function vinsIn(text: string, field?: string): string[] {
  return text
    .split(/\r\n?|\n/)
    .map((line) => (field === undefined ? tidied(line) : valueIn(line, field)))
    .filter((vin) => vin !== undefined);
}

/** A line of JSON with what it has beside its VIN. */
export interface ObjectLine {
  vin: string;
  /** The object as it was sent: no number loses a digit. */
  json: string;
  fields: readonly string[];
}

/** Returns the lines of JSON of a text, in order, without blank ones. A VIN alone becomes an object. */
export function objectLinesIn(text: string, field: string): ObjectLine[] {
  return text.split(/\r\n?|\n/).flatMap((line) => {
    const vin = valueIn(line, field);
    if (vin === undefined) return [];
    const object = objectIn(line);
    if (object === undefined) return [{ vin, json: JSON.stringify({ [VIN_FIELD]: vin }), fields: [VIN_FIELD] }];
    return [{ vin, json: line.trim(), fields: Object.keys(object) }];
  });
}

/** Trims a line; undefined if it is blank. */
function tidied(line: string): string | undefined {
  // The byte order mark that some editors put before the first line counts as blank.
  const text = line.slice(0, LONGEST_LINE).trim();
  return text === '' ? undefined : text;
}

/** Returns the VIN of a line of JSON: a line without an object is taken as it is; null is a row without a VIN. */
function valueIn(line: string, field: string): string | undefined {
  const object = objectIn(line);
  if (object === undefined) return line.trim() === 'null' ? '' : tidied(line);
  const name = Object.hasOwn(object, field) ? field : vinFieldOf(Object.keys(object), field);
  return name === undefined ? '' : jsonText(object[name]);
}

/** Returns the rows of a list; nothing is said of the line of one. */
export function rowsOfTexts(texts: readonly string[]): Row[] {
  return texts.map((text) => ({ line: 0, cells: [text] }));
}

/** Returns the object of a line of JSON; undefined if it has none. */
function objectIn(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line.trim());
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
