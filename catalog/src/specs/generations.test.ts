import { readFileSync } from 'node:fs';

import { openCatalog, readVin } from '@marque/decoder';
import { describe, expect, test } from 'vitest';

import { csvRecords } from '../csv.ts';
import { catalogFile } from '../root.ts';

import { loadWorld } from '../world/load.ts';
import { loadSpecs, specFactsFolder } from './load.ts';

/**
 * Returns the generations that the facts about the world's VINs name of each family, alone or as one of a model's
 * alternatives; '' for none.
 */
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
  // A list of generations also names those that no code gives.
  const joined = loadSpecs().sources.filter(({ market, id }) => market === 'europe' && !id.startsWith('generations'));
  const rows = joined.flatMap((source) => source.rows);
  const strange = rows.filter(({ make, model, generation }) => {
    const generations = known.get(`${make}|${model}`);
    // A VIN whose generation no row names is matched by its year.
    if (generation === undefined || generations === undefined || generations.has('')) return false;
    return !generations.has(generation);
  });
  expect(strange.map(({ make, model, generation }) => `${make} ${model} ${generation}`)).toEqual([]);
});

const NOTE = /^(?:not sold in \d{4}|not sold from \d{4} to \d{4}|both were sold in \d{4})$/;

/** Returns the rows of a list of generations with their notes, family by family, in the order of their years. */
function families(file: string): Map<string, Record<string, string>[]> {
  const rows = csvRecords(readFileSync(new URL(file, specFactsFolder()), 'utf8'), file);
  return Map.groupBy(rows, ({ make, model }) => `${make} ${model}`);
}

describe.each(['generations.csv', 'generations-europe.csv', 'generations-elsewhere.csv'])('%s', (file) => {
  const byFamily = families(file);

  test('distinguishes two generations of one year by the body or the characters of the VIN', () => {
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

  test('gives the reason for each missing year between two generations', () => {
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

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

/** A made-up VIN of each code that labeled cars of one generation share and the generation beside it does not have. */
test.each([
  ['Y6LJN81BPCL000000', 'JM', 'kits of the first Tucson, after the second began'],
  ['95PJN81EPFB000000', 'JM', 'the first Tucson, built in Brazil until 2018'],
  ['W1K2231611A000000', 'V223', 'a long S-Class, by the digit after the series'],
  ['WDD2211811A000000', 'V221', 'the one before'],
  ['WDD2210561A000000', 'W221', 'and a short one'],
  ['JTEBL29J375000000', 'J120', 'a Prado that is sold as Land Cruiser'],
  ['JTMHT05J404000000', 'J200', 'a Land Cruiser of unknown year'],
  ['Y6DSF48YE6B000000', 'T200', 'an Aveo with five doors, which was renewed after the sedan'],
  ['JM1GL1U54H1000000', 'GL', 'a Mazda6 of 2017'],
])('the code of %s settles the generation %s: %s', (text, generation) => {
  const form = readVin(text);
  expect(form.kind === 'vin' && decoder.decode(form.vin).generation).toBe(generation);
});
