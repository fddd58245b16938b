import { readVin } from '@marque/decoder';

import type { VinLayout } from '../../world/model.ts';

const WMI_LENGTH = 3;

/** Returns the WMI that decides which learner gets a car; empty if the text is not a VIN. */
export function wmiOf(text: string): string {
  const form = readVin(text);
  return form.kind === 'vin' ? form.vin.slice(0, WMI_LENGTH) : '';
}

/**
 * Shares out WMIs among learners so that all cars of a layout come to one, and each has about as many cars.
 *
 * @param cars how many cars there are of each WMI
 * @returns the number of the learner, from 0, by WMI
 */
export function partition(
  cars: ReadonlyMap<string, number>,
  layouts: readonly VinLayout[],
  learners: number,
): Map<string, number> {
  const families = Map.groupBy(cars.keys(), familyFinder(layouts));
  const bySize = [...families.values()]
    .map((wmis) => ({ wmis, size: wmis.reduce((sum, wmi) => sum + (cars.get(wmi) ?? 0), 0) }))
    .toSorted((a, b) => b.size - a.size);
  const sizes = Array.from({ length: learners }, () => 0);
  const found = new Map<string, number>();
  for (const { wmis, size } of bySize) {
    const least = sizes.indexOf(Math.min(...sizes));
    sizes[least] = (sizes[least] ?? 0) + size;
    for (const wmi of wmis) found.set(wmi, least);
  }
  return found;
}

/** Returns for each WMI the one that represents all that share a layout with it, directly or by way of others. */
function familyFinder(layouts: readonly VinLayout[]): (wmi: string) => string {
  const parents = new Map<string, string>();
  const find = (wmi: string): string => {
    let at = wmi;
    for (let next = parents.get(at); next !== undefined; next = parents.get(at)) at = next;
    return at;
  };
  for (const { wmis } of layouts) {
    const first = find((wmis[0] ?? '').slice(0, WMI_LENGTH));
    for (const wmi of wmis) {
      const other = find(wmi.slice(0, WMI_LENGTH));
      if (other !== first) parents.set(other, first);
    }
  }
  return find;
}
