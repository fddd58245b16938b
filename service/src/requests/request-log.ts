import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type CompiledQuery, sql } from 'kysely';

import { MINUTE_MS } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { withoutSecrets } from '../kernel/http/log.ts';
import { TokenBuckets } from '../kernel/limits/token-buckets.ts';
import type { Meter } from '../metering/index.ts';
import type { KnownKey } from '../workspaces/index.ts';

/** Somebody who looks for a request that just failed finds it on the next load of the page. */
const WRITE_AFTER_MS = 1_000;
/** Charges wait for a statement on SQLite, for about two milliseconds. */
const ROWS_A_STATEMENT = 500;
/** A few megabytes: requests that are pending while the database is unavailable. */
const MOST_WAITING = 20_000;
/** The longest reason that is stored: messages may repeat a client's input. */
const LONGEST_REASON = 300;

/**
 * Requests of a workspace that are stored without a decode. Anyone can send them at no cost, and the disk is
 * everybody's: these are some 50,000 rows in 30 days, and 2,600,000 on a paid plan.
 */
export const FREE_BURST = 5_000;
const FREE_RATE = { burst: FREE_BURST, refillMs: MINUTE_MS };
const PAID_RATE = { burst: 50_000, refillMs: 1_000 };

/** Values in the order in which the statement reads them. */
type Row = readonly [
  workspaceId: string,
  id: string,
  answeredId: string | null,
  keyId: string,
  route: string,
  status: number,
  milliseconds: number,
  reason: string | null,
];

/** Reasons for refusing a known key, for its owners: the client that sent it sees less. */
const WHY_REFUSED: Readonly<Record<string, string>> = {
  revoked: 'The key is revoked.',
  expired: 'The key has expired.',
  suspended: 'The workspace is suspended.',
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The reason for the refusal, as in the request log. */
    refusalText: string | null;
  }
}

/** Logs the requests made with workspaces' keys, after they were answered. */
export class RequestLog {
  readonly #database: Database;
  readonly #meter: Pick<Meter, 'write'>;
  readonly #log: Pick<FastifyBaseLogger, 'warn'>;
  readonly #dropped: (rows: number) => void;
  readonly #mostWaiting: number;
  readonly #free = new TokenBuckets(FREE_RATE);
  readonly #paid = new TokenBuckets(PAID_RATE);
  #waiting: Row[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #isFailing = false;

  /**
   * @param meter writes the rows beside its charges, and is closed after this.
   * @param dropped called with the number of requests that were not stored.
   * @param mostWaiting requests that are kept in memory.
   */
  constructor(
    database: Database,
    meter: Pick<Meter, 'write'>,
    log: Pick<FastifyBaseLogger, 'warn'>,
    { dropped, mostWaiting = MOST_WAITING }: { dropped?: ((rows: number) => void) | undefined; mostWaiting?: number },
  ) {
    this.#database = database;
    this.#meter = meter;
    this.#log = log;
    this.#dropped = dropped ?? (() => undefined);
    this.#mostWaiting = mostWaiting;
  }

