import { JOB_COLUMNS } from '../kernel/db/job-columns.ts';
import { bigint, flag, integer, key, oneOf, type Rows, table, text } from '../kernel/db/table.ts';

/** VINs that sources outside look up. */
export const ENRICHMENT_TABLES = {
  /** A VIN that waits to be looked up. */
  enrichment_jobs: table(
    {
      vin: key().primary(),
      /** The source to ask next. */
      source: key(),
      /** Sources that had nothing, or were given up, with commas between them. */
      tried: text().default(''),
      /** The first account that asked: see `workspaces/subject.ts`. */
      subject: key(),
      /** 1: asked for without a key. Comes after the others. */
      public: flag(),
      created_at: bigint(),
      /** The wait for it ends then. */
      deadline_at: bigint(),
      ...JOB_COLUMNS,
    },
    { indexes: { enrichment_jobs_run: '(source, run_at)', enrichment_jobs_subject: '(subject)' } },
  ),
  enrichment_results: table(
    {
      vin: key().primary(),
      /** The source that knew it; null: none did. */
      source: key().nullable(),
      /** The source's answer as JSON, before it is cleaned; null: none. */
      answer: text().nullable(),
      settled_at: bigint(),
      expires_at: bigint(),
    },
    {
      checks: ['(source IS NULL) = (answer IS NULL)'],
      indexes: { enrichment_results_expiry: '(expires_at)' },
    },
  ),
  /** The state of a source that all instances share. */
  enrichment_sources: table({
    name: key().primary(),
    /** Failed look-ups since the last that did not fail. */
    failures: integer().default(0),
    /** It is not asked before this. */
    closed_until: bigint().default(0),
    /** When the next look-up would be due if they were evenly spread. */
    next_slot_at: bigint().default(0),
  }),
  /** One look-up that was made. */
  enrichment_lookups: table(
    {
      id: key().primary(),
      source: key(),
      outcome: oneOf('found', 'nothing', 'failed'),
      /** The reason for its failure. */
      reason: text().nullable(),
      took_ms: bigint(),
      /** From the first request for the VIN to its result; null if this look-up gave none. */
      waited_ms: bigint().nullable(),
      created_at: bigint(),
    },
    { indexes: { enrichment_lookups_source: '(source, created_at)' } },
  ),
  /** The look-ups that an account has asked for in a period of its usage. */
  enrichment_asks: table(
    {
      /** See `workspaces/subject.ts`. */
      subject: key(),
      /** The end of the period. */
      reset_at: bigint(),
      asked: integer(),
    },
    { primaryKey: ['subject', 'reset_at'], withoutRowid: true, since: 103 },
  ),
  /** Workspaces that wait for a VIN. */
  enrichment_pending: table(
    {
      vin: key().belongsTo('enrichment_jobs', 'vin'),
      workspace_id: key(),
    },
    { primaryKey: ['vin', 'workspace_id'] },
  ),
};

export type EnrichmentTables = Rows<typeof ENRICHMENT_TABLES>;

declare module '../kernel/db/schema.ts' {
  interface Schema extends EnrichmentTables {}
}
