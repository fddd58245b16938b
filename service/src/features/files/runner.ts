import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { readVin, type VehicleReport } from '@marque/decoder';
import type { FastifyBaseLogger } from 'fastify';

import { limitOf, type PlanLimits, type Subscriber } from '../access/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { readRows } from '../../platform/csv/read.ts';
import type { Database } from '../../platform/db/index.ts';
import type { DecodeDeps } from '../decode/decode-for.ts';
import { type Meter, newDecodeId, ownChargeName, type StoredDecode, subjectOf } from '../usage/index.ts';

/** Rows that are charged together: small enough that progress is seen, large enough that a file takes seconds. */
const CHUNK = 200;
/** After this long without a sign of life a runner's file is anybody's. */
const LEASE_MS = 15_000;
/** How often an idle runner looks for files whose runner died. */
const LOOK_MS = 5_000;
const RETRY_MS = 500;
/** Longer than any file waits: a chunk's charge is recognised for this long. */
const RECOGNISED_MS = 30 * 24 * 60 * 60 * 1000;

/** What running files needs. */
export interface RunnerDeps extends Pick<DecodeDeps, 'decoder' | 'enrichment'> {
  database: Database;
  clock: Clock;
  meter: Pick<Meter, 'chargeMany' | 'peek'>;
  planLimits: PlanLimits;
  log: FastifyBaseLogger;
}

interface Claimed {
  id: string;
  workspaceId: string;
  done: number;
  /** The cells of the VIN column, without the header. */
  cells: string[];
}

/** One row on its way. */
interface RowDecode {
  row: number;
  /** Undefined: it waits for a slower look. */
  decode: StoredDecode | undefined;
}

/** Decodes files in the background, one at a time, for as long as the service runs. */
export class FileRunner {
  readonly #deps: RunnerDeps;
  readonly #name = randomUUID();
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> | undefined;
  #isClosed = false;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  /** Begins to look for files. */
  start(): void {
    this.#timer = setInterval(() => this.nudge(), LOOK_MS).unref();
    this.nudge();
  }

