import { setImmediate as nextTurn } from 'node:timers/promises';

import { sql } from 'kysely';

import type { Database } from '../kernel/db/index.ts';
import { withLongTimeout } from '../kernel/db/batches.ts';
import { maskVin } from '../kernel/mask-vin.ts';
import { type ExportedRecord, parsed, type PrivacySubject, type SlicePrivacy } from '../kernel/privacy.ts';
import { testSubject, workspaceSubject } from '../workspaces/index.ts';

/** Decodes read at once. */
const PAGE = 500;

/** Small enough that concurrent charges wait only a few milliseconds. */
const ROWS_A_TRANSACTION = 200;

/** A filter on decodes. */
interface Which {
  column: 'vin' | 'subject' | 'id';
  values: readonly string[];
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
  erasure: async ({ database }, subject) => {
    const which = decodesOf(subject);
    const mask = async () => ({ decodes: await maskDecodes(database, which) });
    if (subject.kind === 'vin') return { mask };
    const scopes = which.values.flatMap((scope) => [scope, `report:${scope}`, `job:${scope}`]);
    return {
      mask,
      erase: async ({ transaction }) => {
        await transaction.deleteFrom('idempotency').where('scope', 'in', scopes).execute();
        return {};
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
 * Takes VINs and reports out of stored decodes. The rows stay: the ledger's sums are compared with their number. A
 * request that is repeated with its Idempotency-Key gets the masked report.
 *
 * @returns how many were changed.
 */
export async function maskDecodes(database: Database, which: Which): Promise<number> {
  let all = 0;
  for (;;) {
    // Decodes that were charged meanwhile may have earlier ids: until a pass finds none.
    const masked = await maskPass(database, which);
    if (masked === 0) return all;
    all += masked;
  }
}

/** Masks decodes in the order of their ids. @returns how many. */
async function maskPass(database: Database, { column, values }: Which): Promise<number> {
  let after = '';
  let all = 0;
  for (;;) {
    const rows = await withLongTimeout(database, (kysely) =>
      kysely
        .selectFrom('decodes')
        .select(['id', 'vin'])
        .where(column, 'in', values)
        // A masked VIN alone is not enough: a partial one is stored so, with its report.
        .where(sql<boolean>`(vin NOT LIKE '%*' OR report <> '{"vin":"' || vin || '"}')`)
        .where('id', '>', after)
        .orderBy('id')
        .limit(ROWS_A_TRANSACTION)
        .execute(),
    );
    const last = rows.at(-1);
    if (last === undefined) return all;
    await database.kysely.transaction().execute(async (transaction) => {
      for (const { id, vin } of rows) {
        const masked = maskVin(vin);
        const report = JSON.stringify({ vin: masked });
        await transaction.updateTable('decodes').set({ vin: masked, report }).where('id', '=', id).execute();
      }
    });
    all += rows.length;
    after = last.id;
    await nextTurn();
  }
}
