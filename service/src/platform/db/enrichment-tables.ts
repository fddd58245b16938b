import type { Generated } from 'kysely';

import type { JobColumns } from './job-columns.ts';

/** A VIN that waits to be looked up. */
interface EnrichmentJobsTable extends JobColumns {
  vin: string;
  /** The source to ask next. */
  source: string;
  /** Sources that had nothing, or were given up, with commas between them. */
  tried: Generated<string>;
  /** Who asked first: see `usage/subject.ts`. */
  subject: string;
  /** 1: asked for without a key. Comes after the others. */
  public: number;
  created_at: number;
  /** The wait for it ends then. */
  deadline_at: number;
}

interface EnrichmentResultsTable {
  vin: string;
  /** The source that knew it; null: none did. */
  source: string | null;
  /** What the source said, as JSON, before it is cleaned; null: nothing. */
  answer: string | null;
  settled_at: number;
  expires_at: number;
}

/** What all instances share about a source. */
interface EnrichmentSourcesTable {
  name: string;
  /** Failed look-ups since the last that did not fail. */
  failures: Generated<number>;
  /** It is not asked before this. */
  closed_until: Generated<number>;
  /** When the next look-up would be due if they were evenly spread. */
  next_slot_at: Generated<number>;
}

/** One look-up that was made. */
interface EnrichmentLookupsTable {
  id: string;
  source: string;
  outcome: 'found' | 'nothing' | 'failed';
  /** Why it failed. */
  reason: string | null;
  took_ms: number;
  /** From the first question for the VIN to its result; null where this look-up did not settle it. */
  waited_ms: number | null;
  created_at: number;
}

/** Which workspaces wait for a VIN that is looked up. */
interface EnrichmentPendingTable {
  vin: string;
  workspace_id: string;
}

/** VINs that sources outside look up. */
export interface EnrichmentTables {
  enrichment_jobs: EnrichmentJobsTable;
  enrichment_results: EnrichmentResultsTable;
  enrichment_sources: EnrichmentSourcesTable;
  enrichment_lookups: EnrichmentLookupsTable;
  enrichment_pending: EnrichmentPendingTable;
}
