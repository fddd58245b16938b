import type { Migration } from '../migrate.ts';

/** VINs to look up outside, what came of it, and how the sources do. */
export const enrichment: Migration = {
  name: 'enrichment',
  sqlite: `
    CREATE TABLE enrichment_jobs (
      vin TEXT PRIMARY KEY,
      source TEXT NOT NULL,
      tried TEXT NOT NULL DEFAULT '',
      subject TEXT NOT NULL,
      public INTEGER NOT NULL CHECK (public IN (0, 1)),
      failures INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      deadline_at INTEGER NOT NULL,
      due_at INTEGER NOT NULL,
      holder TEXT
    ) STRICT;
    CREATE INDEX enrichment_jobs_due ON enrichment_jobs (source, due_at);
    CREATE INDEX enrichment_jobs_subject ON enrichment_jobs (subject);
    CREATE TABLE enrichment_results (
      vin TEXT PRIMARY KEY,
      source TEXT,
      answer TEXT,
      settled_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      CHECK ((source IS NULL) = (answer IS NULL))
    ) STRICT;
    CREATE INDEX enrichment_results_expiry ON enrichment_results (expires_at);
    CREATE TABLE enrichment_sources (
      name TEXT PRIMARY KEY,
      failures INTEGER NOT NULL DEFAULT 0,
      closed_until INTEGER NOT NULL DEFAULT 0,
      next_slot_at INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE enrichment_lookups (
      id TEXT PRIMARY KEY,
      source TEXT NOT NULL,
      outcome TEXT NOT NULL CHECK (outcome IN ('found', 'nothing', 'failed')),
      reason TEXT,
      took_ms INTEGER NOT NULL,
      waited_ms INTEGER,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX enrichment_lookups_source ON enrichment_lookups (source, created_at);
  `,
  postgres: `
    CREATE TABLE enrichment_jobs (
      vin text COLLATE "C" PRIMARY KEY,
      source text COLLATE "C" NOT NULL,
      tried text NOT NULL DEFAULT '',
      subject text COLLATE "C" NOT NULL,
      public integer NOT NULL CHECK (public IN (0, 1)),
      failures integer NOT NULL DEFAULT 0,
      created_at bigint NOT NULL,
      deadline_at bigint NOT NULL,
      due_at bigint NOT NULL,
      holder text COLLATE "C"
    );
    CREATE INDEX enrichment_jobs_due ON enrichment_jobs (source, due_at);
    CREATE INDEX enrichment_jobs_subject ON enrichment_jobs (subject);
    CREATE TABLE enrichment_results (
      vin text COLLATE "C" PRIMARY KEY,
      source text COLLATE "C",
      answer text,
      settled_at bigint NOT NULL,
      expires_at bigint NOT NULL,
      CHECK ((source IS NULL) = (answer IS NULL))
    );
    CREATE INDEX enrichment_results_expiry ON enrichment_results (expires_at);
    CREATE TABLE enrichment_sources (
      name text COLLATE "C" PRIMARY KEY,
      failures integer NOT NULL DEFAULT 0,
      closed_until bigint NOT NULL DEFAULT 0,
      next_slot_at bigint NOT NULL DEFAULT 0
    );
    CREATE TABLE enrichment_lookups (
      id text COLLATE "C" PRIMARY KEY,
      source text COLLATE "C" NOT NULL,
      outcome text NOT NULL CHECK (outcome IN ('found', 'nothing', 'failed')),
      reason text,
      took_ms bigint NOT NULL,
      waited_ms bigint,
      created_at bigint NOT NULL
    );
    CREATE INDEX enrichment_lookups_source ON enrichment_lookups (source, created_at);
  `,
};