  /** Logs every answer to a workspace's key, and adds to each refusal the id to look it up by. */
  watch(app: FastifyInstance): void {
    app.decorateRequest('refusalText', null);
    app.addHook('onSend', (request, reply, payload, done) => {
      if (reply.statusCode >= 400 && hasKey(request)) {
        request.refusalText = errorIn(payload);
        if (!reply.hasHeader('x-request-id')) reply.header('x-request-id', request.id);
      }
      done();
    });
    app.addHook('onResponse', (request, reply, done) => {
      const key = keyOf(request);
      if (key !== undefined && this.#mayStore(key, request, reply)) this.#note(rowOf(key, request, reply));
      done();
    });
  }

  /** Writes the pending requests. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
    await this.#write();
    if (this.#waiting.length > 0) this.#dropped(this.#waiting.length);
  }

  /**
   * Returns true if a request may be stored. One that stored a decode always may: that is larger, and bounded by the
   * month's limit or the rate of test keys.
   */
  #mayStore({ workspaceId }: KnownKey, { id, caller }: FastifyRequest, reply: FastifyReply): boolean {
    if (reply.statusCode === 200 && reply.getHeader('x-request-id') === id) return true;
    const isPaid = caller?.kind === 'subscriber' && caller.plan !== 'free';
    const mayStore = (isPaid ? this.#paid : this.#free).take(workspaceId, Date.now()) === 0;
    if (!mayStore) this.#dropped(1);
    return mayStore;
  }

  #note(row: Row): void {
    if (this.#waiting.length >= this.#mostWaiting) {
      this.#dropped(1);
      return;
    }
    this.#waiting.push(row);
    this.#timer ??= setTimeout(() => {
      this.#writing = this.#write().finally(() => {
        this.#timer = undefined;
        this.#writing = undefined;
      });
    }, WRITE_AFTER_MS).unref();
  }

  /**
   * Inserts rows. One that the database refuses for its values is dropped: it would keep all others from being written.
   */
  async #insert(rows: readonly Row[]): Promise<void> {
    try {
      await this.#meter.write(insertOf(this.#database, rows));
    } catch (error) {
      if (!isOfValues(error)) throw error;
      if (rows.length === 1) {
        this.#log.warn({ err: error }, 'a request cannot be written down');
        this.#dropped(1);
        return;
      }
      const half = Math.ceil(rows.length / 2);
      await this.#insert(rows.slice(0, half));
      await this.#insert(rows.slice(half));
    }
  }

  /** Writes pending requests. Never rejects: requests that could not be written stay pending. */
  async #write(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const rows = this.#waiting.slice(0, ROWS_A_STATEMENT);
        await this.#insert(rows);
        this.#waiting = this.#waiting.slice(rows.length);
      }
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#log.warn({ err: error, waiting: this.#waiting.length }, 'requests not written down');
      this.#isFailing = true;
    }
  }
}

/**
 * Returns one statement for any number of rows, so that none has to be prepared. Rows that are there already were
 * written by a statement whose answer was lost. An erased workspace gets none: its keys may still be sent.
 */
function insertOf(database: Database, rows: readonly Row[]): CompiledQuery {
  const json = JSON.stringify(rows);
  // `json_each` would give every row as text, and `->>` read it again for each column.
  const each = database.engine === 'sqlite' ? sql`jsonb_each(${json})` : sql`json_array_elements(${json}::json)`;
  return sql`
    INSERT INTO requests (workspace_id, id, answered_id, key_id, route, status, milliseconds, reason)
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4,
      CAST(value ->> 5 AS integer), CAST(value ->> 6 AS integer), value ->> 7
    FROM ${each} AS each
    WHERE EXISTS (SELECT 1 FROM workspaces WHERE id = value ->> 0 AND slug <> 'erased-' || id)
    ON CONFLICT DO NOTHING`.compile(database.kysely);
}

/** Returns true if PostgreSQL refused a statement for its values: a data exception, or a broken constraint. */
function isOfValues(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code));
}

/** Returns true if a request carried a key, valid or not: all refused keys get the same answer. */
function hasKey({ caller, refusedKey }: FastifyRequest): boolean {
  return caller?.kind === 'subscriber' || refusedKey !== null;
}

/** Returns the key that a request is logged under, if it belongs to a workspace. */
function keyOf({ caller, refusedKey }: FastifyRequest): KnownKey | undefined {
  if (caller?.kind === 'subscriber') return caller;
  return refusedKey?.key;
}

function rowOf({ workspaceId, keyId }: KnownKey, request: FastifyRequest, reply: FastifyReply): Row {
  const { refusedKey, refusalText, routeOptions } = request;
  const answered = reply.getHeader('x-request-id');
  const why = refusedKey === null ? undefined : WHY_REFUSED[refusedKey.reason];
  return [
    workspaceId,
    request.id,
    typeof answered === 'string' && answered !== request.id ? answered : null,
    keyId,
    `${request.method} ${routeOptions.url ?? ''}`,
    reply.statusCode,
    Math.round(reply.elapsedTime),
    why ?? refusalText,
  ];
}

/** Returns the sentence of a refusal's body. */
function errorIn(payload: unknown): string | null {
  if (typeof payload !== 'string') return null;
  try {
    const body: { error?: unknown; Message?: unknown } = JSON.parse(payload);
    const text = body.error ?? body.Message;
    if (typeof text !== 'string') return null;
    // PostgreSQL can store neither U+0000 nor half of a surrogate pair.
    return withoutSecrets(text.replaceAll('\0', '')).slice(0, LONGEST_REASON).toWellFormed();
  } catch {
    return null;
  }
}
