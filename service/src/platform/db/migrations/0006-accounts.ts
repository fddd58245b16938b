import type { Migration } from '../migrate.ts';

/**
 * People, their sessions and memberships. The `auth_` tables but the last are better-auth's, in the column types that its
 * Kysely adapter writes: on SQLite times as ISO texts and flags as 0 and 1, on PostgreSQL timestamps and booleans.
 */
export const accounts: Migration = {
  name: 'accounts',
  sqlite: `
    CREATE TABLE auth_users (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      email TEXT NOT NULL UNIQUE,
      email_verified INTEGER NOT NULL,
      image TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      two_factor_enabled INTEGER
    ) STRICT;
    CREATE TABLE auth_sessions (
      id TEXT PRIMARY KEY,
      expires_at TEXT NOT NULL,
      token TEXT NOT NULL UNIQUE,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      ip_address TEXT,
      user_agent TEXT,
      user_id TEXT NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX auth_sessions_user ON auth_sessions (user_id);
    CREATE TABLE auth_accounts (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL,
      provider_id TEXT NOT NULL,
      user_id TEXT NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
      access_token TEXT,
      refresh_token TEXT,
      id_token TEXT,
      access_token_expires_at TEXT,
      refresh_token_expires_at TEXT,
      scope TEXT,
      password TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX auth_accounts_user ON auth_accounts (user_id);
    CREATE TABLE auth_verifications (
      id TEXT PRIMARY KEY,
      identifier TEXT NOT NULL,
      value TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX auth_verifications_identifier ON auth_verifications (identifier);
    CREATE TABLE auth_two_factors (
      id TEXT PRIMARY KEY,
      secret TEXT NOT NULL,
      backup_codes TEXT NOT NULL,
      user_id TEXT NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
      verified INTEGER,
      failed_verification_count INTEGER,
      locked_until TEXT
    ) STRICT;
    CREATE INDEX auth_two_factors_user ON auth_two_factors (user_id);
    CREATE TABLE workspace_members (
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      user_id TEXT NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
      role TEXT NOT NULL CHECK (role IN ('owner', 'member')),
      created_at INTEGER NOT NULL,
      PRIMARY KEY (workspace_id, user_id)
    ) STRICT;
    CREATE INDEX workspace_members_user ON workspace_members (user_id);
    CREATE TABLE administrators (
      user_id TEXT PRIMARY KEY REFERENCES auth_users (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE account_links (
      id TEXT PRIMARY KEY,
      purpose TEXT NOT NULL CHECK (purpose IN ('sign-up', 'invitation')),
      email TEXT NOT NULL,
      slug TEXT,
      workspace_id TEXT REFERENCES workspaces (id) ON DELETE CASCADE,
      role TEXT,
      invited_by TEXT,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX account_links_workspace ON account_links (workspace_id);
    CREATE TABLE auth_tries (
      scope TEXT NOT NULL,
      window_start INTEGER NOT NULL,
      tries INTEGER NOT NULL,
      PRIMARY KEY (scope, window_start)
    ) STRICT;
  `,
  postgres: `
    CREATE TABLE auth_users (
      id text COLLATE "C" PRIMARY KEY,
      name text NOT NULL,
      email text COLLATE "C" NOT NULL UNIQUE,
      email_verified boolean NOT NULL,
      image text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      two_factor_enabled boolean
    );
    CREATE TABLE auth_sessions (
      id text COLLATE "C" PRIMARY KEY,
      expires_at timestamptz NOT NULL,
      token text COLLATE "C" NOT NULL UNIQUE,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      ip_address text,
      user_agent text,
      user_id text COLLATE "C" NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE
    );
    CREATE INDEX auth_sessions_user ON auth_sessions (user_id);
    CREATE TABLE auth_accounts (
      id text COLLATE "C" PRIMARY KEY,
      account_id text NOT NULL,
      provider_id text NOT NULL,
      user_id text COLLATE "C" NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
      access_token text,
      refresh_token text,
      id_token text,
      access_token_expires_at timestamptz,
      refresh_token_expires_at timestamptz,
      scope text,
      password text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX auth_accounts_user ON auth_accounts (user_id);
    CREATE TABLE auth_verifications (
      id text COLLATE "C" PRIMARY KEY,
      identifier text NOT NULL,
      value text NOT NULL,
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX auth_verifications_identifier ON auth_verifications (identifier);
    CREATE TABLE auth_two_factors (
      id text COLLATE "C" PRIMARY KEY,
      secret text NOT NULL,
      backup_codes text NOT NULL,
      user_id text COLLATE "C" NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
      verified boolean,
      failed_verification_count integer,
      locked_until timestamptz
    );
    CREATE INDEX auth_two_factors_user ON auth_two_factors (user_id);
    CREATE TABLE workspace_members (
      workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      user_id text COLLATE "C" NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
      role text NOT NULL CHECK (role IN ('owner', 'member')),
      created_at bigint NOT NULL,
      PRIMARY KEY (workspace_id, user_id)
    );
    CREATE INDEX workspace_members_user ON workspace_members (user_id);
    CREATE TABLE administrators (
      user_id text COLLATE "C" PRIMARY KEY REFERENCES auth_users (id) ON DELETE CASCADE,
      created_at bigint NOT NULL
    );
    CREATE TABLE account_links (
      id text COLLATE "C" PRIMARY KEY,
      purpose text NOT NULL CHECK (purpose IN ('sign-up', 'invitation')),
      email text NOT NULL,
      slug text,
      workspace_id text COLLATE "C" REFERENCES workspaces (id) ON DELETE CASCADE,
      role text,
      invited_by text,
      created_at bigint NOT NULL,
      expires_at bigint NOT NULL
    );
    CREATE INDEX account_links_workspace ON account_links (workspace_id);
    CREATE TABLE auth_tries (
      scope text NOT NULL,
      window_start bigint NOT NULL,
      tries integer NOT NULL,
      PRIMARY KEY (scope, window_start)
    );
  `,
};
