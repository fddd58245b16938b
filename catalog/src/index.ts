export { buildCatalog, catalogFile, ensureCatalog } from './build.ts';
export type { VinPattern, WorldOutputs, WorldProfile, WorldRow, YearRule } from './world/model.ts';
export { interpret, type Interpretation } from './world/interpret.ts';
export { loadWorld } from './world/load.ts';
