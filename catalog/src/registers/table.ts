import { csvLine, csvLines } from '../csv.ts';
import { PATTERN_FIELDS, type PatternField } from './fields.ts';
import { type Pattern, settles } from './settle.ts';

const HEADER = ['mask', 'cars', 'field', 'value', 'agree', 'against'];

/** Formats patterns as CSV, a line for each field. It contains no plate, no serial number and no car. */
export function patternsText(patterns: readonly Pattern[]): string {
  const lines = patterns.flatMap(({ mask, cars, fields }) =>
    [...fields].map(([field, { value, agree, against }]) => csvLine([mask, cars, field, value, agree, against])),
  );
  return `${[csvLine(HEADER), ...lines].join('\n')}\n`;
}

/** Returns the patterns of such a text. */
export function readPatterns(text: string): Pattern[] {
  const patterns: Pattern[] = [];
  for (const [mask = '', cars = '', name = '', value = '', agree = '', against = ''] of rowsOf(text)) {
    let pattern = patterns.at(-1);
    if (pattern?.mask !== mask) patterns.push((pattern = { mask, cars: Number(cars), fields: new Map() }));
    const field = PATTERN_FIELDS.find((known) => known === name);
    if (field !== undefined) pattern.fields.set(field, { value, agree: Number(agree), against: Number(against) });
  }
  return patterns;
}

/**
 * Yields the cells of each line behind the header, one line at a time: a large register's would take hundreds of
 * megabytes at once.
 */
function* rowsOf(text: string): Generator<readonly string[]> {
  let start = text.indexOf('\n') + 1;
  while (start > 0 && start < text.length) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? text.length : end);
    yield line.includes('"') ? (csvLines(line)[0] ?? []) : line.split(',');
    start = end + 1;
  }
}

/** Counts the patterns that decide each field, the fields in their order. */
export function settledFields(patterns: readonly Pattern[]): { field: PatternField; patterns: number; cars: number }[] {
  return PATTERN_FIELDS.flatMap((field) => {
    const settled = patterns.flatMap(({ fields }) => {
      const agreement = fields.get(field);
      return agreement !== undefined && settles(field, agreement) ? [agreement] : [];
    });
    const cars = settled.reduce((sum, { agree }) => sum + agree, 0);
    return settled.length === 0 ? [] : [{ field, patterns: settled.length, cars }];
  });
}
