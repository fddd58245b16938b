import { ORIGIN, type Pass } from './pass.ts';
import { ELEMENT } from '../vpic-elements.ts';
import type { VpicTables } from './tables.ts';

/** Returns the sum of the weights of the elements that have a value: passes are compared by it. */
export function elementsWeight(tables: VpicTables, pass: Pass): number {
  const { elementWeight, defaults, wmiType } = tables;
  let sum = 0;
  for (let index = 0; index < pass.touchedCount; index++) sum += elementWeight[pass.touched[index] ?? 0] ?? 0;
  for (const { element } of defaults.get(wmiType[pass.wmi] ?? 0) ?? []) {
    if (!pass.has(element)) sum += elementWeight[element] ?? 0;
  }
  const converts = pass.has(ELEMENT.displacementCi) || pass.has(ELEMENT.displacementL);
  if (converts && !pass.has(ELEMENT.displacementCc)) sum += elementWeight[ELEMENT.displacementCc] ?? 0;
  if (pass.has(ELEMENT.model) || hasSingleMake(tables, pass.wmi)) sum += elementWeight[ELEMENT.make] ?? 0;
  return sum;
}

export function hasSingleMake({ wmiMakesStart }: VpicTables, wmi: number): boolean {
  return (wmiMakesStart[wmi + 1] ?? 0) - (wmiMakesStart[wmi] ?? 0) === 1;
}

/** Counts the rows of patterns and engine models with a value. */
export function patternCount(tables: VpicTables, pass: Pass): number {
  let count = pass.extras.length;
  for (let index = 0; index < pass.touchedCount; index++) {
    const element = pass.touched[index] ?? 0;
    if (pass.origin[element] === ORIGIN.none) continue;
    const text = tables.text(element, pass.value[element] ?? 0);
    if (text !== '' && text !== 'Not Applicable') count++;
  }
  return count;
}
