import type { ReadRow } from '../table.ts';

/** Groups the rows of a table that share positions, code and WMIs: the values of one are compared with the others. */
export function groupsOfSameCode(rows: readonly ReadRow[]): ReadRow[][] {
  const groups = new Map<string, ReadRow[]>();
  for (const read of rows) {
    const {
      positions,
      code,
      wmi = '',
      layout = '',
      serial_from: from = '',
      with_generation: generation = '',
    } = read.row;
    const key = [positions, code, wmi, layout, from, generation].join(' ');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [read]);
    else group.push(read);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

/** Returns every pair of the rows, each once. */
export function pairs<T>(items: readonly T[]): [T, T][] {
  return items.flatMap((first, index) => items.slice(index + 1).map((second): [T, T] => [first, second]));
}
