import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';

/** This many texts are held before they go to the disk: some tens of megabytes. */
const HELD = 100_000;

/** The least and the greatest of a value, and how many of the vehicles had it. */
export interface Range {
  low: number;
  high: number;
  said: number;
}

/** Counts of a text, and the range of its values, in the order of their names. */
export interface Counted {
  key: string;
  count: number;
  ranges: Range[];
}

const CACHE_KIB = 64 * 1024;
const LOW_OF_NONE = Number.MAX_SAFE_INTEGER;

/**
 * Counts how often each text comes, and the ranges of values beside it, in bounded memory: the rest waits on the disk.
 */
export class Tally {
  readonly #values: number;
  readonly #held = new Map<string, Omit<Counted, 'key'>>();
  #disk: { folder: string; database: Database.Database } | undefined;

  /** @param values how many values go with each text. */
  constructor(values = 0) {
    this.#values = values;
  }

  add(key: string, count: number, values: readonly (number | undefined)[] = []): void {
    let known = this.#held.get(key);
    if (known === undefined) {
      const ranges = Array.from({ length: this.#values }, () => ({ low: LOW_OF_NONE, high: 0, said: 0 }));
      this.#held.set(key, (known = { count: 0, ranges }));
    }
    known.count += count;
    for (const [index, range] of known.ranges.entries()) {
      const value = values[index];
      if (value === undefined) continue;
      range.low = Math.min(range.low, value);
      range.high = Math.max(range.high, value);
      range.said += count;
    }
    if (this.#held.size >= HELD) this.#flush();
  }

  /** Yields the texts that came at least this often, each once, in no particular order. */
  *atLeast(fewest: number): Generator<Counted> {
    if (this.#disk === undefined) {
      for (const [key, counted] of this.#held) if (counted.count >= fewest) yield { key, ...counted };
      return;
    }
    this.#flush();
    const select = this.#disk.database.prepare<[number], unknown[]>('SELECT * FROM tally WHERE count >= ?').raw();
    for (const [key, count, ...numbers] of select.iterate(fewest) as Iterable<[string, number, ...number[]]>) {
      const ranges = Array.from({ length: this.#values }, (_, index): Range => {
        const [low = 0, high = 0, said = 0] = numbers.slice(index * 3, index * 3 + 3);
        return { low, high, said };
      });
      yield { key, count, ranges };
    }
  }

  close(): void {
    this.#held.clear();
    if (this.#disk === undefined) return;
    this.#disk.database.close();
    rmSync(this.#disk.folder, { recursive: true });
    this.#disk = undefined;
  }

  #flush(): void {
    const { database } = (this.#disk ??= this.#openDisk());
    const indexes = Array.from({ length: this.#values }, (_, index) => index);
    const merged = indexes.map(
      (at) =>
        `, low${at} = min(low${at}, excluded.low${at}), high${at} = max(high${at}, excluded.high${at}), said${at} = said${at} + excluded.said${at}`,
    );
    const put = database.prepare(
      `INSERT INTO tally VALUES (?, ?${', ?, ?, ?'.repeat(this.#values)})
       ON CONFLICT (key) DO UPDATE SET count = count + excluded.count${merged.join('')}`,
    );
    database.transaction(() => {
      // Ordered by key, so that each of their pages is fetched once.
      for (const [key, { count, ranges }] of [...this.#held].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        put.run(key, count, ...ranges.flatMap(({ low, high, said }) => [low, high, said]));
      }
    })();
    this.#held.clear();
  }

  /** Opens the counts on the disk. They do not outlive the process: no journal, no waiting for the disk. */
  #openDisk(): { folder: string; database: Database.Database } {
    const folder = mkdtempSync(join(tmpdir(), 'marque-tally-'));
    const database = new Database(join(folder, 'tally.sqlite'));
    database.pragma('journal_mode = OFF');
    database.pragma('synchronous = OFF');
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma(`cache_size = -${CACHE_KIB}`);
    const columns = Array.from({ length: this.#values }, (_, at) => `, low${at}, high${at}, said${at}`);
    database.exec(`CREATE TABLE tally (key TEXT PRIMARY KEY, count${columns.join('')}) WITHOUT ROWID`);
    return { folder, database };
  }
}
