import type { Migration } from '../kernel/db/migrate.ts';
import { migrations } from '../kernel/db/migrations/index.ts';

const SQL = `
  CREATE TABLE later (id INTEGER PRIMARY KEY);
  ALTER TABLE workspaces ADD COLUMN later_text TEXT;
`;

/** The migrations of a program one version newer than this one, for tests of upgrading. */
export const WITH_LATER: readonly Migration[] = [...migrations, { name: 'later', sqlite: SQL, postgres: SQL }];
