export { catalogVersion } from './catalog.ts';
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
