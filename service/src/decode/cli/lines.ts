import { isVinColumnName } from '../column.ts';
import { delimiterIn } from '../../kernel/csv/csv.ts';

/** Longer lines are cut here: no VIN is this long, and a file without line ends must not fill the memory. */
export const LONGEST_LINE = 1_024;

/** The lines of a text that hold anything, trimmed, in order. */
export function linesIn(text: string): string[] {
  return text
    .split(/\r\n?|\n/)
    .map(tidied)
    .filter((line) => line !== '');
}

function tidied(line: string): string {
  // The byte order mark that some editors put before the first line is not part of it.
  return line
    .slice(0, LONGEST_LINE)
    .replace(/^\uFEFF/, '')
    .trim();
}

/** Longer first lines are not searched for names of columns. */
const LONGEST_HEADER = 65_536;

/** The name of the column of VINs, where a text begins with a CSV header that has one; undefined: it is a list. */
export function vinColumnIn(beginning: string): string | undefined {
  const header = /^\uFEFF?([^\r\n]*)/.exec(beginning.slice(0, LONGEST_HEADER))?.[1] ?? '';
  return header
    .split(delimiterIn(header))
    .map((name) => name.trim().replace(/^"(.*)"$/, '$1'))
    .find(isVinColumnName);
}
