import { array, assert, asyncProperty, constantFrom, integer, option, record } from 'fast-check';
import { expect, test } from 'vitest';

import type { Database } from '../kernel/db/index.ts';
import { monthOf } from '../kernel/db/month.ts';
import { ENGINES, freshDatabase } from '../testing/databases.ts';
import { decodeAt } from './testing/usage.ts';
import { grant, ledgerRows, remainingOf } from './grant.ts';
import { PostgresUsageStore } from './postgres-store.ts';
import { SqliteCommitThread, SqliteUsageStore } from './sqlite-store.ts';
import type { Batch, ChargeGroup, ChargeRequest, RequestResult, UsageStore } from './store.ts';
import { thresholdsReached } from './thresholds.ts';

const MAY = Date.UTC(2026, 4, 20);
const DAY_MS = 24 * 3_600_000;

const request = record({
  decodes: integer({ min: 1, max: 4 }),
  day: integer({ min: 0, max: 2 }),
  apiKey: constantFrom('', 'k1', 'k2'),
  idempotencyKey: option(constantFrom('i1', 'i2')),
  lifetimeMs: constantFrom(10, DAY_MS),
});
const group = record({
  limit: option(integer({ min: 0, max: 12 })),
  requests: array(request, { minLength: 1, maxLength: 4 }),
});
/** A batch has each subject once at most. */
const batch = record({ workspace: option(group), visitor: option(group), other: option(group) });

interface Choice {
  limit: number | null;
  requests: readonly {
    decodes: number;
    day: number;
    apiKey: string;
    idempotencyKey: string | null;
    lifetimeMs: number;
  }[];
}

/** The expected contents of the tables after some batches, by the rules in TypeScript alone. */
class Model {
  readonly used = new Map<string, number>();
  readonly ledger = new Map<string, number>();
  /** When each was reached. */
  readonly thresholds = new Map<string, number>();
  readonly idempotency = new Map<string, { expiresAtMs: number; decodeId: string; remaining: number | null }>();

  commit(batch: Batch): RequestResult[][] {
    return batch.groups.map((group) => this.#commitGroup(group));
  }

  #commitGroup(group: ChargeGroup): RequestResult[] {
    const { subject, limit, requests } = group;
    const usedBefore = this.used.get(subject) ?? 0;
    const results = grant(group, usedBefore, this.#conflictsOf(group));
    const granted = results.map((result) => (result.kind === 'counted' ? result.granted : 0));
    const used = usedBefore + granted.reduce((sum, count) => sum + count, 0);
    if (used > 0) this.used.set(subject, used);
    for (const row of ledgerRows(requests.flatMap(({ decodes }, index) => decodes.slice(0, granted[index])))) {
      const key = `${subject} ${row.dayStartMs} ${row.keyId}`;
      this.ledger.set(key, (this.ledger.get(key) ?? 0) + row.charged);
    }
    for (const [index, { decodes, idempotency }] of requests.entries()) {
      const [first] = decodes;
      const result = results[index];
      if (idempotency === undefined || first === undefined || result?.kind !== 'counted' || result.granted === 0)
        continue;
      const { expiresAtMs } = idempotency;
      const remaining = remainingOf(limit, result.usedAfter);
      this.idempotency.set(`${subject} ${idempotency.key}`, { expiresAtMs, decodeId: first.id, remaining });
    }
    if (!subject.startsWith('workspace:')) return results;
    const atMs = Math.max(...requests.flatMap(({ decodes }) => decodes.map(({ createdAtMs }) => createdAtMs)));
    for (const percent of thresholdsReached(limit, used)) {
      const threshold = `${subject} ${percent} of ${limit}`;
      if (!this.thresholds.has(threshold)) this.thresholds.set(threshold, atMs);
    }
    return results;
  }

  #conflictsOf({ subject, requests }: ChargeGroup): ReadonlySet<number> {
    const isTaken = ({ idempotency }: ChargeRequest): boolean =>
      idempotency !== undefined &&
      (this.idempotency.get(`${subject} ${idempotency.key}`)?.expiresAtMs ?? 0) > idempotency.sentAtMs;
    return new Set(requests.flatMap((each, index) => (isTaken(each) ? [index] : [])));
  }
}

