import { writeFileSync } from 'node:fs';

import { scriptBeside, ThreadPool } from '../kernel/threads/pool.ts';
import { answerParent } from '../kernel/threads/process.ts';
import type { PackedFile, Unpacked } from './unpack.ts';
import { unpackIn } from './unpack-in.ts';

/**
 * Unpacking a stranger's file takes tens of megabytes and up to seconds: a file that takes more is refused. A workbook
 * of 200,000 rows and six columns takes about 5 seconds of a processor.
 */
const threads = new ThreadPool<PackedFile, Unpacked>({
  script: scriptBeside(import.meta.url, 'unpack-thread'),
  workerData: undefined,
  threads: 1,
  requestsAThread: 1,
  limits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 },
  cpuMs: 10_000,
  // For a machine so busy that the thread gets no processor time.
  timeoutMs: 20_000,
});

/** Memory of the process, bytes: long texts lie outside of the thread's heap, which its limit does not count. */
const MOST_BYTES = 450_000_000;
const LOOK_MS = 50;
/** Memory that a file may leave for the next one, which would be refused for it. */
const LEFT_BYTES = 200_000_000;

setInterval(() => {
  if (process.memoryUsage.rss() > MOST_BYTES) process.kill(process.pid, 'SIGKILL');
}, LOOK_MS);

preferAsVictim();

answerParent(
  (file: PackedFile<Uint8Array>) => {
    // Alone in its memory, which the thread takes over.
    const bytes = new Uint8Array(file.bytes);
    return unpackIn(threads, { ...file, bytes }, [bytes.buffer]);
  },
  () => process.memoryUsage.rss() > LEFT_BYTES,
);

/** Has Linux end this process, rather than the service, where there is no memory left. */
function preferAsVictim(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Other systems have no such file.
  }
}
