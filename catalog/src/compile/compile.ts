import type { CatalogSource } from '@marque/decoder';
import { Container, positionSections, writeContainer } from '@marque/decoder/format';

import type { CompiledVpic } from '../vpic/compile.ts';
import { compileApprovals } from '../approvals/compile.ts';
import type { ApprovalSource } from '../approvals/load.ts';
import { compileSpecs } from '../specs/compile.ts';
import type { SpecFacts } from '../specs/load.ts';
import { compileRegions, type RegionRow } from '../wmi/regions.ts';
import { compileWmis, type WmiRow } from '../wmi/wmis.ts';
import { compileWorld } from '../world/compile.ts';
import type { VinLayout } from '../world/model.ts';
import type { Sections } from '../binary/sections.ts';
import { StringTable } from '../binary/string-table.ts';

/** The inputs of a catalog. */
export interface CatalogInputs {
  /** Hash of all inputs: the catalog carries it as its origin. */
  hash: string;
  vpic: CompiledVpic;
  regions: readonly RegionRow[];
  wmis: readonly WmiRow[];
  world: readonly VinLayout[];
  specs: SpecFacts;
  approvals: readonly ApprovalSource[];
  /** Data that operators imported beside vPIC's. */
  imported: readonly CatalogSource[];
}

/** Compiles a catalog file. The same inputs give the same bytes. */
export function compileCatalog(inputs: CatalogInputs): Uint8Array {
  const strings = new StringTable(inputs.vpic.strings);
  const sections: Sections = new Map(inputs.vpic.sections);
  compileRegions(inputs.regions, strings, sections);
  const layoutsOf = compileWorld(inputs.world, strings, sections);
  compileWmis(inputs.wmis, inputs.regions, layoutsOf, strings, sections);
  compileSpecs(inputs.specs, strings, sections);
  compileApprovals(inputs.approvals, strings, sections);
  // Registers are put over a catalog: its own table of them is empty.
  compileApprovals([], strings, sections, 'registers');
  const meta = {
    hash: inputs.hash,
    vpic: inputs.vpic.label,
    wmis: new Set([...inputs.wmis.map((row) => row.wmi), ...inputs.vpic.wmis]).size,
    vpicSchemas: inputs.vpic.schemas,
    vpicRows: inputs.vpic.rows,
    worldProfiles: inputs.world.length,
    worldRows: inputs.world.reduce((count, layout) => count + layout.rows.length, 0),
    approvalRows: inputs.approvals.reduce((count, source) => count + source.rows.length, 0),
    sources: JSON.stringify([
      { id: 'vpic', title: inputs.vpic.label, ...(inputs.vpic.isReduced ? { reduced: true } : {}) },
      ...inputs.imported,
    ]),
  };
  const all = new Map([...strings.sections(), ...sections]);
  const positions = positionSections(new Container(writeContainer(meta, all)));
  return writeContainer(meta, new Map([...all, ...positions]));
}
