import { readFileSync } from 'node:fs';

import { makeName, modelName, nameCorrections } from '../../src/values/index.ts';
import { loadWorld } from '../../src/world/load.ts';
import type { WorldProfile } from '../../src/world/model.ts';
import { packagedModels } from '../../src/vpic/packaged.ts';
import { LOAD_CLASS } from './correct-names.ts';
import { Families } from './names.ts';

interface Family {
  make: string;
  model: string;
  badges: Set<string>;
}

/** The families that a VIN can be read as, from vPIC's models and the facts about the world's VINs. Takes about 1 s. */
export function readFamilies(rulesFile: string | URL, world: readonly WorldProfile[] = loadWorld()): Families {
  const families = new Map<string, Family>();
  for (const listed of packagedModels()) {
    const { make = makeName(listed.make), model, modelCode } = modelName(listed);
    if (model === undefined) continue;
    const family = families.get(`${make}|${model}`) ?? { make, model, badges: new Set() };
    families.set(`${make}|${model}`, family);
    if (modelCode !== undefined) family.badges.add(modelCode);
  }
  for (const { make, rows } of world) {
    for (const { outputs } of rows) {
      const maker = outputs.make ?? make;
      if (maker === undefined || outputs.model === undefined) continue;
      // A model with several names ("Vectra / Signum") joins with what lists say of each.
      for (const model of new Set([outputs.model, ...outputs.model.split(' / ')])) {
        const key = `${maker}|${model}`;
        if (!families.has(key)) families.set(key, { make: maker, model, badges: new Set() });
      }
    }
  }
  for (const { rightMake: make, rightModel: model } of nameCorrections()) {
    if (model === '' || model === LOAD_CLASS || families.has(`${make}|${model}`)) continue;
    families.set(`${make}|${model}`, { make, model, badges: new Set() });
  }
  return new Families(families.values(), readFileSync(rulesFile, 'utf8'));
}
