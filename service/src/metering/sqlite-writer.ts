import type Sqlite from 'better-sqlite3';

import { StorageUnwritableError } from '../kernel/db/refusal.ts';
import { isBusy, isDamaged, isUnwritable, openConnection } from '../kernel/db/sqlite-connection.ts';
import { checkFiles, type OpenFiles } from '../kernel/db/sqlite-files.ts';
import { grant, ledgerRows, remainingOf } from './grant.ts';
import type { Batch, ChargeGroup, ChargeRequest, IdempotentCharge, PendingDecode, RequestResult } from './store.ts';
import { thresholdWriter } from './thresholds.ts';

/** What became of a batch: the results, or why there are none. */
export type CommitAnswer =
  | { kind: 'committed'; results: RequestResult[][] }
  | { kind: 'busy' }
  /** The disk is full, broken or read-only, or the file is gone. */
  | { kind: 'unwritable' | 'damaged'; message: string }
  | { kind: 'failed'; message: string };

/** How long to wait for a lock. This thread has nothing else to do, so it waits. */
const BUSY_MS = 1_000;

/** Which database is written: the file, and which files it had when the service opened it. */
export interface WriterOptions {
  file: string;
  files: OpenFiles;
}

/** Writes charges to SQLite, and blocks meanwhile: for a thread or process that does nothing else. */
export class SqliteWriter {
  readonly #options: WriterOptions;
  #open: { connection: Sqlite.Database; commits: SqliteCommits } | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Commits batches in one transaction. Never throws: each gets its answer. */
  commit(batches: readonly Batch[]): CommitAnswer[] {
    const { files } = this.#options;
    try {
      checkFiles(files);
      // Opened with the first batch: whether the file is the one that was opened has just been looked at.
      const results = this.#commits().commit(batches);
      // Again: a commit into a file that is gone must not be acknowledged.
      checkFiles(files);
      return results.map((result) =>
        Array.isArray(result) ? { kind: 'committed', results: result } : { kind: 'failed', message: String(result) },
      );
    } catch (error) {
      const answer = answerToFailure(error);
      return batches.map(() => answer);
    }
  }

  close(): void {
    this.#open?.connection.close();
    this.#open = undefined;
  }

  #commits(): SqliteCommits {
    if (this.#open === undefined) {
      const connection = openConnection(this.#options.file, BUSY_MS);
      this.#open = { connection, commits: new SqliteCommits(connection) };
    }
    return this.#open.commits;
  }
}

function answerToFailure(error: unknown): CommitAnswer {
  if (isDamaged(error)) return { kind: 'damaged', message: error.message };
  if (isUnwritable(error) || error instanceof StorageUnwritableError)
    return { kind: 'unwritable', message: error.message };
  return isBusy(error) ? { kind: 'busy' } : { kind: 'failed', message: String(error) };
}

/** Commits batches of charges on one SQLite connection, which must be in no other use meanwhile. */
class SqliteCommits {
  readonly #statements: Statements;
  readonly #transaction: Sqlite.Transaction<(batches: readonly Batch[]) => (RequestResult[][] | Error)[]>;

