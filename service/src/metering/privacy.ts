import { setImmediate as nextTurn } from 'node:timers/promises';

import { sql } from 'kysely';

import type { Database } from '../kernel/db/index.ts';
import { inBatches, removeInBatches, withLongTimeout } from '../kernel/db/batches.ts';
import { maskVin } from '../kernel/mask-vin.ts';
import { type ExportedRecord, parsed, type PrivacySubject, type SlicePrivacy } from '../kernel/privacy.ts';
import { testSubject, workspaceSubject } from '../workspaces/index.ts';
import { chargeOfVin, OWN_CHARGES_OF_VINS } from './idempotency.ts';

/** Decodes read at once. */
const PAGE = 500;

/** Small enough that concurrent charges wait only a few milliseconds. */
const ROWS_A_TRANSACTION = 200;

/** A filter on decodes. */
interface Which {
  column: 'vin' | 'subject' | 'id';
  values: readonly string[];
  /** When the erasure began: it ends once all decodes from before are masked. Undefined: nothing stores any more of them. */
  beganMs?: number;
}

/** Counters and the ledger are kept: they record how much was charged, and nothing about a vehicle. */
export const privacy: SlicePrivacy = {
  records: async function* records(database, subject) {
    const which = decodesOf(subject);
    if (subject.kind === 'workspace') {
      const usage = database.kysely.selectFrom('usage_ledger').selectAll().where('subject', 'in', which.values);
      for (const row of await usage.execute()) yield { kind: 'usage', ...row };
    }
    yield* decodes(database, which);
  },
  erasure: async ({ database, clock }, subject) => {
    const which = decodesOf(subject);
    if (subject.kind === 'vin') {
      const keys = OWN_CHARGES_OF_VINS.map((what) => chargeOfVin({ atMs: 0 }, what, subject.vin).key);
      return {
        mask: async () => {
          await database.kysely.deleteFrom('idempotency').where('idempotency_key', 'in', keys).execute();
          await forgetPartial(database, subject.vin);
          return { decodes: await maskDecodes(database, { ...which, beganMs: clock() }) };
        },
      };
    }
    const scopes = which.values.flatMap((scope) => [scope, `report:${scope}`, `job:${scope}`]);
    return {
      mask: async () => {
        const where = sql<boolean>`scope IN (${sql.join(scopes)})`;
        await removeInBatches(database, { table: 'idempotency', key: ['scope', 'idempotency_key'], where });
        return { decodes: await maskDecodes(database, which) };
      },
    };
  },
};

function decodesOf(subject: PrivacySubject): Which {
  return subject.kind === 'vin'
    ? { column: 'vin', values: [subject.vin] }
    : { column: 'subject', values: [workspaceSubject(subject.id), testSubject(subject.id)] };
}

async function* decodes(database: Database, { column, values }: Which): AsyncGenerator<ExportedRecord> {
  let after = '';
  for (;;) {
    const rows = await withLongTimeout(database, (kysely) =>
      kysely
        .selectFrom('decodes')
        .selectAll()
        .where(column, 'in', values)
        .where('id', '>', after)
        .orderBy('id')
        .limit(PAGE)
        .execute(),
    );
    for (const row of rows) yield { kind: 'decode', ...row, report: parsed(row.report) };
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.id;
  }
}

/**
 * Removes the charges that are named by a partial VIN which may be this one: the hash of one that has the serial number
 * would give it away.
 */
async function forgetPartial(database: Database, vin: string): Promise<void> {
  // The serial number is not stored with a partial VIN, and any character before it may be unknown.
  const stored = maskVin(vin);
  const alike = [...stored].map((character, index) => {
    const at = sql`substr(decodes.vin, ${sql.lit(index + 1)}, 1)`;
    return sql`${at} IN (${sql.lit(character)}, '*')`;
  });
  const beginnings = OWN_CHARGES_OF_VINS.map((what) => sql`idempotency_key LIKE ${sql.lit(`own ${what} %`)}`);
  const where = sql<boolean>`(${sql.join(beginnings, sql` OR `)}) AND EXISTS (
    SELECT 1 FROM decodes WHERE decodes.id = idempotency.decode_id AND ${sql.join(alike, sql` AND `)})`;
  await removeInBatches(database, { table: 'idempotency', key: ['scope', 'idempotency_key'], where });
}

