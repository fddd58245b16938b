import type { Migration } from '../migrate.ts';

/** Letters that wait to be sent. */
export const mail: Migration = {
  name: 'mail',
  sqlite: `
    CREATE TABLE mail_outbox (
      id TEXT PRIMARY KEY,
      mail TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      tries INTEGER NOT NULL,
      not_before INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX mail_outbox_due ON mail_outbox (not_before);
  `,
  postgres: `
    CREATE TABLE mail_outbox (
      id text COLLATE "C" PRIMARY KEY,
      mail text NOT NULL,
      created_at bigint NOT NULL,
      tries integer NOT NULL,
      not_before bigint NOT NULL
    );
    CREATE INDEX mail_outbox_due ON mail_outbox (not_before);
  `,
};
