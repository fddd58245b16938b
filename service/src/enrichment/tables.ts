import type { Generated } from 'kysely';

import type { JobColumns } from '../kernel/db/job-columns.ts';

/** VINs that sources outside look up. */
export interface EnrichmentTables {
  /** A VIN that waits to be looked up. */
  enrichment_jobs: JobColumns & {
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
  };
  enrichment_results: {
    vin: string;
    /** The source that knew it; null: none did. */
    source: string | null;
    /** The source's answer as JSON, before it is cleaned; null: none. */
    answer: string | null;
    settled_at: number;
    expires_at: number;
  };
  /** What all instances share about a source. */
  enrichment_sources: {
    name: string;
    /** Failed look-ups since the last that did not fail. */
    failures: Generated<number>;
    /** It is not asked before this. */
    closed_until: Generated<number>;
    /** When the next look-up would be due if they were evenly spread. */
    next_slot_at: Generated<number>;
  };
  /** One look-up that was made. */
  enrichment_lookups: {
    id: string;
    source: string;
    outcome: 'found' | 'nothing' | 'failed';
    /** Why it failed. */
    reason: string | null;
    took_ms: number;
    /** From the first question for the VIN to its result; null where this look-up did not settle it. */
    waited_ms: number | null;
    created_at: number;
  };
  /** Which workspaces wait for a VIN that is looked up. */
  enrichment_pending: {
    vin: string;
    workspace_id: string;
  };
}

declare module '../kernel/db/schema.ts' {
  interface Schema extends EnrichmentTables {}
}
