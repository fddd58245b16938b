import { type CompiledQuery, type Kysely, sql } from 'kysely';

import { DAY_MS, SECOND_MS } from '../../kernel/clock.ts';
import type { Database, Schema } from '../../kernel/db/index.ts';
import type { BackgroundWork } from '../../kernel/slice.ts';
import type { Minute, Vitals } from '../../kernel/ui/vitals.ts';
import type { RecordParts } from '../slice.ts';

/** The period that the status page covers. */
export const RECORDED_MS = 7 * DAY_MS;

/** The age at which other instances may still lack the latest requests of this one. */
const WRITE_EVERY_MS = 10 * SECOND_MS;

/**
 * Writes this process's minutes to the database, where they outlast it. What cannot be written stays pending for a
 * day; a process that is killed loses its last ten seconds.
 */
export class RequestRecord implements BackgroundWork {
  readonly #parts: RecordParts;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  /** The minutes that were written, as they were then. */
  readonly #written = new WeakMap<Minute, Minute>();
  #isFailing = false;

  constructor(parts: RecordParts) {
    this.#parts = parts;
  }

  start(): void {
    void this.#write();
    this.#timer = setInterval(() => void this.#write(), WRITE_EVERY_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    await this.#write();
  }

  /** Writes what was counted. Never rejects. One write at a time: the next one has what came meanwhile. */
  async #write(): Promise<void> {
    this.#parts.vitals.beat();
    this.#writing ??= this.#writeChanged().finally(() => (this.#writing = undefined));
    await this.#writing;
  }

  async #writeChanged(): Promise<void> {
    const { database, writer, vitals, log } = this.#parts;
    const changed = vitals.minutes.filter((minute) => !isSame(minute, this.#written.get(minute)));
    if (changed.length === 0) return;
    const written = changed.map((minute) => ({ minute, copy: { ...minute } }));
    try {
      await writer.write(upsertOf(database, vitals.instance, changed));
      for (const { minute, copy } of written) this.#written.set(minute, copy);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) log.warn({ err: error }, 'the outcomes of requests are not written down');
      this.#isFailing = true;
    }
  }
}

function isSame(one: Minute, other: Minute | undefined): boolean {
  return one.answered === other?.answered && one.failed === other.failed && one.shed === other.shed;
}

/** Returns one statement for any number of minutes. It may be repeated: it stores counts, and adds nothing. */
function upsertOf(database: Database, instance: string, minutes: readonly Minute[]): CompiledQuery {
  const rows = minutes.map(({ atMs, answered, failed, shed }) => [atMs, instance, answered, failed, shed]);
  const json = JSON.stringify(rows);
  const each = database.engine === 'sqlite' ? sql`jsonb_each(${json})` : sql`json_array_elements(${json}::json)`;
  return sql`
    INSERT INTO request_minutes (at, instance, answered, failed, shed)
    SELECT CAST(value ->> 0 AS bigint), value ->> 1,
      CAST(value ->> 2 AS integer), CAST(value ->> 3 AS integer), CAST(value ->> 4 AS integer)
    FROM ${each} AS each WHERE true
    ON CONFLICT (at, instance)
    DO UPDATE SET answered = excluded.answered, failed = excluded.failed, shed = excluded.shed`.compile(
    database.kysely,
  );
}

/** The minutes of all instances together. */
export interface Recorded {
  /** Oldest first; there is none for a minute in which no instance ran. */
  minutes: readonly Minute[];
  /** The start of the first minute that is known, at most a week ago. */
  sinceMs: number;
}

/** Returns the minutes of this process alone, at most a day of them: the record begins with the first that is kept. */
export function recordedHere(
  { minutes: all, startedAtMs }: Pick<Vitals, 'minutes' | 'startedAtMs'>,
  nowMs: number,
): Recorded {
  // The clock may have been set back: nothing can be known of a minute that has not begun.
  const minutes = all.filter(({ atMs }) => atMs <= nowMs);
  return { minutes, sinceMs: minutes[0]?.atMs ?? Math.min(startedAtMs, nowMs) };
}

/** Reads the minutes of all instances: this one's are those in memory, as far as these go back. */
export async function readRecorded(
  { kysely }: Pick<Database, 'kysely'>,
  vitals: Pick<Vitals, 'instance' | 'minutes' | 'startedAtMs'>,
  nowMs: number,
): Promise<Recorded> {
  const { minutes: own, sinceMs: ownSinceMs } = recordedHere(vitals, nowMs);
  const stored = await kysely
    .selectFrom('request_minutes')
    .select(({ fn }) => [
      'at as atMs',
      fn.sum<number | string>('answered').as('answered'),
      fn.sum<number | string>('failed').as('failed'),
      fn.sum<number | string>('shed').as('shed'),
    ])
    .where('at', '>=', nowMs - RECORDED_MS)
    .where('at', '<=', nowMs)
    .where((where) => where.or([where('instance', '!=', vitals.instance), where('at', '<', ownSinceMs)]))
    .groupBy('at')
    .orderBy('at')
    .execute();
  const others = stored.map(({ atMs, answered, failed, shed }) => ({
    atMs,
    answered: Number(answered),
    failed: Number(failed),
    shed: Number(shed),
  }));
  const minutes = together(others, own);
  return { minutes, sinceMs: minutes[0]?.atMs ?? ownSinceMs };
}

/** Adds up minutes of two lists, each in order. Pure. */
function together(some: readonly Minute[], others: readonly Minute[]): Minute[] {
  const all = new Map(some.map((minute) => [minute.atMs, minute]));
  for (const minute of others) {
    const { atMs, answered, failed, shed } = all.get(minute.atMs) ?? { ...minute, answered: 0, failed: 0, shed: 0 };
    all.set(atMs, {
      atMs,
      answered: answered + minute.answered,
      failed: failed + minute.failed,
      shed: shed + minute.shed,
    });
  }
  return [...all.values()].toSorted((one, other) => one.atMs - other.atMs);
}

/** Removes minutes that the status page no longer covers. @returns how many. */
export async function pruneMinutes(kysely: Kysely<Schema>, nowMs: number): Promise<number> {
  const deleted = kysely.deleteFrom('request_minutes').where('at', '<', nowMs - RECORDED_MS);
  return Number((await deleted.executeTakeFirst()).numDeletedRows);
}
