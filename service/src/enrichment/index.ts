export { configuredSources } from './configured.ts';
export { type Completion, Enrichment, type EnrichmentDeps } from './enrichment.ts';
export type { Source } from './source.ts';
export { countResults, type SourceStatus } from './status.ts';
