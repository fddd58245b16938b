export { CATALOG_HEADER, catalogVersion } from './catalog.ts';
export { type CatalogVersion, catalogVersions } from './catalog-history.ts';
export { LiveCatalog } from './live-catalog.ts';
export {
  type ImportedRegister,
  importedRegisters,
  importRegisterCars,
  keptRegisters,
  removeRegister,
} from './registers.ts';
export { importOverlay, overlayInForce, revertOverlay } from './overlays.ts';
export {
  configuredCatalogFile,
  labeledFolder,
  openConfiguredCatalog,
  openSharedCatalog,
  replacedCatalogFile,
  type SharedCatalog,
} from './open.ts';
export type { CatalogTables } from './tables.ts';
