export { configuredSources, SourcesRefusal } from './configured.ts';
export { Enrichment } from './enrichment.ts';
export { countResults, type SourceStatus } from './status.ts';
