import type { OpenFiles } from '../kernel/db/sqlite-storage.ts';
import { scriptBeside, ThreadPool } from '../kernel/threads/pool.ts';

// The thread that commits usage loads this file: its imports are in memory twice.

/** Identifies the database to write: its file, and the files it had when the service opened it. */
export interface WriterOptions {
  file: string;
  files: OpenFiles;
}

/** A checkpoint is due after about so many pages of the log: pages that change often are then copied rarely. */
const DUE_PAGES = 2_500;

/** About how many pages of the log a subject's charges take besides their decodes: indexes, the counter, the ledger. */
const PAGES_A_SUBJECT = 5;
const DECODES_A_PAGE = 3;

/** Heap limits of the thread, in MiB: it keeps nothing but its connection. */
const LIMITS = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 32 };

/**
 * A thread that copies SQLite's log into the file while commits go on. It is started when a checkpoint is due for the
 * first time. While commits never pause, it alone cannot bring the log to its end: see `CHECKPOINT_PAGES` of the
 * writer.
 */
export class SqliteCheckpoints {
  readonly #pool: ThreadPool<undefined, undefined>;
  #pages = 0;
  #isUnderWay = false;

  constructor(options: WriterOptions) {
    const script = scriptBeside(import.meta.url, 'sqlite-checkpointer');
    this.#pool = new ThreadPool({ script, workerData: options, threads: 1, limits: LIMITS });
  }

  /** Notes decodes and subjects that were committed. */
  committed(subjects: number, decodes: number): void {
    this.#pages += subjects * PAGES_A_SUBJECT + decodes / DECODES_A_PAGE;
    if (this.#isUnderWay || this.#pages < DUE_PAGES) return;
    this.#pages = 0;
    this.#isUnderWay = true;
    const end = (): void => {
      this.#isUnderWay = false;
    };
    this.#pool.run(undefined).then(end, end);
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}
