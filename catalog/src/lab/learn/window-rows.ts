import { groupOf } from '../../labels/groups.ts';
import type { TableRow } from '../../world/columns.ts';
import { LEARNED_SOURCE, positionsCell } from './rows.ts';
import type { Window } from './windows.ts';

/** The first position of a serial number from 0; a row's range begins one after it, so this one is part of the code. */
const SERIAL_AT = 11;
const [LOWEST, HIGHEST] = ['00000', 'ZZZZZ'];

/**
 * Returns a window as rows of a table: one, or two where the first character of the number changes within it. None
 * where more would lie between: such a window has too few cars for its width.
 *
 * @param layout the name of its layout
 */
export function windowRows(layout: string, { series, from, to, year, cars }: Window): TableRow[] {
  const [first, last] = [from.charAt(0), to.charAt(0)];
  const ranges =
    first === last
      ? [{ first, from: from.slice(1), to: to.slice(1) }]
      : [
          { first, from: from.slice(1), to: HIGHEST },
          { first: last, from: LOWEST, to: to.slice(1) },
        ];
  if (last.charCodeAt(0) - first.charCodeAt(0) > 1) return [];
  const vin = cars[0]?.vin ?? '';
  const code = series.positions.filter((at) => at !== SERIAL_AT);
  return ranges.map((range) => ({
    layout,
    positions: positionsCell([...code, SERIAL_AT]),
    code: code.map((at) => vin.charAt(at)).join('') + range.first,
    wmi: vin.slice(0, 3),
    serial_from: range.from,
    serial_to: range.to,
    model_year: year,
    confidence: 'B',
    source: LEARNED_SOURCE,
    vins: cars.length,
    groups: groupsOf(cars),
    against: groupsOf(cars.filter(({ years }) => year < years[0] || year > years[1])),
  }));
}

function groupsOf(cars: readonly { vin: string }[]): number {
  return new Set(cars.map(({ vin }) => groupOf(vin))).size;
}
