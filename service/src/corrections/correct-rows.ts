import { type VpicFacts, type VpicRow, vpicElementsOf, vpicRowsOf } from '@marque/decoder';

import type { OverrideFields } from './types.ts';

/** NHTSA's numbers of the make and the model, and of a model's years and types. */
const MODEL = 28;
const MAKE = 26;

/** NHTSA's reading with the fields of an override set or left out, in NHTSA's words. What it has no variable for stays. */
export function correctRows(rows: readonly VpicRow[], fields: OverrideFields, facts: VpicFacts): VpicRow[] {
  let corrected = [...rows];
  for (const [path, value] of Object.entries(fields)) {
    const elements = new Set(vpicElementsOf(path));
    if (elements.size === 0) continue;
    corrected = corrected.filter(([id]) => !elements.has(id));
    if (typeof value === 'string' || typeof value === 'number') corrected.push(...vpicRowsOf(path, value, facts));
  }
  return corrected.map((row) => (row[0] === MODEL ? withNumber(row, corrected, facts) : row));
}

/** A corrected model with NHTSA's number, where NHTSA knows it of this make. */
function withNumber(row: VpicRow, rows: readonly VpicRow[], facts: VpicFacts): VpicRow {
  if (row[2] !== undefined) return row;
  const make = rows.find(([id]) => id === MAKE)?.[1] ?? '';
  const known = facts.modelsOf(make).find(({ name }) => name.toLowerCase() === row[1].toLowerCase());
  return known === undefined ? row : [row[0], row[1], known.id];
}
