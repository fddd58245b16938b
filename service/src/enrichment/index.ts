export { configuredSources } from './configured.ts';
export { type Completion, Enrichment, type EnrichmentParts } from './enrichment.ts';
export type { Source } from './source.ts';
export { countResults, type SourceStatus } from './status.ts';
export type { EnrichmentTables } from './tables.ts';
