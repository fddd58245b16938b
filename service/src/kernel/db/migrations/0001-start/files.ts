import { JOB_COLUMNS } from './job-columns.ts';

/** Files of VINs. */
export const FILE_TABLES = `
  CREATE TABLE vin_files (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    created_by text NOT NULL,
    name text NOT NULL,
    header text,
    delimiter text NOT NULL,
    vin_column integer NOT NULL,
    column_name text NOT NULL,
    width integer NOT NULL,
    bytes integer NOT NULL,
    state text NOT NULL CHECK (state IN ('queued', 'running', 'stopped', 'completed')),
    row_count integer NOT NULL,
    done integer NOT NULL,
    delivered integer NOT NULL,
    created_at bigint NOT NULL,
    finished_at bigint,
    ${JOB_COLUMNS}
  );
  CREATE INDEX vin_files_workspace ON vin_files (workspace_id, id);
  CREATE INDEX vin_files_state ON vin_files (state, workspace_id);
  CREATE TABLE vin_file_pages (
    file_id text COLLATE "C" NOT NULL REFERENCES vin_files (id) ON DELETE CASCADE,
    first_row integer NOT NULL,
    rows text NOT NULL,
    PRIMARY KEY (file_id, first_row)
  );
  CREATE TABLE vin_file_rows (
    file_id text COLLATE "C" NOT NULL REFERENCES vin_files (id) ON DELETE CASCADE,
    row integer NOT NULL,
    decode_id text COLLATE "C",
    PRIMARY KEY (file_id, row)
  ) WITHOUT ROWID;
`;
