export { sandboxEnrichment } from './enrichment.ts';
export { sandboxMeter } from './meter.ts';
export { TEST_VINS } from './test-vins.ts';
