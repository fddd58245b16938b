import type { JobResult } from './types.ts';

/** Reads results, one on each line, as they come. */
export async function* resultsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<JobResult, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const result: JobResult = JSON.parse(line);
        yield result;
      }
      if (done) return;
    }
  } finally {
    await reader.cancel();
  }
}