  constructor(connection: Sqlite.Database) {
    const statements = prepare(connection);
    this.#statements = statements;
    const commitOne = (batch: Batch): RequestResult[][] => this.#commitOne(batch);
    const inSavepoint = connection.transaction(commitOne);
    const commitOr = (batch: Batch): RequestResult[][] | Error => {
      try {
        return inSavepoint(batch);
      } catch (error) {
        // A full or broken disk ends the whole transaction; what one batch holds must not fail the others.
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
  commit(batches: readonly Batch[]): (RequestResult[][] | Error)[] {
    return this.#transaction.immediate(batches);
  }

  #commitOne(batch: Batch): RequestResult[][] {
    if (batch.earlierTries > 0 && isStored(this.#statements, batch)) {
      return resultsOfEarlierTry(this.#statements, batch);
    }
    for (const decode of batch.free) insertDecodes(this.#statements, decode.subject, [decode], 0);
    return batch.groups.map((group) => commitGroup(this.#statements, group));
  }
}

/** To run a statement costs a fifth of what it does, so that many rows go into one. The last is 1, so that all fit. */
const ROWS_A_STATEMENT = [32, 8, 1];

interface Statements {
  writeThresholds: ReturnType<typeof thresholdWriter>;
  stored: Sqlite.Statement<[string], number>;
  used: Sqlite.Statement<[string, number], number>;
  count: Sqlite.Statement<[string, number, number]>;
  ledger: Sqlite.Statement<[string, number, number, string, number]>;
  /** The sizes that `insertDecodes` takes, the largest first. */
  decodes: readonly { rows: number; insert: Sqlite.Statement }[];
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
      rows,
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

/** Whether any decode of a batch is stored: then the batch was committed, whole. */
function isStored(statements: Statements, { free, groups }: Batch): boolean {
  const decodes = [...free, ...groups.flatMap(({ requests }) => requests.flatMap((request) => request.decodes))];
  return decodes.some(({ id }) => statements.stored.get(id) === 1);
}

/** What a batch got that was committed by an earlier try whose answer was lost. */
function resultsOfEarlierTry(statements: Statements, { groups }: Batch): RequestResult[][] {
  return groups.map(({ subject, windowStartMs, requests }) => {
    const usedAfter = statements.used.get(subject, windowStartMs) ?? 0;
    return requests.map((request): RequestResult => {
      const granted = request.decodes.filter(({ id }) => statements.stored.get(id) === 1).length;
      if (granted === 0 && isTaken(statements, subject, request)) return { kind: 'conflict' };
      return { kind: 'counted', granted, usedAfter };
    });
  });
}

function commitGroup(statements: Statements, group: ChargeGroup): RequestResult[] {
  const usedBefore = statements.used.get(group.subject, group.windowStartMs) ?? 0;
  const results = grant(group, usedBefore, conflictsOf(statements, group));
  const granted: PendingDecode[] = [];
  for (const [index, request] of group.requests.entries()) {
    const result = results[index];
    if (result?.kind !== 'counted' || result.granted === 0) continue;
    granted.push(...request.decodes.slice(0, result.granted));
    if (request.idempotency !== undefined) {
      insertIdempotency(statements, group, request, request.idempotency, result.usedAfter);
    }
  }
  insertDecodes(statements, group.subject, granted, 1);
  if (granted.length > 0) statements.count.run(group.subject, group.windowStartMs, granted.length);
  for (const row of ledgerRows(granted)) {
    statements.ledger.run(group.subject, group.windowStartMs, row.dayStartMs, row.keyId, row.charged);
  }
  statements.writeThresholds(group, usedBefore + granted.length);
  return results;
}

/** The places of the requests whose idempotency key is stored already. */
function conflictsOf(statements: Statements, { subject, requests }: ChargeGroup): ReadonlySet<number> {
  const conflicts = new Set<number>();
  for (const [index, request] of requests.entries()) if (isTaken(statements, subject, request)) conflicts.add(index);
  return conflicts;
}

function isTaken({ taken }: Statements, subject: string, { idempotency }: ChargeRequest): boolean {
  return idempotency !== undefined && taken.get(subject, idempotency.key, idempotency.sentAtMs) === 1;
}

function insertDecodes(
  { decodes: sizes }: Statements,
  subject: string,
  decodes: readonly PendingDecode[],
  charged: 0 | 1,
): void {
  let from = 0;
  for (const { rows, insert } of sizes) {
    for (; decodes.length - from >= rows; from += rows) {
      const values: (string | number | null)[] = [subject, charged];
      for (const { id, keyId, vin, outcome, report, createdAtMs } of decodes.slice(from, from + rows)) {
        values.push(id, keyId === '' ? null : keyId, vin, outcome, report, createdAtMs);
      }
      insert.run(values);
    }
  }
}

function insertIdempotency(
  statements: Statements,
  group: ChargeGroup,
  request: ChargeRequest,
  { key, bodyHash, outcome, expiresAtMs }: IdempotentCharge,
  usedAfter: number,
): void {
  statements.idempotency.run(
    group.subject,
    key,
    bodyHash,
    request.decodes[0]?.id ?? null,
    outcome,
    group.limit,
    remainingOf(group.limit, usedAfter),
    group.windowEndMs,
    expiresAtMs,
  );
}
