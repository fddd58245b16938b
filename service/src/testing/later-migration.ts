import { definition } from '../database.ts';
import type { Definition } from '../kernel/db/index.ts';

const SQL = `
  CREATE TABLE later (id INTEGER PRIMARY KEY);
  ALTER TABLE workspaces ADD COLUMN later_text TEXT;
`;

const now = await definition();

/** The definition of the database of a program one version newer than this one, for tests of upgrading. */
export const WITH_LATER: Definition = {
  ...now,
  migrations: [...now.migrations, { name: 'later', sqlite: SQL, postgres: SQL }],
};
