import { type Decoder, openCatalog, type OpenOptions } from '@marque/decoder';

import { facts } from '../root.ts';
import { once } from '../values/table.ts';
import { compileCatalog } from '../compile/compile.ts';
import { compileVpic } from '../vpic/compile.ts';
import { readVpicFacts } from '../vpic/facts.ts';
import type { VpicTables } from '../vpic/tables.ts';
import { readRegions } from '../wmi/regions.ts';
import { readWmis } from '../wmi/wmis.ts';
import type { VinLayout } from '../world/model.ts';
import { smallVpic } from './small-vpic.ts';

const vpicFacts = once(() => readVpicFacts());
const regions = once(() => readRegions(facts('regions.csv')));
const wmis = once(() => readWmis(facts('wmi.csv')));

/** Returns a catalog of these layouts, and of the rows of vPIC that are given: quick to compile. */
export function worldCatalog(
  world: readonly VinLayout[],
  vpic: VpicTables = smallVpic(),
  options: OpenOptions = {},
): Decoder {
  const bytes = compileCatalog({
    hash: '',
    vpic: compileVpic(vpic, vpicFacts()),
    regions: regions(),
    wmis: wmis(),
    world,
    specs: { sources: [], driveCodes: [] },
    approvals: [],
    imported: [],
  });
  return openCatalog(bytes, options);
}
