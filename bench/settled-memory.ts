import { setImmediate } from 'node:timers/promises';

/** Returns the bytes in use on and beside the heap once garbage is freed. Needs `--expose-gc`. */
export async function settledMemory(): Promise<number> {
  for (let pass = 0; pass < 3; pass++) {
    globalThis.gc?.();
    await setImmediate();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
