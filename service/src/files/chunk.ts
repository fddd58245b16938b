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
import { ownCharge, type ChargeableDecode, type Usage } from '../metering/index.ts';
import { isTestFile, type VinFile } from './store.ts';
import { type DecodedVin, decodedVin } from './decoded-vin.ts';
import { decodeVins } from './decode-vins.ts';
import type { FileWork } from './parts.ts';

const RETRY_MS = 500;
/** Longer than any file waits: a chunk's charge is recognized for this long. */
const RECOGNIZED_MS = 30 * DAY_MS;

/** Some rows of one file. */
interface Chunk {
  fileId: string;
  /** The number of the first one, from 0. */
  from: number;
  /** Their cells in the column of VINs. */
  cells: readonly string[];
}

/** A row in progress. */
type RowDecode =
  | { kind: 'decoded'; row: number; decode: ChargeableDecode }
  /** It waits for enrichment. */
  | { kind: 'pending'; row: number };

/** The progress of a chunk. `stopped`: the row at `reached` did not fit under the limit. */
export interface ChunkResult {
  kind: 'finished' | 'stopped';
  /** The first unprocessed row. */
  reached: number;
  /** Decodes that were delivered, each charged once. */
  delivered: number;
}

/**
 * Returns the workspace as the caller of a file at this moment; undefined: it is suspended. Its plan may change while a
 * file runs.
 */
export async function callerOf(
  { database, config, clock }: FileWork,
  { workspaceId, createdBy }: Pick<VinFile, 'workspaceId' | 'createdBy'>,
): Promise<Subscriber | undefined> {
  const row = await database.kysely
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  if (row.suspended_at !== null) return undefined;
  const limit = limitOf(workspaceOf(row), config.planLimits, clock());
  const caller = { kind: 'subscriber', workspaceId, slug: row.slug, plan: row.plan, limit, keyId: '' } as const;
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
  const charged = await charge(deps, caller, chunk, rows, onWait);
  const delivered = charged.filter(({ kind }) => kind === 'decoded').length;
  // Rows before the first refused one are processed: a resumed file begins with that one.
  const refused = rows[charged.findIndex(({ kind }) => kind === 'exhausted')];
  return refused === undefined
    ? { kind: 'finished', reached: chunk.from + chunk.cells.length, delivered }
    : { kind: 'stopped', reached: refused.row, delivered };
}

/** Decodes rows, each under the id that is stored for it: the same one again after a crash. */
async function decodeRows(deps: FileWork, caller: Subscriber, { fileId, from, cells }: Chunk): Promise<RowDecode[]> {
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
    const decode = await completed(deps, plain, caller, usageOf);
    const id = ids.get(row) ?? (decode === undefined ? null : newUuid7(deps.clock()));
    if (!ids.has(row)) fresh.push([row, id]);
    const isPending = decode === undefined || id === null;
    rows.push(isPending ? { kind: 'pending', row } : { kind: 'decoded', row, decode: { id, ...decode } });
  }
  if (fresh.length > 0) await storeRows(deps.database, fileId, fresh);
  return rows;
}

/**
 * Stores the ids of rows. The charge is committed after them, so that they are durable with it at the latest; all of
 * them are one parameter, because a statement with hundreds takes long to make.
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

/** Charges a chunk once, however often it is tried: its rows, those cut off that were not within the limit. */
async function charge(
  { meter, clock, database }: FileWork,
  caller: Subscriber,
  { fileId, from }: Chunk,
  rows: readonly RowDecode[],
  onWait: () => Promise<void>,
): Promise<(RowDecode | CutOff)[]> {
  const decodes = rows.flatMap((row) => (row.kind === 'decoded' ? [row.decode.id] : []));
  if (decodes.length === 0) return [...rows];
  for (;;) {
    const once = ownCharge({ atMs: clock(), keptMs: RECOGNIZED_MS }, 'file', fileId, from);
    const charged = await chargeItems(meter, caller, rows, once);
    if (charged.kind === 'settled') return charged.items;
    if (charged.kind === 'exhausted') return cutAfter(rows, 0);
    if (charged.kind === 'conflict') {
      // Charged before a crash, or by a worker that was thought dead: the granted decodes are stored.
      const stored = await database.kysely.selectFrom('decodes').select('id').where('id', 'in', decodes).execute();
      return cutAfter(rows, stored.length);
    }
    await sleep(RETRY_MS);
    await onWait();
  }
}
