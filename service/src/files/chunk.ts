import { setTimeout as sleep } from 'node:timers/promises';

import { readVinCell } from '@marque/catalog/tables';
import type { VehicleReport } from '@marque/decoder';
import { sql } from 'kysely';

import { DAY_MS } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { withoutSync } from '../kernel/db/unsynced.ts';
import { asTest, limitOf, type Subscriber, workspaceOf } from '../workspaces/index.ts';
import { chargeItems, complete, cutAfter, type CutOff, isOpen } from '../decode/index.ts';
import { newUuid7 } from '../kernel/db/uuid7.ts';
import { maskDecodes, ownCharge, type ChargeableDecode, type Usage } from '../metering/index.ts';
import { hasRevokedKey, isTestFile, keyOfFile, type VinFile } from './store.ts';
import { type DecodedVin, decodedVin } from './decoded-vin.ts';
import { decodeVins } from './decode-vins.ts';
import { pageWith } from './file-pages.ts';
import type { FileWork } from './parts.ts';

const RETRY_MS = 500;
/** Longer than any file waits: a chunk's charge is recognized for this long. */
const RECOGNIZED_MS = 30 * DAY_MS;

/** Some rows of one file. */
interface Chunk {
  fileId: string;
  /** The lease that the file is held by. */
  lockedBy: string;
  /** The number of the first one, from 0. */
  from: number;
  /** The column of VINs. */
  column: number;
  /** Their cells in it. */
  cells: readonly string[];
}

/** A row in progress. */
type RowDecode =
  | { kind: 'decoded'; row: number; decode: ChargeableDecode }
  /** It waits for enrichment. */
  | { kind: 'pending'; row: number };

/**
 * The progress of a chunk. `stopped`: the row at `reached` did not fit under the limit. `lost`: the lease has ended, and
 * the file is left to the worker that has it now.
 */
export interface ChunkResult {
  kind: 'finished' | 'stopped' | 'lost';
  /** The first unprocessed row. */
  reached: number;
  /** Decodes that were delivered, each charged once. */
  delivered: number;
}

/**
 * Returns the workspace as the caller of a file at this moment; undefined: it is suspended, or the file's key was
 * revoked. Its plan may change while a file runs.
 */
export async function callerOf(
  deps: FileWork,
  { workspaceId, createdBy }: Pick<VinFile, 'workspaceId' | 'createdBy'>,
): Promise<Subscriber | undefined> {
  const { database, config, clock } = deps;
  const row = await database.kysely
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  if (row.suspended_at !== null || (await hasRevokedKey(deps, { createdBy }))) return undefined;
  const limit = limitOf(workspaceOf(row), config.planLimits, clock());
  const keyId = keyOfFile({ createdBy }) ?? '';
  const caller = { kind: 'subscriber', workspaceId, slug: row.slug, plan: row.plan, limit, keyId } as const;
  return isTestFile({ createdBy }) ? asTest(caller) : caller;
}

/**
 * Decodes a chunk and charges it.
 *
 * @param onWait called each time that the charge must be tried again, so that the lease can be renewed.
 */
export async function decodeChunk(
  deps: FileWork,
  caller: Subscriber,
  chunk: Chunk,
  onWait: () => Promise<void>,
): Promise<ChunkResult> {
  const rows = await decodeRows(deps, caller, chunk);
  if (rows === undefined) return { kind: 'lost', reached: chunk.from, delivered: 0 };
  const { items: charged, isRepeated } = await charge(deps, caller, chunk, rows, onWait);
  await maskErased(deps, caller, chunk, { rows, isRepeated });
  const delivered = charged.filter(({ kind }) => kind === 'decoded').length;
  // Rows before the first refused one are processed: a resumed file begins with that one.
  const refused = rows[charged.findIndex(({ kind }) => kind === 'exhausted')];
  if (refused === undefined) return { kind: 'finished', reached: chunk.from + chunk.cells.length, delivered };
  await forgetRows(deps, chunk, refused.row);
  return { kind: 'stopped', reached: refused.row, delivered };
}

/**
 * Decodes rows, each under the id that is stored for it: the same one again after a crash. Undefined: the lease has
 * ended.
 */
async function decodeRows(deps: FileWork, caller: Subscriber, chunk: Chunk): Promise<RowDecode[] | undefined> {
  const { fileId, from, cells } = chunk;
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
    const form = readVinCell(cell);
    if (form.kind === 'vin') formed.push({ row: from + offset, vin: form.vin });
  }
  const decoded = await decodeVins(
    deps,
    formed.map(({ vin }) => vin),
  );
  const rows: RowDecode[] = [];
  const fresh: [row: number, decodeId: string | null][] = [];
  let usage: Usage | undefined;
  const usageOf = async (): Promise<Usage> => (usage ??= await deps.meter.peek(caller));
  for (const [index, plain] of decoded.entries()) {
    const row = formed[index]?.row ?? from;
    // A row that waited when this chunk was charged does so when it is repeated.
    const decode = ids.get(row) === null ? undefined : await completed(deps, plain, caller, usageOf);
    const id = ids.get(row) ?? (decode === undefined ? null : newUuid7(deps.clock()));
    if (!ids.has(row)) fresh.push([row, id]);
    const isPending = decode === undefined || id === null;
    rows.push(isPending ? { kind: 'pending', row } : { kind: 'decoded', row, decode: { id, ...decode } });
  }
  if (fresh.length === 0 || (await storeRows(deps.database, chunk, fresh))) return rows;
  // Some are stored under ids of another worker: one that had the lease before and still stores, or that has it now.
  return (await isHeld(deps, chunk)) ? decodeRows(deps, caller, chunk) : undefined;
}

