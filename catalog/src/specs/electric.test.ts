import { describe, expect, test } from 'vitest';

import type { SpecRow } from './columns.ts';
import { loadSpecs, type SpecSource } from './load.ts';

const { sources } = loadSpecs();

/**
 * The tolerance to another list's figure: those of Europe come from approvals, EPA's test weights in steps of 113 kg.
 */
const TOLERANCES = { electric: 0.03, 'electric-north-america': 0.06 } as const;

type Column = 'powerKw' | 'batteryKwh' | 'curbKg';

/** Returns the figures of a column that other tables have of electric cars, by family. OMEGA does not say the fuel. */
function figuresOf(others: readonly SpecSource[], column: Column): Map<string, number[]> {
  const figures = new Map<string, number[]>();
  for (const { id, rows } of others) {
    for (const { make, model, fuel, [column]: value } of rows) {
      if (value === undefined || (id !== 'omega' && fuel !== 'Electric')) continue;
      const family = `${make}|${model}`;
      figures.set(family, [...(figures.get(family) ?? []), value]);
    }
  }
  return figures;
}

describe.each(Object.entries(TOLERANCES))('the table %s', (id, tolerance) => {
  const table = sources.find((source) => source.id === id)?.rows ?? [];

  /** Figures of a column that none of that model is near; `unlisted` where nothing has the model at all. */
  const alone = (column: Column, held: readonly SpecRow[], others: readonly SpecSource[]) => {
    const figures = figuresOf(others, column);
    return held.flatMap((row) => {
      const value = row[column];
      if (value === undefined) return [];
      // A maker sells the electric 208 as e-208, and lists name it either way.
      const families = new Set(
        [row.model, ...row.model.split(' / ')].flatMap((name) => [name, name.replace(/^e-/, '')]),
      );
      const known = [...families].flatMap((model) => figures.get(`${row.make}|${model}`) ?? []);
      if (known.some((figure) => Math.abs(figure - value) <= value * tolerance)) return [];
      const what = `${row.make} ${row.model} ${row.from}: ${column} ${value}, not ${[...new Set(known)].join(', ')}`;
      return [{ what, unlisted: known.length === 0 }];
    });
  };
  const measured = sources.filter((source) => !(source.id in TOLERANCES));

  test('has no battery and no curb weight that is far from all that other lists have of that model', () => {
    expect(alone('curbKg', table, measured)).toEqual([]);
    expect(id === 'electric' ? alone('batteryKwh', table, measured) : []).toEqual([]);
  });

  test('has no power of a car with one driven axle that is far from all that other lists have of that model', () => {
    const others = sources.filter((source) => source.id !== id);
    const oneAxle = table.filter(({ drive }) => drive !== undefined && drive !== 'All-wheel drive');
    expect(alone('powerKw', oneAxle, others).filter(({ unlisted }) => !unlisted)).toEqual([]);
  });

  test('has only cars with a plug', () => {
    expect(table.length).toBeGreaterThan(50);
    expect(table.filter(({ fuel }) => fuel !== 'Electric' && fuel !== 'Plug-in hybrid')).toEqual([]);
  });
});
