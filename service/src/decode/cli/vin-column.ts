import { isVinColumnName } from '../column.ts';
import { delimiterIn } from '../../kernel/csv/csv.ts';

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
