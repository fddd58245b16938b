/**
 * People, the workspaces that they belong to, and what these pay for.
 *
 * The `auth_` tables are in the column types that better-auth's Kysely adapter writes.
 */
export const ACCOUNT_TABLES = `
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
    purpose text NOT NULL CHECK (purpose IN ('sign-up', 'invitation', 'reset')),
    email text NOT NULL,
    slug text,
    workspace_id text COLLATE "C" REFERENCES workspaces (id) ON DELETE CASCADE,
    role text,
    invited_by text,
    inviter_id text COLLATE "C" REFERENCES auth_users (id) ON DELETE CASCADE,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
  );
  CREATE INDEX account_links_email ON account_links (email);
  CREATE INDEX account_links_workspace ON account_links (workspace_id);
  CREATE INDEX account_links_inviter ON account_links (inviter_id);
  CREATE TABLE auth_tries (
    scope text NOT NULL,
    window_start bigint NOT NULL,
    tries integer NOT NULL,
    PRIMARY KEY (scope, window_start)
  );
  CREATE TABLE workspace_billing (
    subscription_id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    customer_id text NOT NULL,
    plan text NOT NULL,
    status text NOT NULL,
    updated_at bigint NOT NULL,
    revision integer NOT NULL
  );
  CREATE INDEX workspace_billing_by_workspace ON workspace_billing (workspace_id);
`;
