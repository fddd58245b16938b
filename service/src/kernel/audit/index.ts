import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { type Selectable, sql, type Transaction } from 'kysely';

import { type Clock, MINUTE_MS } from '../clock.ts';
import { change } from '../db/changes.ts';
import { type Database, DatabaseUnavailableError, type Schema } from '../db/index.ts';
import type { Topic } from '../db/open.ts';
import { HttpError } from '../http/http-error.ts';
import { type FairBounds, FairQueue } from '../limits/fair-queue.ts';
import { ALLOWANCES, Throttle } from '../limits/throttle.ts';
import { maskVinsIn } from '../mask-vin.ts';

/**
 * The actor of an act: `admin:EMAIL`, `person:EMAIL`, `cli:USER` (of the operating system), `billing:stripe`,
 * `service:SCHEDULE`; for reports also their senders, `workspace:ID` and `public:ID`.
 */
export type Actor = `${'admin' | 'person' | 'cli' | 'billing' | 'service' | 'workspace' | 'public'}:${string}`;

/** One action in the audit log. */
interface AuditAct {
  /** An `Actor`. */
  actor: string;
  /** The act, as thing and verb: `report.accepted`. */
  action: string;
  /** The thing that it was done to: `report:ID`. */
  subject: string;
  /** Anything that explains it; stored as JSON. */
  details: Readonly<Record<string, unknown>>;
}

/** One entry of the log. */
export interface AuditEntry extends AuditAct {
  /** Place in the log, from 1 on, without gaps. */
  seq: number;
  atMs: number;
  /** Hex SHA-256 over this entry and all before it. */
  hash: string;
}

/** A stored entry without its hash. */
type AuditRecord = Omit<Selectable<Schema['audit_log']>, 'hash'>;

/** The head's hash before the first entry. */
const NO_HASH = '';

/** Returns the hash of an entry: over every stored field in a fixed order, the hash before it among them. */
function hashOfRecord(record: AuditRecord): string {
  const { seq, at, actor, action, subject, details, previous_hash } = record;
  const text = JSON.stringify([seq, at, actor, action, subject, details, previous_hash]);
  return createHash('sha256').update(text).digest('hex');
}

/**
 * An action being written to the database and the audit log. Only `audited` creates one: a function that takes it can
 * only run in the transaction that its entry is in.
 */
export interface Act {
  readonly transaction: Transaction<Schema>;
  /** When it is done, by the clock of the service. */
  readonly atMs: number;
  /** Appends an entry to the log. @returns its position. */
  readonly appendEntry: (entry: Omit<AuditAct, 'actor'>) => Promise<number>;
}

/** The dependencies of an act. */
export interface ActDeps {
  database: Database;
  clock: Clock;
}

/** Acts that end or take back what an earlier, counted one made: whatever was done before, they are not refused. */
const ENDING_ACTS = /\.(?:closed|disabled|removed|revoked|withdrawn)$/;

/**
 * Counts an entry of a person. Operators, schedules and reports are not counted here: reports have a limit of their own.
 * @throws HttpError 429 when the person has done too much; what the act has changed is then rolled back.
 */
