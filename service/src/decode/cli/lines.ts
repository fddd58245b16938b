import { isVinColumnName } from '../column.ts';
import { delimiterIn } from '../../kernel/csv/csv.ts';
import { isRecord } from '../../kernel/records.ts';
import { CommandError, visible } from '../../kernel/cli/io.ts';
import { type InputFile, LONGEST_HEADER } from './input.ts';

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

/** A line that holds no object stands for itself. */
function valueIn(line: string, field: string): string | undefined {
  const object = objectIn(line);
  if (object === undefined) return tidied(line);
  const value = object[field];
  return typeof value === 'string' ? value : '';
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

/** Where a file has its VINs; undefined: in lines of nothing else. */
type VinPlace = { kind: 'column' | 'field'; name: string; of: 'CSV' | 'Parquet' | 'JSON Lines' } | undefined;

/**
 * Finds the VINs of a file: in the column or field that was asked for, or in the one of a known name.
 *
 * @throws CommandError when a file that has columns or fields has none for VINs.
 */
export function placeOfVins(
  { beginning, columns }: Pick<InputFile, 'beginning' | 'columns'>,
  asked?: string,
): VinPlace {
  const first = (/^\s*([^\r\n]*)/.exec(beginning)?.[1] ?? '').slice(0, LONGEST_HEADER);
  if (first.startsWith('{')) return { kind: 'field', name: fieldOf(first, asked), of: 'JSON Lines' };
  const name = asked ?? headerOf(first).find(isVinColumnName);
  if (name !== undefined) return { kind: 'column', name, of: columns === undefined ? 'CSV' : 'Parquet' };
  if (columns === undefined) return undefined;
  const names = columns.map((column) => visible(column)).join(', ');
  throw new CommandError(`The file is Parquet; no column is named VIN (${names}). Name the column with --column.`);
}

function headerOf(line: string): string[] {
  return line.split(delimiterIn(line)).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
}

function fieldOf(line: string, asked: string | undefined): string {
  const fields = Object.keys(objectIn(line) ?? {});
  const found = fields.find((field) => (asked === undefined ? isVinColumnName(field) : field === asked));
  if (found !== undefined) return found;
  if (fields.length === 0)
    throw new CommandError('The file is JSON, but its first line is not a whole object. Write one object per line.');
  const names = fields.map((field) => visible(field)).join(', ');
  throw new CommandError(
    `The file is JSON Lines; no field is named ${visible(asked ?? 'VIN')} (${names}). Name the field with --column.`,
  );
}
