import type { Migration } from '../migrate.ts';

/** Files of VINs that are decoded in the background. */
export const files: Migration = {
  name: 'files',
  sqlite: `
    CREATE TABLE vin_files (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      created_by TEXT NOT NULL,
      name TEXT NOT NULL,
      source TEXT NOT NULL,
      vin_column INTEGER NOT NULL,
      column_name TEXT NOT NULL,
      has_header INTEGER NOT NULL CHECK (has_header IN (0, 1)),
      state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'stopped', 'done')),
      row_count INTEGER NOT NULL,
      done INTEGER NOT NULL,
      delivered INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      finished_at INTEGER,
      leased_by TEXT,
      lease_until INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX vin_files_workspace ON vin_files (workspace_id, id);
    CREATE INDEX vin_files_state ON vin_files (state, id);
    CREATE TABLE vin_file_rows (
      file_id TEXT NOT NULL REFERENCES vin_files (id) ON DELETE CASCADE,
      row INTEGER NOT NULL,
      decode_id TEXT,
      PRIMARY KEY (file_id, row)
    ) STRICT, WITHOUT ROWID;
  `,
  postgres: `
    CREATE TABLE vin_files (
      id text COLLATE "C" PRIMARY KEY,
      workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      created_by text NOT NULL,
      name text NOT NULL,
      source text NOT NULL,
      vin_column integer NOT NULL,
      column_name text NOT NULL,
      has_header integer NOT NULL CHECK (has_header IN (0, 1)),
      state text NOT NULL CHECK (state IN ('waiting', 'running', 'stopped', 'done')),
      row_count integer NOT NULL,
      done integer NOT NULL,
      delivered integer NOT NULL,
      created_at bigint NOT NULL,
      finished_at bigint,
      leased_by text,
      lease_until bigint NOT NULL
    );
    CREATE INDEX vin_files_workspace ON vin_files (workspace_id, id);
    CREATE INDEX vin_files_state ON vin_files (state, id);
    CREATE TABLE vin_file_rows (
      file_id text COLLATE "C" NOT NULL REFERENCES vin_files (id) ON DELETE CASCADE,
      row integer NOT NULL,
      decode_id text COLLATE "C",
      PRIMARY KEY (file_id, row)
    );
  `,
};
