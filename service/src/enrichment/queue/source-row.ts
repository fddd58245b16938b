import type { Selectable, Transaction } from 'kysely';

import type { Schema } from '../../kernel/db/index.ts';

/** What all instances share about a source, locked until the transaction ends. Made when it is missing. */
export async function lockSource(
  transaction: Transaction<Schema>,
  name: string,
): Promise<Selectable<Schema['enrichment_sources']>> {
  const find = () =>
    transaction.selectFrom('enrichment_sources').selectAll().where('name', '=', name).forUpdate().executeTakeFirst();
  const known = await find();
  if (known !== undefined) return known;
  await transaction
    .insertInto('enrichment_sources')
    .values({ name })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const made = await find();
  if (made === undefined) throw new Error('A source that was just stored is not there.');
  return made;
}
