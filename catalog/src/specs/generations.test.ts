import { expect, test } from 'vitest';

import { loadWorld } from '../world/load.ts';
import { loadSpecs } from './load.ts';

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
  const rows = loadSpecs().sources.flatMap((source) => (source.market === 'europe' ? source.rows : []));
  const strange = rows.filter(({ make, model, generation }) => {
    const generations = known.get(`${make}|${model}`);
    // A VIN whose generation no row names goes by its year.
    if (generation === undefined || generations === undefined || generations.has('')) return false;
    return !generations.has(generation);
  });
  expect(strange.map(({ make, model, generation }) => `${make} ${model} ${generation}`)).toEqual([]);
});
