import { type Decoder, openCatalog } from '@marque/decoder';

import { facts } from '../root.ts';
import { compileCatalog } from '../compile/compile.ts';
import { compileVpic } from '../vpic/compile.ts';
import { readVpicFacts } from '../vpic/facts.ts';
import type { VpicTables } from '../vpic/tables.ts';
import { readRegions } from '../wmi/regions.ts';
import { readWmis } from '../wmi/wmis.ts';
import type { VinLayout } from '../world/model.ts';

/** Returns a catalog of these layouts and nothing else of any country's: quick to compile. */
export function worldCatalog(world: readonly VinLayout[]): Decoder {
  const bytes = compileCatalog({
    hash: '',
    vpic: compileVpic(noVpic(), readVpicFacts()),
    regions: readRegions(facts('regions.csv')),
    wmis: readWmis(facts('wmi.csv')),
    world,
    specs: { sources: [], driveCodes: [] },
    approvals: [],
    imported: [],
  });
  return openCatalog(bytes);
}

function noVpic(): VpicTables {
  const patterns = {
    count: 0,
    id: new Int32Array(),
    schema: new Int32Array(),
    key: [],
    element: new Uint16Array(),
    attribute: [],
    changed: new Float64Array(),
  };
  return {
    label: 'none',
    isReduced: true,
    vehicleSpecs: [],
    checkDigitExceptions: [],
    facts: {},
    wmis: [],
    links: [],
    schemas: new Map(),
    patterns,
    lookupOfElement: new Map(),
    lookups: new Map(),
    elements: new Map(),
    engineModels: new Map(),
    engineModelPatterns: [],
    makeOfModel: new Map(),
  };
}
