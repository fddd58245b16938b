import { type RawBuilder, sql } from 'kysely';

import type { Database } from '../kernel/db/index.ts';
import { FairOrder } from '../kernel/limits/fair-order.ts';
import { type Claimed, claimLeases, type Lease, nextRunAt } from '../kernel/jobs/index.ts';

/** Files that are queued or partly decoded. */
const UNFINISHED = sql<boolean>`state IN ('queued', 'running')`;

/** Rows that are left of a file. */
const LEFT = sql<number>`row_count - done`;

const isFree = (nowMs: number): RawBuilder<boolean> =>
  sql<boolean>`${UNFINISHED} AND run_at <= ${nowMs} AND locked_until <= ${nowMs}`;

const ownFiles = (workspaceId: string): RawBuilder<boolean> =>
  sql<boolean>`${UNFINISHED} AND workspace_id = ${workspaceId}`;

/**
 * Decides which file a worker decodes next: workspaces that pay and free ones take turns, those of each among
 * themselves, and of one workspace's files the one with the fewest rows left comes first. However many free ones have
 * files, half of the turns are for those that pay.
 */
export class FairFileQueue {
  readonly #database: Database;
  readonly #order = new FairOrder();
  readonly #kinds = new FairOrder();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Claims the file whose turn it is. */
  async claim(nowMs: number, leaseMs: number): Promise<Claimed<Lease>> {
    const { kysely } = this.#database;
    const waiting = await kysely
      .selectFrom('vin_files')
      .innerJoin('workspaces', 'workspaces.id', 'workspace_id')
      .select(['workspace_id as id', 'plan'])
      .distinct()
      .where(isFree(nowMs))
      .execute();
    const request = { table: 'vin_files', key: 'id', limit: 1, nowMs, leaseMs, orderBy: sql`${LEFT}, id` } as const;
    const kinds = Map.groupBy(waiting, ({ plan }): string => (plan === 'free' ? 'free' : 'paid'));
    const turns = this.#kinds
      .sorted(kinds.keys())
      .flatMap((kind) => this.#order.sorted((kinds.get(kind) ?? []).map(({ id }) => id)).map((id) => ({ kind, id })));
    // Another instance may have claimed the first one's only file in the meantime.
    for (const { kind, id } of turns) {
      this.#kinds.begin(kind);
      this.#kinds.add(kind, 1);
      this.#order.begin(id);
      this.#order.add(id, 1);
      const claimed = await claimLeases(this.#database, { ...request, where: ownFiles(id) });
      if (claimed.jobs.length > 0) return claimed;
    }
    return { jobs: [], notBeforeMs: await nextRunAt(kysely, 'vin_files', UNFINISHED) };
  }

  /** Returns true if a file waits that comes before the rest of this one. */
  async shouldYield(
    { id, workspaceId, left }: { id: string; workspaceId: string; left: number },
    nowMs: number,
  ): Promise<boolean> {
    const other = await this.#database.kysely
      .selectFrom('vin_files')
      .select('id')
      .where(isFree(nowMs))
      .where('id', '<>', id)
      .where((where) => where.or([where('workspace_id', '<>', workspaceId), sql<boolean>`${LEFT} < ${left}`]))
      .limit(1)
      .executeTakeFirst();
    return other !== undefined;
  }
}
