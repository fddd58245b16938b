import type Sqlite from 'better-sqlite3';

import { grant, ledgerRows, remainingOf } from './grant.ts';
import {
  type DecodeValue,
  type PackedBatch,
  type PackedGroup,
  type PackedResults,
  packedResults,
  VALUES_A_DECODE,
} from './packed.ts';
import type { IdempotentCharge, RequestResult } from './store.ts';
import { thresholdWriter } from './thresholds.ts';

// The thread that commits usage loads this file: its imports are in memory twice.

/** Commits batches of charges on one SQLite connection, which must be in no other use meanwhile. */
export class SqliteCommits {
  readonly #statements: Statements;
  readonly #transaction: Sqlite.Transaction<(batches: readonly PackedBatch[]) => (PackedResults[] | Error)[]>;

  constructor(connection: Sqlite.Database) {
    const statements = prepare(connection);
    this.#statements = statements;
    const commitOne = (batch: PackedBatch): PackedResults[] => this.#commitOne(batch);
    const inSavepoint = connection.transaction(commitOne);
    const commitOr = (batch: PackedBatch): PackedResults[] | Error => {
      try {
        return inSavepoint(batch);
      } catch (error) {
        // A full or broken disk ends the whole transaction; bad values of one batch must not fail the others.
        if (!connection.inTransaction || !(error instanceof Error)) throw error;
        return error;
      }
    };
    this.#transaction = connection.transaction((batches) =>
      batches.length === 1 ? batches.map(commitOne) : batches.map(commitOr),
    );
  }

  /**
   * Commits batches in one transaction; durable when it returns. A batch that cannot be committed is an error in its
   * place. Throws SQLite's own errors where nothing was committed.
   */
  commit(batches: readonly PackedBatch[]): (PackedResults[] | Error)[] {
    return this.#transaction.immediate(batches);
  }

  #commitOne(batch: PackedBatch): PackedResults[] {
    if (batch.earlierTries > 0 && isStored(this.#statements, batch)) {
      return resultsOfEarlierTry(this.#statements, batch);
    }
    for (const { subject, decodes } of batch.free) insertDecodes(this.#statements, subject, decodes, 0);
    return batch.groups.map((group) => packedResults(commitGroup(this.#statements, group)));
  }
}

/**
 * Rows of a statement: running one costs a fifth of its work, so many rows go into one. The last is 1, so that any
 * number can be written.
 */
const ROWS_A_STATEMENT = [32, 8, 1];

interface Statements {
  writeThresholds: ReturnType<typeof thresholdWriter>;
  stored: Sqlite.Statement<[string], number>;
  used: Sqlite.Statement<[string, number], number>;
  count: Sqlite.Statement<[string, number, number]>;
  ledger: Sqlite.Statement<[string, number, number, string, number]>;
  /** The sizes that `insertDecodes` takes, the largest first. */
  decodes: readonly { values: number; insert: Sqlite.Statement }[];
  taken: Sqlite.Statement<[string, string, number], number>;
  idempotency: Sqlite.Statement<
    [string, string, string, string | null, string, number | null, number | null, number, number]
  >;
}

function prepare(connection: Sqlite.Database): Statements {
  return {
    writeThresholds: thresholdWriter(connection),
    stored: connection.prepare<[string], number>('SELECT 1 FROM decodes WHERE id = ?').pluck(),
    used: connection
      .prepare<[string, number], number>('SELECT used FROM usage_counters WHERE subject = ? AND window_start = ?')
      .pluck(),
    count: connection.prepare(
      `INSERT INTO usage_counters (subject, window_start, used) VALUES (?, ?, ?)
       ON CONFLICT (subject, window_start) DO UPDATE SET used = used + excluded.used`,
    ),
    ledger: connection.prepare(
      `INSERT INTO usage_ledger (subject, window_start, day_start, key_id, charged) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (subject, window_start, day_start, key_id) DO UPDATE SET charged = charged + excluded.charged`,
    ),
    decodes: ROWS_A_STATEMENT.map((rows) => ({
      values: rows * VALUES_A_DECODE,
      insert: connection.prepare(
        `INSERT INTO decodes (subject, charged, id, key_id, vin, outcome, report, created_at)
         SELECT ?, ?, * FROM (VALUES ${Array(rows).fill('(?, ?, ?, ?, ?, ?)').join(', ')})`,
      ),
    })),
    taken: connection
      .prepare<[string, string, number], number>(
        'SELECT 1 FROM idempotency WHERE scope = ? AND idempotency_key = ? AND expires_at > ?',
      )
      .pluck(),
    idempotency: connection.prepare(
      `INSERT OR REPLACE INTO idempotency (scope, idempotency_key, body_hash, decode_id, outcome,
         usage_limit, usage_remaining, usage_reset_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
  };
}

/** A request of a packed group. */
interface Request {
  /** The index of its first decode among the values of the group. */
  from: number;
  /** Their number. */
  decodes: { length: number };
  idempotency: IdempotentCharge | undefined;
}

function requestsOf({ sizes, idempotency }: PackedGroup): Request[] {
  let from = 0;
  const requests = sizes.map((length): Request => {
    const request = { from, decodes: { length }, idempotency: undefined };
    from += length * VALUES_A_DECODE;
    return request;
  });
  for (const [place, charge] of idempotency) {
    const request = requests[place];
    if (request !== undefined) request.idempotency = charge;
  }
  return requests;
}

/** Returns true if any decode of a batch is stored: then the whole batch was committed. */
function isStored(statements: Statements, { free, groups }: PackedBatch): boolean {
  return [...free, ...groups].some(({ decodes }) => storedOf(statements, decodes) > 0);
}

/** Counts the given decodes that are stored. */
function storedOf({ stored }: Statements, decodes: readonly DecodeValue[]): number {
  return decodes.filter((id, at) => at % VALUES_A_DECODE === 0 && stored.get(String(id)) === 1).length;
}

/** Returns the results of a batch that an earlier try committed but whose answer was lost. */
function resultsOfEarlierTry(statements: Statements, { groups }: PackedBatch): PackedResults[] {
  return groups.map((group) => {
    const usedAfter = statements.used.get(group.subject, group.windowStartMs) ?? 0;
    const results = requestsOf(group).map((request): RequestResult => {
      const granted = storedOf(statements, valuesOf(group, request, request.decodes.length));
      if (granted === 0 && isTaken(statements, group.subject, request)) return { kind: 'conflict' };
      return { kind: 'counted', granted, usedAfter };
    });
    return packedResults(results);
  });
}

/** Returns the values of the first decodes of a request. */
function valuesOf({ decodes }: PackedGroup, { from }: Request, count: number): DecodeValue[] {
  return decodes.slice(from, from + count * VALUES_A_DECODE);
}

function commitGroup(statements: Statements, group: PackedGroup): RequestResult[] {
  const requests = requestsOf(group);
  const usedBefore = statements.used.get(group.subject, group.windowStartMs) ?? 0;
  const results = grant({ limit: group.limit, requests }, usedBefore, conflictsOf(statements, group.subject, requests));
  const granted: DecodeValue[] = [];
  for (const [index, request] of requests.entries()) {
    const result = results[index];
    if (result?.kind !== 'counted' || result.granted === 0) continue;
    granted.push(...valuesOf(group, request, result.granted));
    if (request.idempotency !== undefined) {
      insertIdempotency(statements, group, request, request.idempotency, result.usedAfter);
    }
  }
  const count = granted.length / VALUES_A_DECODE;
  insertDecodes(statements, group.subject, granted, 1);
  if (count > 0) statements.count.run(group.subject, group.windowStartMs, count);
  for (const row of ledgerRows(timesOf(granted))) {
    statements.ledger.run(group.subject, group.windowStartMs, row.dayStartMs, row.keyId, row.charged);
  }
  statements.writeThresholds(group, usedBefore + count, () => latestOf(group));
  return results;
}

/** Returns the times and keys of decodes. */
function timesOf(values: readonly DecodeValue[]): { keyId: string; createdAtMs: number }[] {
  const times = [];
  for (let at = 0; at < values.length; at += VALUES_A_DECODE) {
    times.push({ keyId: String(values[at + 1] ?? ''), createdAtMs: Number(values[at + 5]) });
  }
  return times;
}

function latestOf({ decodes }: PackedGroup): number {
  return Math.max(...timesOf(decodes).map(({ createdAtMs }) => createdAtMs));
}

/** Returns the places of the requests whose idempotency key is stored already. */
function conflictsOf(statements: Statements, subject: string, requests: readonly Request[]): ReadonlySet<number> {
  const conflicts = new Set<number>();
  for (const [index, request] of requests.entries()) if (isTaken(statements, subject, request)) conflicts.add(index);
  return conflicts;
}

function isTaken({ taken }: Statements, subject: string, { idempotency }: Request): boolean {
  return idempotency !== undefined && taken.get(subject, idempotency.key, idempotency.sentAtMs) === 1;
}

function insertDecodes(
  { decodes: sizes }: Statements,
  subject: string,
  decodes: readonly DecodeValue[],
  charged: 0 | 1,
): void {
  let from = 0;
  for (const { values, insert } of sizes) {
    for (; decodes.length - from >= values; from += values) {
      insert.run(subject, charged, decodes.slice(from, from + values));
    }
  }
}

function insertIdempotency(
  statements: Statements,
  group: PackedGroup,
  request: Request,
  { key, bodyHash, outcome, expiresAtMs }: IdempotentCharge,
  usedAfter: number,
): void {
  statements.idempotency.run(
    group.subject,
    key,
    bodyHash,
    group.decodes[request.from]?.toString() ?? null,
    outcome,
    group.limit,
    remainingOf(group.limit, usedAfter),
    group.windowEndMs,
    expiresAtMs,
  );
}
