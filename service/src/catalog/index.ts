export { LiveCatalog } from './live-catalog.ts';
export { importOverlay, overlayInForce, revertOverlay } from './overlays.ts';
