import type { Transaction } from 'kysely';
import { v7 } from 'uuid';

import type { Database, Schema } from '../db/index.ts';
import type { Mail, Mailer } from './mailer.ts';

/** Longer than a mail server may take for one letter: until then nobody else tries to send it. */
const LEASE_MS = 60_000;

const FIRST_PAUSE_MS = 60_000;

/** Pauses double: after this many tries, about two days, nobody wants the news any more. */
const MOST_TRIES = 12;

/** Writes a letter in the transaction of what it tells of. */
export async function queueMail(transaction: Transaction<Schema>, mail: Mail, atMs: number): Promise<void> {
  await transaction
    .insertInto('mail_outbox')
    .values({
      id: v7({ msecs: atMs }),
      mail: JSON.stringify(mail),
      created_at: atMs,
      tries: 0,
      not_before: atMs,
    })
    .execute();
}

/** What became of one look into the outbox. */
export interface Delivery {
  sent: number;
  /** Of each letter that could not be sent. */
  faults: { id: string; givenUp: boolean; error: unknown }[];
}

/** Sends every letter that is due. A letter that was sent is deleted: it holds somebody's address. */
export async function deliverMail(database: Database, mailer: Mailer, nowMs: number): Promise<Delivery> {
  const { kysely } = database;
  const delivery: Delivery = { sent: 0, faults: [] };
  const due = await kysely
    .selectFrom('mail_outbox')
    .selectAll()
    .where('not_before', '<=', nowMs)
    .orderBy('id')
    .limit(100)
    .execute();
  for (const { id, mail: json, tries } of due) {
    const claimed = await kysely
      .updateTable('mail_outbox')
      .set({ tries: tries + 1, not_before: nowMs + LEASE_MS })
      .where('id', '=', id)
      .where('tries', '=', tries)
      .executeTakeFirst();
    if (claimed.numUpdatedRows === 0n) continue;
    try {
      const mail: Mail = JSON.parse(json);
      await mailer.send(mail);
      await kysely.deleteFrom('mail_outbox').where('id', '=', id).execute();
      delivery.sent++;
    } catch (error) {
      const givenUp = tries + 1 >= MOST_TRIES;
      delivery.faults.push({ id, givenUp, error });
      if (givenUp) await kysely.deleteFrom('mail_outbox').where('id', '=', id).execute();
      else await postpone(database, id, nowMs + FIRST_PAUSE_MS * 2 ** tries);
    }
  }
  return delivery;
}

async function postpone(database: Database, id: string, untilMs: number): Promise<void> {
  await database.kysely.updateTable('mail_outbox').set({ not_before: untilMs }).where('id', '=', id).execute();
}
