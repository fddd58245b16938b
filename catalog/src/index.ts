export { readLabelled } from './accuracy/labelled.ts';
export { CATALOG_ROOT } from './root.ts';
export { buildCatalog, catalogFile, ensureCatalog } from './build.ts';
export type { VinPattern, WorldOutputs, WorldProfile, WorldRow, YearRule } from './world/model.ts';
export { coverage, type Coverage, type Depth } from './world/coverage.ts';
export { interpret, type Interpretation } from './world/interpret.ts';
export { lintWorld } from './world/lint/index.ts';
export { loadWorld, readWorld } from './world/load.ts';
export { importVpic, type ImportOutcome } from './import/vpic.ts';
