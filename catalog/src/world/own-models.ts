import { positionsOf } from './holds.ts';
import type { WorldRow } from './model.ts';

/**
 * Returns the rows of a layout that are about its own models: those that name one of them, and those that name none, but
 * for rows about codes that only other models have.
 */
export function rowsOfModels(rows: readonly WorldRow[], models: readonly string[]): WorldRow[] {
  const named = rows.filter((row) => row.outputs.model !== undefined);
  const own = new Set(named.filter((row) => modelsOf(row).some((model) => models.includes(model))));
  return rows.filter((row) => {
    if (row.outputs.model !== undefined) return own.has(row);
    const about = named.filter((other) => meet(row.pattern, other.pattern));
    return about.length === 0 || about.some((other) => own.has(other));
  });
}

/** Returns the models that a row names: "Golf / Bora" are two. */
export function modelsOf({ outputs: { model } }: WorldRow): string[] {
  return model?.split(' / ') ?? [];
}

/** Returns true if a VIN can have both patterns. */
function meet(one: string, two: string): boolean {
  const others = positionsOf(two);
  return positionsOf(one).every((set, position) => {
    const other = others[position];
    return set === undefined || other === undefined || [...set].some((character) => other.includes(character));
  });
}
