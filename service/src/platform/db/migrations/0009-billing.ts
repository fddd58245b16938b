import type { Migration } from '../migrate.ts';

/** What workspaces pay for. */
export const billing: Migration = {
  name: 'billing',
  sqlite: `
    CREATE TABLE workspace_billing (
      workspace_id TEXT PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
      customer_id TEXT NOT NULL,
      subscription_id TEXT NOT NULL,
      plan TEXT NOT NULL,
      status TEXT NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;
  `,
  postgres: `
    CREATE TABLE workspace_billing (
      workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
      customer_id text NOT NULL,
      subscription_id text NOT NULL,
      plan text NOT NULL,
      status text NOT NULL,
      updated_at bigint NOT NULL
    );
  `,
};
