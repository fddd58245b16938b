import { ConnectionFailedError } from './errors.ts';
import type { JobResult } from './types.ts';

/** The longest line that is read, in UTF-16 code units; results have a few thousand. */
const LONGEST_LINE = 1024 * 1024;

/**
 * Reads results, one on each line, as they come.
 *
 * @throws ConnectionFailedError when they are cut off or are none; the reason of the signal when it is aborted.
 */
export async function* resultsIn(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<JobResult, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let begun = '';
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        signal?.throwIfAborted();
        throw new ConnectionFailedError('The results were cut off.', { cause: error });
      });
      const [more = '', ...others] = decoder.decode(value, { stream: !done }).split('\n');
      begun += more;
      if (begun.length > LONGEST_LINE) throw new ConnectionFailedError('A line is longer than any result.');
      const last = others.pop();
      if (last !== undefined) {
        for (const line of [begun, ...others]) yield resultOf(line);
        begun = last;
      }
      if (!done) continue;
      if (begun !== '') yield resultOf(begun);
      return;
    }
  } finally {
    // Rejects if the results were cut off.
    await reader.cancel().catch(() => undefined);
  }
}

function resultOf(line: string): JobResult {
  try {
    const result: JobResult | null = JSON.parse(line);
    if (typeof result === 'object' && result !== null) return result;
  } catch (error) {
    throw new ConnectionFailedError('The results were cut off, or are not of the service.', { cause: error });
  }
  throw new ConnectionFailedError('The results are not of the service.');
}