  /** Looks now: a file has come in. */
  nudge(): void {
    if (this.#isClosed) return;
    this.#underWay ??= this.#work().finally(() => {
      this.#underWay = undefined;
    });
  }

  /** Ends after the chunk that is under way. What is left is done by another instance, or after the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#underWay;
  }

  async #work(): Promise<void> {
    try {
      for (;;) {
        const file = this.#isClosed ? undefined : await this.#claim();
        if (file === undefined) return;
        await this.#run(file);
      }
    } catch (error) {
      this.#deps.log.error({ err: error }, 'file of VINs not finished; it is taken up again');
    }
  }

  /** Takes the oldest file that nobody has. */
  async #claim(): Promise<Claimed | undefined> {
    const { kysely } = this.#deps.database;
    const now = this.#deps.clock();
    const found = await kysely
      .selectFrom('vin_files')
      .selectAll()
      .where('state', 'in', ['waiting', 'running'])
      .where('lease_until', '<', now)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (found === undefined) return undefined;
    const claimed = await kysely
      .updateTable('vin_files')
      .set({ state: 'running', leased_by: this.#name, lease_until: now + LEASE_MS })
      .where('id', '=', found.id)
      .where('lease_until', '=', found.lease_until)
      .executeTakeFirst();
    if (claimed.numUpdatedRows === 0n) return this.#claim();
    const cells: string[] = [];
    for await (const row of readRows(found.source)) cells.push(row[found.vin_column] ?? '');
    cells.splice(0, found.has_header);
    return { id: found.id, workspaceId: found.workspace_id, done: found.done, cells };
  }

  async #run(file: Claimed): Promise<void> {
    let { done } = file;
    while (!this.#isClosed) {
      if (done >= file.cells.length) return this.#save(file, done, 0, 'done');
      const caller = await this.#callerOf(file.workspaceId);
      if (caller === undefined) return this.#save(file, done, 0, 'stopped');
      const end = Math.min(done + CHUNK, file.cells.length);
      const rows = await this.#decode(file, caller, done, end);
      const decodes = rows.map(({ decode }) => decode).filter((decode) => decode !== undefined);
      const granted = await this.#charge(file, caller, done, decodes);
      const refused = decodes[granted];
      // Rows before the first refused one are dealt with: a file that goes on begins with that one.
      const reached = refused === undefined ? end : (rows.find(({ decode }) => decode === refused)?.row ?? end);
      await this.#save(file, reached, granted, refused === undefined ? 'running' : 'stopped');
      if (refused !== undefined) return;
      done = reached;
    }
    // Let go of, so that the next start need not wait for the lease to run out.
    await this.#release(file);
  }

  /** The workspace as a caller at this moment; undefined: it is suspended. Its plan may change while a file runs. */
  async #callerOf(workspaceId: string): Promise<Subscriber | undefined> {
    const row = await this.#deps.database.kysely
      .selectFrom('workspaces')
      .selectAll()
      .where('id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    if (row.suspended_at !== null) return undefined;
    const limit = limitOf(row, this.#deps.planLimits, this.#deps.clock());
    return { kind: 'subscriber', workspaceId, slug: row.slug, plan: row.plan, limit, keyId: '' };
  }

  /** Decodes rows, each under the id that is noted for it: the same one again after a crash. */
  async #decode(file: Claimed, caller: Subscriber, from: number, to: number): Promise<RowDecode[]> {
    const { kysely } = this.#deps.database;
    const noted = await kysely
      .selectFrom('vin_file_rows')
      .select(['row', 'decode_id'])
      .where('file_id', '=', file.id)
      .where('row', '>=', from)
      .where('row', '<', to)
      .execute();
    const ids = new Map(noted.map((row) => [row.row, row.decode_id]));
    const rows: RowDecode[] = [];
    const fresh: { file_id: string; row: number; decode_id: string | null }[] = [];
    for (let row = from; row < to; row++) {
      const form = readVin(file.cells[row] ?? '');
      if (form.kind === 'malformed') continue;
      const report = await this.#reportOf(form.vin, caller);
      const id = ids.get(row) ?? (report === undefined ? null : newDecodeId(this.#deps.clock()));
      if (!ids.has(row)) fresh.push({ file_id: file.id, row, decode_id: id });
      rows.push({ row, decode: report === undefined || id === null ? undefined : storedAs(id, report) });
    }
    if (fresh.length > 0) {
      const insert = kysely.insertInto('vin_file_rows').values(fresh);
      await insert.onConflict((conflict) => conflict.doNothing()).execute();
    }
    return rows;
  }

  /** The report of a VIN; undefined: it waits for a slower look. */
  async #reportOf(vin: string, caller: Subscriber): Promise<VehicleReport | undefined> {
    const { decoder, enrichment, meter } = this.#deps;
    const report = decoder.decode(vin);
    if (enrichment?.concerns(report) !== true) return report;
    const { remaining } = await meter.peek(caller);
    const completion = await enrichment.complete(report, { subject: subjectOf(caller), remaining, isPublic: false });
    return completion.kind === 'settled' ? completion.report : undefined;
  }

  /** Charges a chunk once, however often it is tried. @returns how many of its decodes were granted. */
  async #charge(file: Claimed, caller: Subscriber, from: number, decodes: StoredDecode[]): Promise<number> {
    const { meter, clock, database } = this.#deps;
    if (decodes.length === 0) return 0;
    for (;;) {
      const sentAtMs = clock();
      const key = ownChargeName('file', file.id, from);
      const record = { key, bodyHash: '', outcome: '', sentAtMs, expiresAtMs: sentAtMs + RECOGNISED_MS };
      const outcome = await meter.chargeMany(caller, decodes, record);
      if (outcome.kind === 'settled') return outcome.granted;
      if (outcome.kind === 'conflict') {
        // Charged before a crash, or by a runner that was thought dead: what it was granted is stored.
        const ids = decodes.map(({ id }) => id);
        const stored = await database.kysely.selectFrom('decodes').select('id').where('id', 'in', ids).execute();
        return stored.length;
      }
      await sleep(RETRY_MS);
      await this.#prolong(file);
    }
  }

  async #prolong(file: Claimed): Promise<void> {
    await this.#own(file)
      .set({ lease_until: this.#deps.clock() + LEASE_MS })
      .execute();
  }

  async #release(file: Claimed): Promise<void> {
    await this.#own(file).set({ state: 'waiting', lease_until: 0 }).execute();
  }

  async #save(file: Claimed, done: number, granted: number, state: 'running' | 'stopped' | 'done'): Promise<void> {
    const now = this.#deps.clock();
    const isOver = state !== 'running';
    await this.#own(file)
      .set((to) => ({
        done,
        delivered: to('delivered', '+', granted),
        state,
        finished_at: isOver ? now : null,
        lease_until: isOver ? 0 : now + LEASE_MS,
      }))
      .execute();
  }

  /** Changes the file only while it is this runner's. */
  #own(file: Claimed) {
    return this.#deps.database.kysely
      .updateTable('vin_files')
      .where('id', '=', file.id)
      .where('leased_by', '=', this.#name);
  }
}

function storedAs(id: string, report: VehicleReport): StoredDecode {
  const outcome =
    report.manufacturer === undefined ? 'segments' : report.model === undefined ? 'partial' : 'identified';
  return { id, vin: report.vin, outcome, report: JSON.stringify(report) };
}