/** Returns a group of a subject as the meter would make it. An idempotency key may come several times. */
function groupOf(subject: string, { limit, requests }: Choice, nowMs: number): ChargeGroup {
  const { startMs, endMs } = monthOf(MAY);
  return {
    subject,
    windowStartMs: startMs,
    windowEndMs: endMs,
    limit,
    requests: requests.map(({ decodes, day, apiKey, idempotencyKey: key, lifetimeMs }) => {
      const times = { sentAtMs: nowMs, expiresAtMs: nowMs + lifetimeMs };
      return {
        decodes: Array.from({ length: decodes }, () => {
          const createdAtMs = MAY + day * DAY_MS;
          return { ...decodeAt(createdAtMs), keyId: apiKey, createdAtMs };
        }),
        idempotency: key !== null ? { key, bodyHash: 'hash', outcome: 'outcome', ...times } : undefined,
      };
    }),
  };
}

/** Returns each request's result without the counter, which later ones change. */
function countsOf(results: readonly (readonly RequestResult[])[]): (number | 'conflict')[][] {
  return results.map((group) => group.map((result) => (result.kind === 'counted' ? result.granted : 'conflict')));
}

/** Reads the rows of subjects whose names end in `end`. */
async function tablesOf({ kysely }: Database, end: string): Promise<Model> {
  const model = new Model();
  const isOwn = (subject: string): boolean => subject.endsWith(end);
  for (const row of await kysely.selectFrom('usage_counters').selectAll().execute())
    // PostgreSQL makes the counter's row before it decides.
    if (isOwn(row.subject) && row.used > 0) model.used.set(row.subject, row.used);
  for (const row of await kysely.selectFrom('usage_ledger').selectAll().execute())
    if (isOwn(row.subject)) model.ledger.set(`${row.subject} ${row.day_start} ${row.key_id}`, row.charged);
  for (const row of await kysely.selectFrom('usage_thresholds').selectAll().execute())
    if (isOwn(row.workspace_id))
      model.thresholds.set(`workspace:${row.workspace_id} ${row.percent} of ${row.usage_limit}`, row.reached_at);
  for (const row of await kysely.selectFrom('idempotency').selectAll().execute())
    if (isOwn(row.scope))
      model.idempotency.set(`${row.scope} ${row.idempotency_key}`, {
        expiresAtMs: row.expires_at,
        decodeId: row.decode_id ?? '',
        remaining: row.usage_remaining,
      });
  return model;
}

test.each(ENGINES)(
  '%s grants, counts and reaches thresholds by the rules in TypeScript, and repeats its answer when asked again',
  async (engine) => {
    const fresh = await freshDatabase(engine);
    const database = await fresh.open();
    const store: UsageStore =
      database.engine === 'sqlite'
        ? new SqliteUsageStore(database, new SqliteCommitThread(database))
        : new PostgresUsageStore(database);
    let runs = 0;
    const property = asyncProperty(array(batch, { maxLength: 6 }), async (batches) => {
      const end = `-${++runs}-`;
      const model = new Model();
      for (const [index, { workspace, visitor, other }] of batches.entries()) {
        const nowMs = MAY + index * 5;
        const groups = Object.entries({
          [`workspace:a${end}`]: workspace,
          [`public:b${end}`]: visitor,
          [`workspace:c${end}`]: other,
        });
        const made = groups.flatMap(([subject, choice]) => (choice === null ? [] : [groupOf(subject, choice, nowMs)]));
        const one: Batch = { groups: made, free: [], earlierTries: 0 };
        const results = await store.commit(one);
        expect(results).toEqual(model.commit(one));
        expect(countsOf(await store.commit({ ...one, earlierTries: 1 }))).toEqual(countsOf(results));
      }
      expect(await tablesOf(database, end)).toEqual(model);
    });
    await assert(property, { numRuns: 60 });
    await store.close();
    await fresh.remove();
  },
);
