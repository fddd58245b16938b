import { sql } from 'kysely';

import { BATCH_ROWS } from '../kernel/db/batches.ts';
import type { Database } from '../kernel/db/index.ts';

/** Has PostgreSQL refuse a statement, also a cascade, that changes or removes more rows of a table than a batch has. */
export async function refuseManyRows({ kysely }: Database, table: string): Promise<void> {
  await sql`CREATE OR REPLACE FUNCTION refuse_many() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT count(*) FROM before) > ${sql.lit(BATCH_ROWS)} THEN RAISE 'too many rows in one statement'; END IF;
    RETURN NULL; END $$`.execute(kysely);
  for (const event of ['UPDATE', 'DELETE']) {
    await sql`CREATE TRIGGER ${sql.id(`few_${event}`)} AFTER ${sql.raw(event)} ON ${sql.table(table)}
      REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION refuse_many()`.execute(kysely);
  }
}