/**
 * Removes the hashes of all requests, some at a time: much of what is hashed is stored nowhere, such as a member of a
 * body that nobody reads, and a VIN of which all but the serial number is known can be found by its hash. Repeated
 * requests are compared with what is stored of them from then on.
 */
export async function forgetBodies({ kysely }: Pick<Database, 'kysely'>): Promise<void> {
  let after = sql`('', '')`;
  await inBatches(async () => {
    const rows = await kysely
      .selectFrom('idempotency')
      .select(['scope', 'idempotency_key'])
      .where('body_hash', '<>', '')
      .where(sql<boolean>`(scope, idempotency_key) > ${after}`)
      .orderBy('scope')
      .orderBy('idempotency_key')
      .limit(ROWS_A_TRANSACTION)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return 0;
    const to = sql`(${last.scope}, ${last.idempotency_key})`;
    await kysely
      .updateTable('idempotency')
      .set({ body_hash: '' })
      .where('body_hash', '<>', '')
      .where(sql<boolean>`(scope, idempotency_key) > ${after} AND (scope, idempotency_key) <= ${to}`)
      .execute();
    after = to;
    return rows.length;
  });
}

/** Removes the hash of the request that brought about a file: see `forgetBodies`. */
export async function forgetJob(
  { kysely }: Pick<Database, 'kysely'>,
  workspaceId: string,
  fileId: string,
): Promise<void> {
  await kysely
    .updateTable('idempotency')
    .set({ body_hash: '' })
    .where('scope', 'in', [`job:${workspaceSubject(workspaceId)}`, `job:${testSubject(workspaceId)}`])
    .where('outcome', '=', fileId)
    .execute();
}

/**
 * Takes VINs and reports out of stored decodes. The rows stay: the ledger's sums are compared with their number.
 *
 * @returns how many were changed.
 */
export async function maskDecodes(database: Database, which: Which): Promise<number> {
  let all = 0;
  for (;;) {
    // Decodes that were charged meanwhile may have earlier ids: until a pass finds none, except what comes ever anew.
    const { masked, earlier } = await maskPass(database, which);
    all += masked;
    if (earlier === 0) return all;
  }
}

/** Masks decodes in the order of their ids. */
async function maskPass(database: Database, which: Which): Promise<{ masked: number; earlier: number }> {
  const { beganMs = Infinity } = which;
  const counts = { masked: 0, earlier: 0 };
  for await (const rows of unmasked(database, which)) {
    await database.kysely.transaction().execute(async (transaction) => {
      for (const { id, vin } of rows) {
        const masked = maskVin(vin);
        const report = JSON.stringify({ vin: masked });
        await transaction.updateTable('decodes').set({ vin: masked, report }).where('id', '=', id).execute();
      }
    });
    counts.masked += rows.length;
    counts.earlier += rows.filter(({ created_at: atMs }) => atMs < beganMs).length;
  }
  return counts;
}

/** Reads the decodes that are not masked, in the order of their ids, and lets other work run between pages. */
async function* unmasked(database: Database, { column, values }: Which) {
  let after = '';
  for (;;) {
    const rows = await withLongTimeout(database, (kysely) =>
      kysely
        .selectFrom('decodes')
        .select(['id', 'vin', 'created_at'])
        .where(column, 'in', values)
        // A masked VIN alone is not enough: a partial one is stored so, with its report.
        .where(sql<boolean>`(vin NOT LIKE '%*' OR report <> '{"vin":"' || vin || '"}')`)
        .where('id', '>', after)
        .orderBy('id')
        .limit(ROWS_A_TRANSACTION)
        .execute(),
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.id;
    await nextTurn();
  }
}
