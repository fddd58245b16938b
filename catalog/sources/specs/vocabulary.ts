import { readFileSync } from 'node:fs';

import { makeName, modelName, nameCorrections } from '../../src/values/index.ts';
import { loadWorld } from '../../src/world/load.ts';
import { openNpmPackage } from '../vpic/npm-package.ts';
import { readVpicTables } from '../vpic/read-npm-package.ts';
import { LOAD_CLASS } from './correct-names.ts';
import { Families } from './names.ts';

interface Family {
  make: string;
  model: string;
  badges: Set<string>;
}

/** The families that a VIN can be read as, from vPIC's models and the facts about the world's VINs. Takes about 3 s. */
export function readFamilies(rulesFile: string | URL): Families {
  const families = new Map<string, Family>();
  const tables = readVpicTables(openNpmPackage());
  for (const [id, name] of tables.lookups.get('model') ?? []) {
    const vpicMake = tables.makeOfModel.get(id) ?? '';
    const { make = makeName(vpicMake), model, modelCode } = modelName({ make: vpicMake, model: name });
    if (model === undefined) continue;
    const family = families.get(`${make}|${model}`) ?? { make, model, badges: new Set() };
    families.set(`${make}|${model}`, family);
    if (modelCode !== undefined) family.badges.add(modelCode);
  }
  for (const { make, rows } of loadWorld()) {
    for (const { outputs } of rows) {
      const maker = outputs.make ?? make;
      if (maker === undefined || outputs.model === undefined) continue;
      const key = `${maker}|${outputs.model}`;
      if (!families.has(key)) families.set(key, { make: maker, model: outputs.model, badges: new Set() });
    }
  }
  for (const { rightMake: make, rightModel: model } of nameCorrections()) {
    if (model === '' || model === LOAD_CLASS || families.has(`${make}|${model}`)) continue;
    families.set(`${make}|${model}`, { make, model, badges: new Set() });
  }
  return new Families(families.values(), readFileSync(rulesFile, 'utf8'));
}
