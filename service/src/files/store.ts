import type { Kysely } from 'kysely';
import { v7 } from 'uuid';

import type { ActDeps } from '../kernel/audit/index.ts';
import { pageOf } from '../kernel/lists.ts';
import type { FileState } from './tables.ts';
import { lockWorkspace, type Plan, type Subscriber } from '../workspaces/index.ts';
import { type IdempotentCharge, storeOutcome } from '../metering/index.ts';
import { bytesOf, IS_THERE, NoRoomError, storePages } from './file-pages.ts';
import { type FileContent, type FileRead, readFile } from './read-file.ts';
import { READING, type Reading, readingOf, readingText } from './reading.ts';
import { HttpError } from '../kernel/http/http-error.ts';
import { anyTurn, type NextTurn } from '../kernel/limits/loop-turns.ts';
import type { Schema } from '../kernel/db/index.ts';

/** Rows of VINs that one file may have. */
export const MOST_ROWS = 10_000;

/** Size of a file that a page takes, bytes; a job may be larger. */
export const MOST_BYTES = 4_000_000;

/** The number of files that one workspace may store: many times a busy workspace's month. */
const MOST_FILES_KEPT = 1_000;
/** Anyone can found free workspaces: of each, the largest job and a little more. */
const MOST_BYTES_KEPT = { free: 12_000_000, paid: 50_000_000 };

/** Returns the bytes of files that a workspace may keep: no table may have more. */
export function mostKept(plan: Plan): number {
  return MOST_BYTES_KEPT[plan === 'free' ? 'free' : 'paid'];
}

/** The interpretation of a file. */
export interface Understood extends Pick<Reading, 'form' | 'encoding' | 'sheet'> {
  /** The name of the column of VINs. */
  columnName: string;
}

/** The state of a file. */
export interface VinFile extends Understood {
  id: string;
  workspaceId: string;
  name: string;
  state: FileState;
  /** Rows of VINs, processed rows, and delivered rows: a delivered row was charged once. */
  rows: number;
  done: number;
  delivered: number;
  createdBy: string;
  createdAtMs: number;
  finishedAtMs: number | null;
}

/** Begins the maker of a file that came with a test key, and with another key. */
const TEST_KEY = 'test-key:';
const LIVE_KEY = 'key:';

/** Returns the creator of a file, from the caller's key. */
export function makerOf({ keyId, isTest }: Subscriber): string {
  return `${isTest === true ? TEST_KEY : LIVE_KEY}${keyId}`;
}

/** Returns the id of the key that a file came with; undefined: a person uploaded it. */
export function keyOfFile({ createdBy }: Pick<VinFile, 'createdBy'>): string | undefined {
  const mark = [TEST_KEY, LIVE_KEY].find((begin) => createdBy.startsWith(begin));
  return mark && createdBy.slice(mark.length);
}

/** Returns true if a file came with a test key: its rows are not charged. */
export function isTestFile({ createdBy }: Pick<VinFile, 'createdBy'>): boolean {
  return createdBy.startsWith(TEST_KEY);
}

/** Returns true if the key that sent a file was revoked: its rows are no longer charged. */
export async function hasRevokedKey(
  { database }: Pick<ActDeps, 'database'>,
  file: Pick<VinFile, 'createdBy'>,
): Promise<boolean> {
  const id = keyOfFile(file);
  if (id === undefined) return false;
  const key = database.kysely.selectFrom('api_keys').select('revoked_at').where('id', '=', id);
  return typeof (await key.executeTakeFirst())?.revoked_at === 'number';
}

/** A file without a table. */
type RefusedContent = { kind: 'refused'; message: string };

/** The work on a file that was sent, when it is the turn of its workspace; it throws when the sender has disconnected. */
export interface FileTurns {
  /** Waits for the turn of the event loop in which the next piece of it is read. */
  turn: NextTurn;
  /** Stores it. */
  store: <T>(work: () => Promise<T>) => Promise<T>;
}

