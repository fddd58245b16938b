import { type PostgresDatabase, StorageUnwritableError } from '../kernel/db/index.ts';
import { guarded } from '../kernel/db/postgres-pool.ts';
import type { Batch, PendingDecode, RequestResult, UnsyncedWrite, UsageStore } from './store.ts';

/** Batches under way at once: enough to use the time that one spends on the way, few enough to stay large. */
const CONCURRENCY = 4;

const CHARGE = `SELECT granted, used_after FROM marque_charge(
  $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`;

interface ChargeRow {
  granted: number;
  used_after: number;
}

/** Commits usage on PostgreSQL: one call of `marque_charge` for each batch, which is one round trip. */
export class PostgresUsageStore implements UsageStore {
  readonly concurrency = CONCURRENCY;
  /** A second one would wait for the lock of the first, and keep a connection meanwhile. */
  readonly concurrencyPerSubject = 1;
  readonly #database: Pick<PostgresDatabase, 'pool' | 'failure'>;

  constructor(database: Pick<PostgresDatabase, 'pool' | 'failure'>) {
    this.#database = database;
  }

  async commit(batch: Batch): Promise<RequestResult[][]> {
    const { rows } = await this.#noted(() =>
      // Without a name: behind a pooler, the next statement may be another server connection's.
      this.#database.pool.query<ChargeRow>(CHARGE, columnsOf(batch)),
    );
    let next = 0;
    return batch.groups.map(({ requests }) => requests.map(() => resultOf(rows[next++])));
  }

  async write({ sql, parameters }: UnsyncedWrite): Promise<void> {
    await this.#noted(() => this.#database.pool.query(sql, [...parameters]));
  }

  /** Runs work on PostgreSQL, and records a failure to store. */
  async #noted<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await guarded(work);
    } catch (error) {
      if (error instanceof StorageUnwritableError) this.#database.failure.note(error);
      throw error;
    }
  }

  async close(): Promise<void> {}
}

function resultOf(row: ChargeRow | undefined): RequestResult {
  if (row === undefined) throw new Error('marque_charge gave fewer rows than there were requests.');
  return row.granted < 0 ? { kind: 'conflict' } : { kind: 'counted', granted: row.granted, usedAfter: row.used_after };
}

/** Returns a batch as the parallel arrays that `marque_charge` takes, numbers counted from 1. */
function columnsOf({ groups, free, earlierTries }: Batch): unknown[] {
  const requests = groups.flatMap((group, index) => group.requests.map((request) => ({ ...request, group, index })));
  const decodes: { decode: PendingDecode; subject: string; request: number; place: number }[] = [
    ...free.map((decode) => ({ decode, subject: decode.subject, request: 0, place: 1 })),
    ...requests.flatMap(({ decodes, group }, request) =>
      decodes.map((decode, place) => ({ decode, subject: group.subject, request: request + 1, place: place + 1 })),
    ),
  ];
  return [
    earlierTries > 0,
    groups.map(({ subject }) => subject),
    groups.map(({ windowStartMs }) => windowStartMs),
    groups.map(({ windowEndMs }) => windowEndMs),
    groups.map(({ limit }) => limit),
    requests.map(({ index }) => index + 1),
    requests.map(({ decodes }) => decodes.length),
    requests.map(({ idempotency }) => idempotency?.key ?? null),
    requests.map(({ idempotency }) => idempotency?.bodyHash ?? null),
    requests.map(({ idempotency }) => idempotency?.outcome ?? null),
    requests.map(({ idempotency }) => idempotency?.sentAtMs ?? null),
    requests.map(({ idempotency }) => idempotency?.expiresAtMs ?? null),
    decodes.map(({ request }) => request),
    decodes.map(({ place }) => place),
    decodes.map(({ subject }) => subject),
    decodes.map(({ decode }) => decode.id),
    decodes.map(({ decode }) => decode.keyId),
    decodes.map(({ decode }) => decode.vin),
    decodes.map(({ decode }) => decode.outcome),
    decodes.map(({ decode }) => decode.report),
    decodes.map(({ decode }) => decode.createdAtMs),
  ];
}
