export { configuredSources } from './configured.ts';
export { Enrichment } from './enrichment.ts';
export type { Source } from './source.ts';
export { countResults, type SourceStatus } from './status.ts';
