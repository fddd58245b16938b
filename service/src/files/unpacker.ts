import { tooLarge } from '../kernel/csv/unpacked.ts';
import { type FairBounds, FairQueue } from '../kernel/limits/fair-queue.ts';
import type { SlotOutcome, Tenant } from '../kernel/limits/slots.ts';
import { scriptBeside, ThreadLostError, ThreadPool } from '../kernel/threads/pool.ts';
import { isJson, type PackedFile, type Unpacked } from './unpack.ts';

/**
 * Unpacking a stranger's file takes tens of megabytes and up to seconds: a file that takes more is refused. A workbook
 * of 200,000 rows and six columns takes about 5 seconds of a processor.
 */
const THREADS = {
  // Anything else that waited for a thread that ended would end with it.
  requestsAThread: 1,
  limits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 },
  cpuMs: 10_000,
  // For a machine so busy that the thread gets no processor time.
  timeoutMs: 20_000,
  // Its heap of tens of megabytes is worth more than the next start.
  idleMs: 5_000,
};

/** One of the threads is reserved for paid plans. */
const BOUNDS: FairBounds = { all: 2, reserved: 1, perTenant: 1, waiting: 24, waitingPerTenant: 3, waitMs: 10_000 };

const LARGE_LIST = 'The list takes too much time or memory to read. Send it in parts, or a VIN on each line.';

/** Unpacks the files of strangers in threads, which workspaces share fairly. */
export class Unpacker {
  readonly #threads: ThreadPool<PackedFile, Unpacked>;
  readonly #queue: FairQueue;

  constructor(bounds: Partial<FairBounds> = {}) {
    const all = { ...BOUNDS, ...bounds };
    this.#queue = new FairQueue(all);
    this.#threads = new ThreadPool<PackedFile, Unpacked>({
      script: scriptBeside(import.meta.url, 'unpack-thread'),
      workerData: undefined,
      threads: all.all,
      ...THREADS,
    });
  }

  /** Waits until it is the tenant's turn. */
  enter(tenant: Tenant, signal: AbortSignal): Promise<SlotOutcome> {
    return this.#queue.enter(tenant, signal);
  }

  /** Unpacks a file in a thread, so that its contents can harm nothing else. The file's bytes are transferred. */
  async unpack(file: PackedFile): Promise<Unpacked> {
    try {
      return await this.#threads.run(file, [file.bytes.buffer]);
    } catch (error) {
      if (isThreadLost(error)) return { kind: 'refused', message: isJson(file) ? LARGE_LIST : tooLarge().message };
      throw error;
    }
  }

  /** Ends the threads. */
  close(): Promise<void> {
    return this.#threads.close();
  }
}

/** Returns true if a thread ended because it took too long, or too much memory. */
function isThreadLost(error: unknown): boolean {
  if (error instanceof ThreadLostError) return true;
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
