import { type FairBounds, FairQueue } from '../kernel/limits/fair-queue.ts';
import type { SlotOutcome, Tenant } from '../kernel/limits/slots.ts';
import { scriptBeside, ThreadPool } from '../kernel/threads/pool.ts';
import type { PackedFile, Unpacked } from './unpack.ts';
import { unpackIn } from './unpack-in.ts';

/** A process lives a little longer than its thread may take, and no longer without work: it has a heap of tens of megabytes. */
const PROCESSES = { areProcesses: true, requestsAThread: 1, timeoutMs: 30_000, idleMs: 5_000 };

/**
 * One of the processes is reserved for paid plans. Who has used least comes next, and waits a little longer than the
 * 20 seconds that the file before it may take; a connection without a byte is closed after 30.
 */
const BOUNDS: FairBounds = { all: 2, reserved: 1, perTenant: 1, waiting: 24, waitingPerTenant: 3, waitMs: 22_000 };

/** Unpacks the files of strangers in processes, which workspaces share fairly. */
export class Unpacker {
  readonly #processes: ThreadPool<PackedFile<Uint8Array>, Unpacked>;
  readonly #queue: FairQueue;

  constructor(bounds: Partial<FairBounds> = {}) {
    const all = { ...BOUNDS, ...bounds };
    this.#queue = new FairQueue(all);
    this.#processes = new ThreadPool<PackedFile<Uint8Array>, Unpacked>({
      script: scriptBeside(import.meta.url, 'unpack-process'),
      workerData: undefined,
      threads: all.all,
      ...PROCESSES,
    });
  }

  /** Waits until it is the tenant's turn. */
  enter(tenant: Tenant, signal: AbortSignal): Promise<SlotOutcome> {
    return this.#queue.enter(tenant, signal);
  }

  /** Unpacks a file in a process, so that its contents can harm nothing else. */
  unpack(file: PackedFile<Uint8Array>): Promise<Unpacked> {
    return unpackIn(this.#processes, file);
  }

  /** Ends the processes. */
  close(): Promise<void> {
    return this.#processes.close();
  }
}