async function isHeld({ database }: FileWork, { fileId, lockedBy }: Chunk): Promise<boolean> {
  const file = database.kysely.selectFrom('vin_files').select('locked_by').where('id', '=', fileId);
  return (await file.executeTakeFirst())?.locked_by === lockedBy;
}

/**
 * Forgets that rows of a stopped file waited, and the ids of those that were not charged: all are decoded, and charged,
 * when it is resumed, under ids of that time.
 */
async function forgetRows({ database }: FileWork, { fileId, lockedBy }: Chunk, from: number): Promise<void> {
  const file = database.kysely.selectFrom('vin_files').select('id').where('id', '=', fileId);
  const held = file.where('locked_by', '=', lockedBy);
  await database.kysely.deleteFrom('vin_file_rows').where('row', '>=', from).where('file_id', 'in', held).execute();
}

/**
 * Stores the ids of rows, while the lease is held. The charge is committed after them, so that they are durable with it
 * at the latest; all of them are one parameter, because a statement with hundreds takes long to make.
 *
 * @returns true if all of them are stored; false: none is, or another worker has stored ids for some.
 */
async function storeRows(
  database: Database,
  { fileId, lockedBy }: Chunk,
  rows: readonly [row: number, decodeId: string | null][],
): Promise<boolean> {
  const json = JSON.stringify(rows);
  const select =
    database.engine === 'sqlite'
      ? sql`value ->> 0, value ->> 1 FROM json_each(${json})`
      : sql`(value ->> 0)::integer, value ->> 1 FROM jsonb_array_elements(${json}::jsonb)`;
  const insert = sql`
    INSERT INTO vin_file_rows (file_id, row, decode_id) SELECT ${fileId}, ${select}
    WHERE EXISTS (SELECT 1 FROM vin_files WHERE id = ${fileId} AND locked_by = ${lockedBy})
    ON CONFLICT DO NOTHING`;
  const { numAffectedRows = 0n } = await withoutSync(database, (kysely) => insert.execute(kysely));
  return numAffectedRows === BigInt(rows.length);
}

/**
 * Masks the decodes of rows that were erased after they had been read: however long the charge took, and also where a
 * process died between the two.
 */
async function maskErased(
  { database }: FileWork,
  caller: Subscriber,
  { fileId, from, column, cells }: Chunk,
  { rows, isRepeated }: { rows: readonly RowDecode[]; isRepeated: boolean },
): Promise<void> {
  const page = await pageWith(database, fileId, from);
  if (page === undefined) return maskClosed(database, caller, rows);
  const present = page.rows.slice(from - page.from).map((row) => row[column] ?? '');
  if (!isRepeated && present.every((cell, offset) => cell === cells[offset])) return;
  const { kysely } = database;
  const stored = await kysely
    .selectFrom('vin_file_rows')
    .innerJoin('decodes', 'decodes.id', 'decode_id')
    .select(['row', 'decodes.id', 'vin'])
    .where('file_id', '=', fileId)
    .where('row', '>=', from)
    .where('row', '<', from + cells.length)
    .execute();
  const erased = stored.filter(({ row, vin }) => {
    const form = readVinCell(present[row - from] ?? '');
    return form.kind !== 'vin' || form.vin !== vin;
  });
  if (erased.length > 0) await maskDecodes(database, { column: 'id', values: erased.map(({ id }) => id) });
}

/** Masks decodes of a file that is gone, where its workspace is too: both were erased while it was charged. */
async function maskClosed(database: Database, { workspaceId }: Subscriber, rows: readonly RowDecode[]): Promise<void> {
  const workspace = database.kysely.selectFrom('workspaces').select('suspended_at').where('id', '=', workspaceId);
  const { suspended_at: at } = await workspace.executeTakeFirstOrThrow();
  if (at !== null) await maskDecodes(database, { column: 'id', values: idsOf(rows) });
}

/** Returns a decode completed by enrichment; undefined: it waits for it. */
async function completed(
  { enrichment }: FileWork,
  decode: DecodedVin,
  caller: Subscriber,
  usageOf: () => Promise<Usage>,
): Promise<DecodedVin | undefined> {
  if (decode.outcome === 'identified') return decode;
  const report: VehicleReport = JSON.parse(decode.report);
  if (!isOpen(enrichment, caller, report)) return decode;
  const completion = await complete(enrichment, caller, report, await usageOf());
  return completion.kind === 'settled' ? decodedVin(completion.report) : undefined;
}

function idsOf(rows: readonly RowDecode[]): string[] {
  return rows.flatMap((row) => (row.kind === 'decoded' ? [row.decode.id] : []));
}

/** Charges a chunk once, however often it is tried: its rows, those cut off that were not within the limit. */
async function charge(
  { meter, clock, database }: FileWork,
  caller: Subscriber,
  { fileId, from }: Chunk,
  rows: readonly RowDecode[],
  onWait: () => Promise<void>,
): Promise<{ items: (RowDecode | CutOff)[]; isRepeated: boolean }> {
  const decodes = idsOf(rows);
  if (decodes.length === 0) return { items: [...rows], isRepeated: false };
  for (;;) {
    const once = ownCharge({ atMs: clock(), keptMs: RECOGNIZED_MS }, 'file', fileId, from);
    const charged = await chargeItems(meter, caller, rows, once);
    if (charged.kind === 'settled') return { items: charged.items, isRepeated: false };
    if (charged.kind === 'exhausted') return { items: cutAfter(rows, 0), isRepeated: false };
    if (charged.kind === 'conflict') {
      // Charged before a crash, or by a worker that was thought dead: the granted decodes are stored.
      const stored = await database.kysely.selectFrom('decodes').select('id').where('id', 'in', decodes).execute();
      return { items: cutAfter(rows, stored.length), isRepeated: true };
    }
    await sleep(RETRY_MS);
    await onWait();
  }
}
