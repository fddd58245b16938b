import { setImmediate as nextTurn } from 'node:timers/promises';

import { type Kysely, sql } from 'kysely';

import { DAY_MS } from '../kernel/clock.ts';
import type { Database, Schema } from '../kernel/db/index.ts';
import { inBatches, removeInBatches, withLongTimeout } from '../kernel/db/batches.ts';
import { maskVin } from '../kernel/mask-vin.ts';
import { type ExportedRecord, parsed, type PrivacySubject, type SlicePrivacy } from '../kernel/privacy.ts';
import { testSubject, workspaceSubject } from '../workspaces/index.ts';
import { chargeOfVin, OWN_CHARGES_OF_VINS } from './idempotency.ts';

/** Decodes read at once. */
const PAGE = 500;

/** Small enough that concurrent charges wait only a few milliseconds. */
const ROWS_A_TRANSACTION = 200;

/** Outcomes of requests that are read at once: that of a batch names a thousand decodes. */
const OUTCOMES_A_TURN = 50;

const ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** A filter on decodes. */
interface Which {
  column: 'vin' | 'subject' | 'id';
  values: readonly string[];
  /**
   * When the erasure began. Its decodes are those from before, and their requests are forgotten, too: see `forgetBodies`.
   * Undefined: nothing stores any more of these decodes.
   */
  beganMs?: number;
}

/** Longer than the record of any request for decodes is kept. */
const REQUESTS_MS = 2 * DAY_MS;

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

/** The beginnings of the scopes of requests that bring about decodes and reports: each is read for its own. */
const SCOPES = { decodes: ['public:', 'test:', 'workspace:'], reports: ['report:'] } as const;

type StoredOutcome = Pick<Schema['idempotency'], 'outcome' | 'usage_remaining'>;

/**
 * Removes the hashes of the requests that brought something about, by its id: a VIN of which all but the serial number
 * is known can be found by its hash. Repeated decodes are compared with their outcome from then on, without the serial
 * number; other repeated requests are refused.
 */
export async function forgetBodies(
  { kysely }: Database,
  what: keyof typeof SCOPES,
  ids: Iterable<string>,
): Promise<void> {
  const sought = new Set(ids);
  if (sought.size === 0 && what === 'reports') return;
  const isSought = (row: StoredOutcome): boolean =>
    (what === 'decodes' && hasUnstored(row)) || row.outcome.match(ID)?.some((id) => sought.has(id)) === true;
  for (const scope of SCOPES[what]) await forgetIn(kysely, scope, isSought);
}

/**
 * Returns true if a batch had texts of which no decode is stored: what was not read as a VIN, or came after the last
 * decode of the month. One of them may be any VIN.
 */
function hasUnstored({ outcome, usage_remaining: remaining }: StoredOutcome): boolean {
  return remaining === 0 || outcome.includes('"malformed"');
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

async function forgetIn(
  kysely: Kysely<Schema>,
  scope: string,
  isSought: (row: StoredOutcome) => boolean,
): Promise<void> {
  let after = { scope, idempotency_key: '' };
  await inBatches(async () => {
    const rows = await kysely
      .selectFrom('idempotency')
      .select(['scope', 'idempotency_key', 'outcome', 'usage_remaining'])
      // What begins so sorts before what begins with the next character.
      .where('scope', '<', scope.replace(':', ';'))
      .where((where) =>
        where.or([
          where('scope', '>', after.scope),
          where.and([where('scope', '=', after.scope), where('idempotency_key', '>', after.idempotency_key)]),
        ]),
      )
      .orderBy('scope')
      .orderBy('idempotency_key')
      .limit(OUTCOMES_A_TURN)
      .execute();
    for (const row of rows) {
      after = row;
      if (!isSought(row)) continue;
      const stored = kysely.updateTable('idempotency').where('scope', '=', row.scope);
      await stored.where('idempotency_key', '=', row.idempotency_key).set({ body_hash: '' }).execute();
    }
    return rows.length;
  });
}

/**
 * Takes VINs and reports out of stored decodes. The rows stay: the ledger's sums are compared with their number.
 *
 * @returns how many were changed.
 */
export async function maskDecodes(database: Database, which: Which): Promise<number> {
  let all = 0;
  let isFirst = which.beganMs !== undefined;
  for (;;) {
    const recent = await recentDecodes(database, which);
    // At first also where no decode is recent: a batch may have had the VIN without one.
    if (recent.size > 0 || isFirst) await forgetBodies(database, 'decodes', recent);
    isFirst = false;
    // Decodes that were charged meanwhile may have earlier ids: until a pass finds none, except what comes ever anew.
    const { masked, earlier } = await maskPass(database, which, recent);
    all += masked;
    if (earlier === 0) return all;
  }
}

/** Returns the ids of the decodes whose requests are to be forgotten. */
async function recentDecodes(database: Database, which: Which): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const { beganMs } = which;
  if (beganMs === undefined) return ids;
  for await (const rows of unmasked(database, which)) {
    for (const { id, created_at: atMs } of rows) if (atMs >= beganMs - REQUESTS_MS) ids.add(id);
  }
  return ids;
}

/** Masks decodes in the order of their ids, and leaves recent ones whose requests were not forgotten. */
async function maskPass(
  database: Database,
  which: Which,
  forgotten: ReadonlySet<string>,
): Promise<{ masked: number; earlier: number }> {
  const { beganMs = Infinity } = which;
  const counts = { masked: 0, earlier: 0 };
  for await (const rows of unmasked(database, which)) {
    const ripe = rows.filter(({ id, created_at: atMs }) => atMs < beganMs - REQUESTS_MS || forgotten.has(id));
    await database.kysely.transaction().execute(async (transaction) => {
      for (const { id, vin } of ripe) {
        const masked = maskVin(vin);
        const report = JSON.stringify({ vin: masked });
        await transaction.updateTable('decodes').set({ vin: masked, report }).where('id', '=', id).execute();
      }
    });
    counts.masked += ripe.length;
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
