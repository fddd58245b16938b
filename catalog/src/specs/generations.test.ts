import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { csvRecords } from '../csv.ts';

import { loadWorld } from '../world/load.ts';
import { loadSpecs, specFactsFolder } from './load.ts';

/** The generations that the facts about the world's VINs name of each family, alone or as one of a model's alternatives; '' for none. */
function generationsByFamily(): Map<string, Set<string>> {
  const byFamily = new Map<string, Set<string>>();
  for (const { make, rows } of loadWorld()) {
    for (const { outputs } of rows) {
      const { model = '', generation = '' } = outputs;
      for (const name of new Set([model, ...model.split(' / ')])) {
        const family = `${outputs.make ?? make}|${name}`;
        const known = byFamily.get(family) ?? new Set<string>();
        byFamily.set(family, known.add(generation));
      }
    }
  }
  return byFamily;
}

test('a generation in a list of European cars is written as the facts about VINs write it, or no VIN finds it', () => {
  const known = generationsByFamily();
  // A list of generations names those that no code tells, too.
  const joined = loadSpecs().sources.filter(({ market, id }) => market === 'europe' && !id.startsWith('generations'));
  const rows = joined.flatMap((source) => source.rows);
  const strange = rows.filter(({ make, model, generation }) => {
    const generations = known.get(`${make}|${model}`);
    // A VIN whose generation no row names goes by its year.
    if (generation === undefined || generations === undefined || generations.has('')) return false;
    return !generations.has(generation);
  });
  expect(strange.map(({ make, model, generation }) => `${make} ${model} ${generation}`)).toEqual([]);
});

const NOTE = /^(?:not sold in \d{4}|not sold from \d{4} to \d{4}|both were sold in \d{4})$/;

/** The rows of a list of generations with their notes, family by family, in the order of their years. */
function families(file: string): Map<string, Record<string, string>[]> {
  const rows = csvRecords(readFileSync(new URL(file, specFactsFolder()), 'utf8'), file);
  return Map.groupBy(rows, ({ make, model }) => `${make} ${model}`);
}

describe.each(['generations.csv', 'generations-europe.csv', 'generations-elsewhere.csv'])('%s', (file) => {
  const byFamily = families(file);

  test('tells two generations of one year apart by the body or the characters of the VIN', () => {
    expect(byFamily.size).toBeGreaterThan(100);
    const crossing = [...byFamily].flatMap(([family, rows]) =>
      rows.flatMap((a, index) =>
        rows
          .slice(index + 1)
          .filter((b) => a['generation'] !== b['generation'] && a['vin'] === b['vin'] && mayBeOneCar(a, b))
          .map((b) => `${family}: ${a['generation']} and ${b['generation']}`),
      ),
    );
    expect(crossing).toEqual([]);
  });

  test('says of each year between two generations that it lacks why', () => {
    const gaps = [...byFamily].flatMap(([family, rows]) => {
      const sorted = rows.toSorted((a, b) => Number(a['from']) - Number(b['from']));
      let last = Number(sorted[0]?.['to']);
      return sorted.flatMap((row) => {
        const isGap = Number(row['from']) > last + 1;
        last = Math.max(last, Number(row['to']));
        return isGap === NOTE.test(row['note'] ?? '') ? [] : [`${family} before ${row['from']}`];
      });
    });
    expect(gaps).toEqual([]);
  });

  test('has a code or a number of each generation, and nothing else', () => {
    const strange = [...byFamily.values()]
      .flat()
      .filter(({ generation = '' }) => !/^[A-Z0-9][A-Za-z0-9-]*$/.test(generation));
    expect(strange).toEqual([]);
  });
});

function mayBeOneCar(a: Record<string, string>, b: Record<string, string>): boolean {
  if (Number(a['from']) > Number(b['to']) || Number(b['from']) > Number(a['to'])) return false;
  return a['body'] === '' || b['body'] === '' || a['body'] === b['body'];
}
