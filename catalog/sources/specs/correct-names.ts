import type { SpecRow } from '../../src/specs/columns.ts';
import { nameCorrections } from '../../src/values/index.ts';

/** Placeholder in facts/values/corrections.csv for the load class, with which a source's badge starts. */
export const LOAD_CLASS = '{code}';

/** Returns rows under the names that VINs have from some year on: a Dodge Ram of 2012 is a Ram 1500. */
export function correctNames(rows: readonly SpecRow[]): SpecRow[] {
  const corrections = nameCorrections().filter(({ vin, text }) => vin === '' && text === '');
  return rows.map((row) => {
    const found = corrections.find(
      ({ make, model, from, to }) =>
        make === row.make && model === row.model && row.from >= from && (to === 0 || row.to <= to),
    );
    if (found === undefined) return row;
    const make = found.rightMake === '' ? row.make : found.rightMake;
    if (found.rightModel !== LOAD_CLASS) return { ...row, make, model: found.rightModel };
    const [, code, rest = ''] = /^(\d{4})\b ?(.*)$/.exec(row.badge ?? '') ?? [];
    if (code === undefined) return row;
    const { badge: _, ...plain } = row;
    return { ...plain, make, model: code, ...(rest !== '' && { badge: rest }) };
  });
}
