import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import { isWord, PATTERN_FIELDS, type PatternField } from './fields.ts';
import { SeenVins } from './seen-vins.ts';

/** Keys held before they go to the disk: some tens of megabytes. */
const HELD = 250_000;
const CACHE_KIB = 64 * 1024;
const CARS: PatternField | 'cars' = 'cars';

/** A value of cars of a pattern: the number of those that are learned from, and of the tenth that is left out. */
export interface CountedValue {
  value: string;
  taught: number;
  leftOut: number;
}

/** Counts of the cars of one pattern. */
export interface CountedPattern {
  mask: string;
  cars: number;
  fields: ReadonlyMap<PatternField, CountedValue[]>;
}

/** Counts what cars say by pattern, on the disk, so that an import that was stopped goes on from its last mark. */
export class PatternCounts {
  readonly #folder: string;
  readonly #database: Database.Database;
  readonly #held = new Map<string, number>();
  readonly seen: SeenVins;
  /** The note made at the last mark; undefined: nothing is counted yet. */
  readonly mark: string | undefined;
  #marks: number;

  private constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    this.#database = new Database(join(folder, 'counts.sqlite'), { timeout: 0 });
    // Two imports that count in one place would count each car twice. A process that is killed leaves no lock.
    this.#database.pragma('locking_mode = EXCLUSIVE');
    this.#database.pragma('journal_mode = WAL');
    this.#database.pragma('synchronous = NORMAL');
    this.#database.pragma(`cache_size = -${CACHE_KIB}`);
    this.#database.exec(`
      CREATE TABLE IF NOT EXISTS counts (key TEXT PRIMARY KEY, cars INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS mark (id INTEGER PRIMARY KEY, note TEXT NOT NULL)`);
    const last = this.#database.prepare<[], { id: number; note: string }>('SELECT id, note FROM mark').get();
    this.mark = last?.note;
    this.#marks = last?.id ?? 0;
    this.seen = last === undefined ? SeenVins.empty() : SeenVins.read(this.#seenFile(last.id));
    // Counts after the last mark are undone when the process ends: their records will be read again.
    this.#database.exec('BEGIN');
  }

  /**
   * Opens the counts of a stopped import in a folder if its identity is the same, else begins anew; `busy`: another
   * import counts there.
   */
  static open(folder: string, identity: string): PatternCounts | 'busy' {
    try {
      const found = new PatternCounts(folder);
      if (found.mark === undefined || found.mark.startsWith(`${identity}\n`)) return found;
      found.drop();
      return new PatternCounts(folder);
    } catch (error) {
      if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return 'busy';
      throw error;
    }
  }

  /** @param leftOut whether the car is of the tenth that nothing is learned from. */
  add(mask: string, said: readonly (readonly [PatternField, string])[], leftOut: boolean): void {
    const end = leftOut ? '\t1' : '\t0';
    this.#count(`${mask}\t${CARS}\t${end}`);
    for (const [field, value] of said) this.#count(`${mask}\t${field}\t${value}${end}`);
    if (this.#held.size >= HELD) this.#flush();
  }

  /** Marks how far the files are read: from here on an import goes on. */
  save(note: string): void {
    this.#flush();
    const id = this.#marks + 1;
    this.seen.write(this.#seenFile(id));
    this.#database.exec('DELETE FROM mark');
    this.#database.prepare('INSERT INTO mark VALUES (?, ?)').run(id, note);
    this.#database.exec('COMMIT');
    rmSync(this.#seenFile(this.#marks), { force: true });
    this.#marks = id;
    this.#database.exec('BEGIN');
  }

  /** Yields the patterns in their order, each with the counts of its cars. */
  *patterns(): Generator<CountedPattern> {
    this.#flush();
    const select = this.#database.prepare<[], [string, number]>('SELECT key, cars FROM counts ORDER BY key').raw();
    let pattern: { mask: string; cars: number; fields: Map<PatternField, CountedValue[]> } | undefined;
    for (const [key, cars] of select.iterate() as Iterable<[string, number]>) {
      const [mask = '', name = '', value = '', leftOut = ''] = key.split('\t');
      if (pattern?.mask !== mask) {
        if (pattern !== undefined) yield pattern;
        pattern = { mask, cars: 0, fields: new Map() };
      }
      if (name === CARS) pattern.cars += cars;
      const field = PATTERN_FIELDS.find((known) => known === name);
      if (field !== undefined) put(pattern.fields, field, value, leftOut === '1', cars);
    }
    if (pattern !== undefined) yield pattern;
  }

  /** Stops counting; marked counts stay for the import that continues. */
  close(): void {
    this.#held.clear();
    if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
    this.#database.close();
  }

  /** Forgets all, the hashes of VINs with it. */
  drop(): void {
    this.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #count(key: string): void {
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
  }

  #flush(): void {
    const put = this.#database.prepare(
      'INSERT INTO counts VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET cars = cars + excluded.cars',
    );
    // Ordered by key, so that each of their pages is fetched once.
    for (const key of [...this.#held.keys()].toSorted()) put.run(key, this.#held.get(key));
    this.#held.clear();
  }

  #seenFile(id: number): string {
    return join(this.#folder, `seen-${id}`);
  }
}

function put(
  fields: Map<PatternField, CountedValue[]>,
  field: PatternField,
  value: string,
  leftOut: boolean,
  cars: number,
): void {
  const values = fields.get(field) ?? [];
  fields.set(field, values);
  const text = isWord(field) ? value : String(Number(value));
  let counted = values.find((one) => one.value === text);
  if (counted === undefined) values.push((counted = { value: text, taught: 0, leftOut: 0 }));
  if (leftOut) counted.leftOut += cars;
  else counted.taught += cars;
}
