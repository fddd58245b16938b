import { tooLarge } from '../kernel/csv/unpacked.ts';
import { ThreadLostError, type ThreadPool } from '../kernel/threads/pool.ts';
import type { PackedFile, Unpacked } from './unpack.ts';

const LARGE_LIST = 'The list takes too much time or memory to read. Send it in parts, or a VIN on each line.';

/** Unpacks a file, and refuses it if what unpacks it ends. */
export async function unpackIn<File extends PackedFile<Uint8Array>>(
  pool: ThreadPool<File, Unpacked>,
  file: File,
  transfer: ArrayBuffer[] = [],
): Promise<Unpacked> {
  try {
    return await pool.run(file, transfer);
  } catch (error) {
    if (!isThreadLost(error)) throw error;
    const isList = file.form === 'json' || file.form === 'lines';
    return { kind: 'refused', message: isList ? LARGE_LIST : tooLarge().message };
  }
}

/** Returns true if a thread ended because it took too long, or too much memory. */
function isThreadLost(error: unknown): boolean {
  if (error instanceof ThreadLostError) return true;
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