async function countEntry(
  transaction: Transaction<Schema>,
  clock: Clock,
  { actor, action, subject }: Omit<AuditAct, 'details'>,
): Promise<void> {
  if (!actor.startsWith('person:') || ENDING_ACTS.test(action)) return;
  const throttle = new Throttle({ kysely: transaction }, clock);
  const wait = await (subject === actor || action.endsWith('.rotated')
    ? throttle.count(ALLOWANCES.ownAccount, `${actor} ${action}`)
    : throttle.count(ALLOWANCES.auditedByPerson, actor));
  if (wait === undefined) return;
  const minutes = Math.ceil((wait * 1_000) / MINUTE_MS);
  const text = `You made too many changes. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
  throw new HttpError(429, text, { 'retry-after': String(wait) });
}

/**
 * Performs an action and records it in the audit log: either both are stored or neither.
 *
 * Actions are serialized across all instances: each reads the state that the one before it left. Limits on what actions
 * create rely on this and have no lock of their own: the keys, webhooks and members of a workspace, and a person's
 * foundings are counted in the act that adds one.
 *
 * @param topic what instances keep copies of and the act changes, if anything.
 */
export async function audited<T>(
  { database, clock }: ActDeps,
  actor: Actor,
  work: (act: Act) => Promise<T>,
  topic?: Topic,
): Promise<T> {
  const run = async (transaction: Transaction<Schema>): Promise<T> => {
    await lockAuditLog(transaction);
    const atMs = clock();
    const appendEntry: Act['appendEntry'] = async (entry) => {
      await countEntry(transaction, clock, { actor, ...entry });
      return appendAudit(transaction, atMs, { actor, ...entry });
    };
    return work({ transaction, atMs, appendEntry });
  };
  const act = (): Promise<T> =>
    topic === undefined ? database.kysely.transaction().execute(run) : change(database, topic, run);
  let queue = QUEUES.get(database);
  if (queue === undefined) QUEUES.set(database, (queue = new FairQueue(ACTS_AT_ONCE)));
  const outcome = await queue.run({ id: actor, isPaid: !REPORTERS.test(actor) }, async () => {
    // On SQLite an act that is refused is one turn of the event loop: those of a crowd do not follow each other in it.
    if (database.engine === 'sqlite') await nextTurn();
    return act();
  });
  if (outcome.kind === 'refused') throw new DatabaseUnavailableError('Too many actions wait for the audit log.');
  return outcome.result;
}

/** Matches who reports wrong decodes: anyone may, from as many addresses as they have, so all others go first. */
const REPORTERS = /^(?:public|workspace):/;

/**
 * Acts of a process that are at the database, by actor: they wait for each other there anyway, and those of many
 * reporters at once would take every connection. While one works, the next one is at the lock.
 */
const ACTS_AT_ONCE: FairBounds = {
  all: 2,
  reserved: 1,
  perTenant: 2,
  waiting: 1_000,
  waitingPerTenant: 500,
  waitMs: 10_000,
};
const QUEUES = new WeakMap<Database, FairQueue>();

/**
 * Waits until other transactions that append are over, and makes later ones wait for this one, so that later reads see
 * the final state of the last of them. Call it before anything else of a transaction that reads, decides and appends.
 */
async function lockAuditLog(transaction: Transaction<Schema>): Promise<void> {
  await transaction
    .updateTable('audit_head')
    .set({ seq: sql<number>`seq` })
    .where('id', '=', 1)
    .execute();
}

/**
 * Appends an entry in the transaction of the action that it records. Where that transaction locks anything else, it
 * calls this or `lockAuditLog` first, so that no two wait for each other.
 *
 * @returns the entry's place in the log: transactions that append get theirs in the order of their commits.
 */
export async function appendAudit(transaction: Transaction<Schema>, atMs: number, act: AuditAct): Promise<number> {
  // The update locks the row until the transaction ends; the hash that it gives is the last committed one.
  const head = await transaction
    .updateTable('audit_head')
    .set({ seq: sql<number>`seq + 1` })
    .where('id', '=', 1)
    .returning(['seq', 'hash'])
    .executeTakeFirstOrThrow();
  const record = {
    seq: head.seq,
    at: atMs,
    actor: act.actor,
    action: act.action,
    subject: act.subject,
    // Nothing is erased from the log.
    details: JSON.stringify(act.details, (_name, part: unknown) =>
      typeof part === 'string' ? maskVinsIn(part) : part,
    ),
    previous_hash: head.hash,
  };
  const hash = hashOfRecord(record);
  await transaction
    .insertInto('audit_log')
    .values({ ...record, hash })
    .execute();
  await transaction.updateTable('audit_head').set({ hash }).where('id', '=', 1).execute();
  return head.seq;
}

/** A filter on the log. */
interface AuditQuery {
  /** Only acts on this. */
  subject?: string | undefined;
  /** Only acts on one of these. */
  subjects?: readonly string[] | undefined;
  /** Only actions of people whose name or address contains this. */
  actor?: string | undefined;
  /** Only acts whose name contains this: `report`, `report.accepted`. */
  action?: string | undefined;
  /** Only from this moment on. */
  fromMs?: number;
  /** Only before this moment. */
  untilMs?: number;
  /** Only entries before this place: for the next page. */
  before?: number;
  /** The largest number of entries; default 100. */
  limit?: number;
}

/** Returns entries of the log, newest first. */
export async function listAudit(database: Database, query: AuditQuery = {}): Promise<AuditEntry[]> {
  if (query.subjects?.length === 0) return [];
  let entries = database.kysely
    .selectFrom('audit_log')
    .select(['seq', 'at as atMs', 'actor', 'action', 'subject', 'details', 'hash'])
    .orderBy('seq', 'desc')
    .limit(query.limit ?? 100);
  if (query.subject !== undefined) entries = entries.where('subject', '=', query.subject);
  if (query.subjects !== undefined) entries = entries.where('subject', 'in', query.subjects);
  if (query.actor !== undefined) entries = entries.where('actor', 'like', holding(query.actor));
  if (query.action !== undefined) entries = entries.where('action', 'like', holding(query.action));
  if (query.fromMs !== undefined) entries = entries.where('at', '>=', query.fromMs);
  if (query.untilMs !== undefined) entries = entries.where('at', '<', query.untilMs);
  if (query.before !== undefined) entries = entries.where('seq', '<', query.before);
  const rows = await entries.execute();
  return rows.map((row) => Object.assign(row, { details: readDetails(row.details) }));
}

/** Returns a LIKE pattern for texts that contain a text. Neither addresses nor names of acts contain wildcards. */
function holding(text: string): string {
  return `%${text.toLowerCase().replaceAll(/[%\\]/g, '')}%`;
}

function readDetails(json: string): Record<string, unknown> {
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The result of verifying the log. `seq` is the first position where it is broken. */
export type AuditFinding = { kind: 'whole'; entries: number } | { kind: 'broken'; seq: number; what: string };

/** Entries read at once. */
const PAGE = 1_000;

/** Follows the chain from its first entry to its head. Entries appended concurrently do no harm. */
export async function verifyAudit(database: Database): Promise<AuditFinding> {
  // Read first: later entries are behind it.
  const head = await database.kysely.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirst();
  if (head === undefined) return { kind: 'broken', seq: 0, what: 'The head of the log is missing.' };
  let seq = 0;
  let hash = NO_HASH;
  while (seq < head.seq) {
    const page = await database.kysely
      .selectFrom('audit_log')
      .selectAll()
      .where('seq', '>', seq)
      .where('seq', '<=', head.seq)
      .orderBy('seq')
      .limit(PAGE)
      .execute();
    for (const record of page) {
      seq++;
      if (record.seq !== seq) return { kind: 'broken', seq, what: `Entry ${seq} is missing.` };
      if (record.previous_hash !== hash) {
        return { kind: 'broken', seq, what: `Entry ${seq} does not follow the one before it.` };
      }
      hash = hashOfRecord(record);
      if (record.hash !== hash) return { kind: 'broken', seq, what: `Entry ${seq} was changed after it was written.` };
    }
    // On SQLite, reading alone would never let a request in between.
    await nextTurn();
    if (page.length === 0) return { kind: 'broken', seq: seq + 1, what: `Entry ${seq + 1} is missing.` };
  }
  if (hash !== head.hash)
    return { kind: 'broken', seq, what: `The last entry, ${seq}, is not the one that was written.` };
  const beyond = await database.kysely.selectFrom('audit_log').select('seq').where('seq', '<', 1).executeTakeFirst();
  if (beyond !== undefined) return { kind: 'broken', seq: beyond.seq, what: 'There is an entry before the first.' };
  return { kind: 'whole', entries: seq };
}

/** Returns a reference such as `workspace:ID`, as people read it: `workspace ada-motors`. */
export function named(reference: string, names: ReadonlyMap<string, string>): string {
  const [, kind, rest] = /^(\w+):(.*)$/s.exec(reference) ?? [];
  if (kind === undefined || rest === undefined) return names.get(reference) ?? reference;
  // People are known by their addresses alone.
  const name = names.get(rest) ?? rest;
  if (kind === 'person') return name;
  return kind === 'cli' ? `command line (${name})` : `${kind} ${name}`;
}
