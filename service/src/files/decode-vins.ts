import { scriptBeside, ThreadPool } from '../kernel/threads/pool.ts';
import type { CorrectedDecoder } from '../corrections/index.ts';
import type { FileThreadStart } from './decode-thread.ts';
import { type DecodedVin, decodeVin } from './decoded-vin.ts';

/**
 * Heap limits of the thread, in MiB: it needs a chunk at a time, and without limits it would keep garbage like a whole
 * service.
 */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 8 };

/** Files come in bursts: after this long without one, freeing the memory is worth another start of the thread. */
const IDLE_MS = 60_000;

/** A thread that decodes the VINs of files. */
export type FileThread = Pick<ReturnType<typeof openFileThread>, 'run'>;

/**
 * Opens a thread that decodes VINs of files, without overrides.
 *
 * @param catalog the catalog's bytes, in shared memory.
 */
export function openFileThread(catalog: Uint8Array): ThreadPool<readonly string[], DecodedVin[]> {
  return new ThreadPool({
    script: scriptBeside(import.meta.url, 'decode-thread'),
    workerData: { catalog } satisfies FileThreadStart,
    // One file is decoded at a time, chunk by chunk; the other cores are for requests.
    threads: 1,
    limits: THREAD_LIMITS,
    idleMs: IDLE_MS,
  });
}

/**
 * Decodes well-formed VINs, in their order, in the thread; here only the few VINs that overrides may change, or all of
 * them without a thread.
 */
export async function decodeVins(
  { decoder, fileThread }: { decoder: CorrectedDecoder; fileThread: FileThread | undefined },
  vins: readonly string[],
): Promise<DecodedVin[]> {
  const decoded = fileThread === undefined ? [] : await fileThread.run(vins);
  return vins.map((vin, index) => {
    const plain = decoded[index];
    return plain === undefined || decoder.mayCorrect(vin) ? decodeVin(decoder, vin) : plain;
  });
}
