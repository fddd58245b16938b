import { setTimeout as sleep } from 'node:timers/promises';

import { readVin, type VehicleReport } from '@marque/decoder';
import { sql } from 'kysely';

import { DAY_MS, type Clock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { withoutSync } from '../kernel/db/unsynced.ts';
import { asTest, limitOf, type PlanLimits, type Subscriber, workspaceOf } from '../workspaces/index.ts';
import type { DecodeDeps } from '../decode/decode-for.ts';
import { isTestFile, type VinFile } from './store.ts';
import { type DecodedVin, decodedVin } from './decoded-vin.ts';
import type { DecodeVins } from './decode-vins.ts';
import { type Meter, newDecodeId, ownChargeName, type StoredDecode, subjectOf } from '../metering/index.ts';

const RETRY_MS = 500;
/** Longer than any file waits: a chunk's charge is recognized for this long. */
const RECOGNIZED_MS = 30 * DAY_MS;

/** What decoding files needs. */
export interface FileDecodeDeps extends Pick<DecodeDeps, 'enrichment'> {
  decodeVins: DecodeVins;
  database: Database;
  clock: Clock;
  meter: Pick<Meter, 'chargeMany' | 'peek'>;
  planLimits: PlanLimits;
}

/** Some rows of one file. */
export interface Chunk {
  fileId: string;
  /** The number of the first one, from 0. */
  from: number;
  /** Their cells in the column of VINs. */
  cells: readonly string[];
}

/** One row on its way. */
interface RowDecode {
  row: number;
  /** Undefined: it waits for enrichment. */
  decode: StoredDecode | undefined;
}

/** How far a chunk came. `stopped`: the row at `reached` did not fit under the limit. */
export interface ChunkResult {
  kind: 'finished' | 'stopped';
  /** The first row that is not dealt with. */
  reached: number;
  /** Decodes that were delivered, each charged once. */
  delivered: number;
}

/** The workspace as the caller of a file at this moment; undefined: it is suspended. Its plan may change while a file runs. */
export async function callerOf(
  { database, planLimits, clock }: FileDecodeDeps,
  { workspaceId, createdBy }: Pick<VinFile, 'workspaceId' | 'createdBy'>,
): Promise<Subscriber | undefined> {
  const row = await database.kysely
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  if (row.suspended_at !== null) return undefined;
  const limit = limitOf(workspaceOf(row), planLimits, clock());
  const caller = { kind: 'subscriber', workspaceId, slug: row.slug, plan: row.plan, limit, keyId: '' } as const;
  return isTestFile({ createdBy }) ? asTest(caller) : caller;
}

/**
 * Decodes a chunk and charges it.
 *
 * @param onWait called each time that the charge must be tried again, so that the lease can be renewed.
 */
export async function decodeChunk(
  deps: FileDecodeDeps,
  caller: Subscriber,
  chunk: Chunk,
  onWait: () => Promise<void>,
): Promise<ChunkResult> {
  const rows = await decodeRows(deps, caller, chunk);
  const decodes = rows.map(({ decode }) => decode).filter((decode) => decode !== undefined);
  const delivered = await charge(deps, caller, chunk, decodes, onWait);
  const refused = decodes[delivered];
  const end = chunk.from + chunk.cells.length;
  if (refused === undefined) return { kind: 'finished', reached: end, delivered };
  // Rows before the first refused one are dealt with: a resumed file begins with that one.
  const reached = rows.find(({ decode }) => decode === refused)?.row ?? end;
  return { kind: 'stopped', reached, delivered };
}

/** Decodes rows, each under the id that is stored for it: the same one again after a crash. */
async function decodeRows(
  deps: FileDecodeDeps,
  caller: Subscriber,
  { fileId, from, cells }: Chunk,
): Promise<RowDecode[]> {
  const { kysely } = deps.database;
  const stored = await kysely
    .selectFrom('vin_file_rows')
    .select(['row', 'decode_id'])
    .where('file_id', '=', fileId)
    .where('row', '>=', from)
    .where('row', '<', from + cells.length)
    .execute();
  const ids = new Map(stored.map((row) => [row.row, row.decode_id]));
  const formed: { row: number; vin: string }[] = [];
  for (const [offset, cell] of cells.entries()) {
    const form = readVin(cell);
    if (form.kind === 'vin') formed.push({ row: from + offset, vin: form.vin });
  }
  const decoded = await deps.decodeVins(formed.map(({ vin }) => vin));
  const rows: RowDecode[] = [];
  const fresh: [row: number, decodeId: string | null][] = [];
  for (const [index, plain] of decoded.entries()) {
    const row = formed[index]?.row ?? from;
    const decode = await completed(deps, plain, caller);
    const id = ids.get(row) ?? (decode === undefined ? null : newDecodeId(deps.clock()));
    if (!ids.has(row)) fresh.push([row, id]);
    rows.push({ row, decode: decode === undefined || id === null ? undefined : { id, ...decode } });
  }
  if (fresh.length > 0) await storeRows(deps.database, fileId, fresh);
  return rows;
}

/**
 * Stores the ids of rows. The charge is committed after them, so that they are durable with it at the latest; all of them
 * are one parameter, because a statement with hundreds takes long to make.
 */
async function storeRows(
  database: Database,
  fileId: string,
  rows: readonly [row: number, decodeId: string | null][],
): Promise<void> {
  const json = JSON.stringify(rows);
  const select =
    database.engine === 'sqlite'
      ? sql`value ->> 0, value ->> 1 FROM json_each(${json}) WHERE true`
      : sql`(value ->> 0)::integer, value ->> 1 FROM jsonb_array_elements(${json}::jsonb)`;
  const insert = sql`INSERT INTO vin_file_rows (file_id, row, decode_id) SELECT ${fileId}, ${select} ON CONFLICT DO NOTHING`;
  await withoutSync(database, (kysely) => insert.execute(kysely));
}

/** A decode with what a slower look has found; undefined: it waits for one. */
async function completed(
  { enrichment, meter }: FileDecodeDeps,
  decode: DecodedVin,
  caller: Subscriber,
): Promise<DecodedVin | undefined> {
  if (enrichment === undefined || decode.outcome === 'identified') return decode;
  const report: VehicleReport = JSON.parse(decode.report);
  if (!enrichment.concerns(report)) return decode;
  const { remaining } = await meter.peek(caller);
  const completion = await enrichment.complete(report, { subject: subjectOf(caller), remaining, isPublic: false });
  return completion.kind === 'settled' ? decodedVin(completion.report) : undefined;
}

/** Charges a chunk once, however often it is tried. @returns how many of its decodes were granted. */
async function charge(
  { meter, clock, database }: FileDecodeDeps,
  caller: Subscriber,
  { fileId, from }: Chunk,
  decodes: StoredDecode[],
  onWait: () => Promise<void>,
): Promise<number> {
  if (decodes.length === 0) return 0;
  for (;;) {
    const sentAtMs = clock();
    const key = ownChargeName('file', fileId, from);
    const record = { key, bodyHash: '', outcome: '', sentAtMs, expiresAtMs: sentAtMs + RECOGNIZED_MS };
    const outcome = await meter.chargeMany(caller, decodes, record);
    if (outcome.kind === 'settled') return outcome.granted;
    if (outcome.kind === 'conflict') {
      // Charged before a crash, or by a worker that was thought dead: what it was granted is stored.
      const ids = decodes.map(({ id }) => id);
      const stored = await database.kysely.selectFrom('decodes').select('id').where('id', 'in', ids).execute();
      return stored.length;
    }
    await sleep(RETRY_MS);
    await onWait();
  }
}
