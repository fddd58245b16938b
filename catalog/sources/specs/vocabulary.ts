import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { familiesHash } from '../../src/inputs.ts';
import { putInPlace } from '../../src/put-in-place.ts';
import { BUILD_FOLDER } from '../../src/root.ts';
import { makeName, modelName, nameCorrections } from '../../src/values/index.ts';
import { loadWorld } from '../../src/world/load.ts';
import type { VinLayout } from '../../src/world/model.ts';
import { packagedModels } from '../../src/vpic/packaged.ts';
import { npmPackageFile } from '../vpic/npm-package-file.ts';
import { LOAD_CLASS } from './correct-names.ts';
import { Families } from './names.ts';

interface Family {
  make: string;
  model: string;
  badges: Set<string>;
}

/** A family as it is kept: make, model, and the model codes that mean it. */
type KeptFamily = readonly [make: string, model: string, badges: readonly string[]];

/** Returns the families that a VIN can be read as, from vPIC's models and the facts about the world's VINs. */
export function readFamilies(rulesFile: string | URL, world?: readonly VinLayout[]): Families {
  const kept = world === undefined ? keptFamilies() : familiesOf(world);
  const families = kept.map(([make, model, badges]) => ({ make, model, badges }));
  return new Families(families, readFileSync(rulesFile, 'utf8'));
}

/**
 * Returns the families kept beside the catalog, since to read them from the facts takes seconds. With a compiled
 * catalog the file came along.
 */
export function keptFamilies(): readonly KeptFamily[] {
  const file = join(BUILD_FOLDER, 'families.json');
  const kept = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { hash: string; families: KeptFamily[] })
    : undefined;
  if (kept !== undefined && npmPackageFile() === undefined) return kept.families;
  const hash = familiesHash();
  if (kept?.hash === hash) return kept.families;
  const families = familiesOf(loadWorld());
  putInPlace(Buffer.from(JSON.stringify({ hash, families })), file);
  return families;
}

function familiesOf(world: readonly VinLayout[]): KeptFamily[] {
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
      // A model with several names ("Vectra / Signum") joins with the lists' rows of each.
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
  return [...families.values()].map(({ make, model, badges }) => [make, model, Array.from(badges)]);
}
