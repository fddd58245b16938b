export { buildCatalog, catalogFile, ensureCatalog } from './build.ts';
export type { VinPattern, WorldOutputs, WorldProfile, WorldRow, YearRule } from './world/model.ts';