const AT_ONCE: FileTurns = { turn: anyTurn, store: (work) => work() };

/** A file that was sent. */
export interface NewFile extends Pick<VinFile, 'workspaceId' | 'createdBy'> {
  name: string;
  /** Called if there is room for it, with the bytes that the pages of a table may have. */
  content: FileContent | ((mostBytes: number) => Promise<FileContent | RefusedContent>);
  /** Empty: detected. */
  column: string;
  /** Default: `MOST_ROWS`. */
  mostRows?: number;
  /** True if it waits until a member confirms its cost. */
  isHeld?: boolean;
  /** Default: at once. */
  turns?: FileTurns;
  /** Stored with the file, so retries return it. */
  idempotency?: { scope: string; recordOf: (id: string) => IdempotentCharge } | undefined;
}

/**
 * Stores a file and queues it, unless it is held: then `resumeFile` starts it. `conflict`: its idempotency key was
 * used.
 */
export async function takeFile(
  { database, clock, recheck }: ActDeps,
  file: NewFile,
): Promise<{ kind: 'taken'; id: string } | { kind: 'conflict' } | { kind: 'refused' | 'full'; message: string }> {
  const { turn, store } = file.turns ?? AT_ONCE;
  const room = await roomFor(database.kysely, file);
  if (room.kind === 'full') return room;
  const read = await readInto(room, file, turn);
  if (read.kind !== 'read') return read;
  const { layout, pages } = read;
  const createdAt = clock();
  const id = v7({ msecs: createdAt });
  const reading = readingText(read.reading);
  const header = layout.names === undefined ? null : JSON.stringify(layout.names);
  const row = {
    id,
    workspace_id: file.workspaceId,
    created_by: file.createdBy,
    name: file.name,
    header,
    delimiter: read.delimiter,
    vin_column: layout.column,
    column_name: layout.columnName.slice(0, 120),
    width: read.width,
    bytes: bytesOf(pages) + Buffer.byteLength(reading) + Buffer.byteLength(header ?? ''),
    state: file.isHeld === true ? 'stopped' : 'queued',
    row_count: read.count,
    done: 0,
    delivered: 0,
    created_at: createdAt,
    finished_at: file.isHeld === true ? createdAt : null,
    run_at: createdAt,
    reading,
  } as const;
  const stored = (): ReturnType<typeof takeFile> =>
    database.kysely.transaction().execute(async (transaction) => {
      // Counted under a lock: of several concurrent ones, each sees those before it.
      await lockWorkspace(transaction, file.workspaceId);
      await recheck?.(transaction);
      const left = await roomFor(transaction, file);
      if (left.kind === 'full') return left;
      if (row.bytes > left.bytes) return full(left.most);
      if (file.idempotency !== undefined) {
        const { scope, recordOf } = file.idempotency;
        if (!(await storeOutcome(transaction, scope, recordOf(id)))) return { kind: 'conflict' };
      }
      await transaction.insertInto('vin_files').values(row).execute();
      await storePages(transaction, id, pages);
      return { kind: 'taken', id };
    });
  return store(stored);
}

/** Reads a file as far as there is room for it. */
async function readInto(
  { bytes, most }: Extract<Room, { kind: 'room' }>,
  { content, column, mostRows = MOST_ROWS }: NewFile,
  turn: NextTurn,
): Promise<FileRead | { kind: 'refused' | 'full'; message: string }> {
  const sent = typeof content === 'function' ? await content(most) : content;
  if (typeof sent === 'object' && sent.kind === 'refused') return sent;
  try {
    return await readFile(sent, column, { rows: mostRows, bytes }, turn);
  } catch (error) {
    if (error instanceof NoRoomError) return full(most);
    throw error;
  }
}

/** The room of a workspace, and all that it may have, bytes. */
type Room = { kind: 'room'; bytes: number; most: number } | { kind: 'full'; message: string };

/**
 * Returns the room for a file: those that a test key sends take none from the others.
 *
 * @throws HttpError 404 when the workspace was suspended or closed since its caller was admitted.
 */
