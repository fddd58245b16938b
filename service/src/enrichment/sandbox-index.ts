export { sandboxEnrichment } from './sandbox.ts';
export { sandboxMeter } from '../metering/test-keys.ts';
export { TEST_VINS } from '../metering/test-vins.ts';