async function roomFor(
  kysely: Kysely<Schema>,
  { workspaceId, createdBy }: Pick<VinFile, 'workspaceId' | 'createdBy'>,
): Promise<Room> {
  const kept = await kysely
    .selectFrom('vin_files')
    .select(({ fn }) => [fn.countAll<number>().as('files'), fn.sum<number | null>('bytes').as('bytes')])
    .where('workspace_id', '=', workspaceId)
    .where('created_by', isTestFile({ createdBy }) ? 'like' : 'not like', `${TEST_KEY}%`)
    .executeTakeFirstOrThrow();
  if (kept.files >= MOST_FILES_KEPT) return full(`${MOST_FILES_KEPT} files`);
  const { plan, suspended_at: suspendedAt } = await kysely
    .selectFrom('workspaces')
    .select(['plan', 'suspended_at'])
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  if (suspendedAt !== null) throw new HttpError(404, 'The workspace is suspended or closed.');
  const most = mostKept(plan);
  const bytes = most - Number(kept.bytes);
  return bytes > 0 ? { kind: 'room', bytes, most } : full(most);
}

/** @param most what a workspace keeps: in words, or bytes. */
function full(most: string | number): { kind: 'full'; message: string } {
  const kept = typeof most === 'string' ? most : `${most / 1_000_000} MB`;
  return {
    kind: 'full',
    message: `A workspace keeps at most ${kept}. Remove files that you no longer need, and send this one again.`,
  };
}

/** Files on a page of the list. */
const LISTED = 100;

/** Returns a workspace's files, newest first. `olderThan`: the last of these, if there are older ones. */
export async function listFiles(
  { database }: Pick<ActDeps, 'database'>,
  workspaceId: string,
  olderThan?: string,
): Promise<{ files: VinFile[]; olderThan: string | undefined }> {
  const files = database.kysely.selectFrom('vin_files').select(COLUMNS).where(IS_THERE);
  let query = files.where('workspace_id', '=', workspaceId);
  if (olderThan !== undefined) query = query.where('id', '<', olderThan);
  const found = await query
    .orderBy('id', 'desc')
    .limit(LISTED + 1)
    .execute();
  const { page, last } = pageOf(found, LISTED);
  return { files: page.map(fileOf), olderThan: last?.id };
}

/** Returns one file of a workspace. */
export async function findFile(
  { database }: Pick<ActDeps, 'database'>,
  workspaceId: string,
  id: string,
): Promise<VinFile | undefined> {
  const found = await database.kysely
    .selectFrom('vin_files')
    .select(COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where(IS_THERE)
    .executeTakeFirst();
  return found && fileOf(found);
}

function fileOf<Found extends { reading: string | null }>({ reading, ...file }: Found) {
  const { form, encoding, sheet } = readingOf({ reading });
  return { ...file, form, ...(encoding === undefined ? {} : { encoding }), ...(sheet === undefined ? {} : { sheet }) };
}

/**
 * Resumes a file that stopped, or is held.
 *
 * @param by who resumes it, and is its creator from now on if its key was revoked.
 */
export async function resumeFile(deps: Pick<ActDeps, 'database'>, file: VinFile, by: string): Promise<void> {
  // A file of a test key stays one, also if a member resumes it.
  const creator = isTestFile(file) && !isTestFile({ createdBy: by }) ? TEST_KEY : by;
  const created_by = (await hasRevokedKey(deps, file)) ? creator : file.createdBy;
  await deps.database.kysely
    .updateTable('vin_files')
    .set({ state: 'queued', finished_at: null, created_by })
    .where('id', '=', file.id)
    .where('state', '=', 'stopped')
    .execute();
}

const COLUMNS = [
  'id',
  'workspace_id as workspaceId',
  'name',
  'column_name as columnName',
  'state',
  'row_count as rows',
  'done',
  'delivered',
  'created_by as createdBy',
  'created_at as createdAtMs',
  'finished_at as finishedAtMs',
  READING,
] as const;
