import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

/** A time span on the clock of `performance.now()`, in milliseconds. */
interface Span {
  fromMs: number;
  toMs: number;
}

/** The turn of the event loop that took the most processor time. */
export interface LongestTurn<Result> {
  result: Result;
  /** Processor time of this thread within one turn, without the garbage collector's, in milliseconds. */
  ms: number;
}

/** Resolves in the next turn, and does not make it come sooner: a loop that waits goes on waiting. */
const nextTurn = async (): Promise<void> => setImmediate(undefined, { ref: false });

/**
 * Runs some work, and measures how much processor time each turn of this thread's event loop takes meanwhile. Other
 * programs do not count, however busy the machine is: a thread that waits for a processor uses none.
 */
export async function longestTurnOf<Result>(work: () => Promise<Result>): Promise<LongestTurn<Result>> {
  const collections: Span[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      collections.push({ fromMs: startTime, toMs: startTime + duration });
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  const turns: (Span & { ms: number })[] = [];
  const over = new AbortController();
  const watch = async (): Promise<void> => {
    let [fromMs, used] = [performance.now(), process.threadCpuUsage()];
    while (!over.signal.aborted) {
      await nextTurn();
      const [toMs, now] = [performance.now(), process.threadCpuUsage()];
      const ms = (now.user - used.user + now.system - used.system) / 1_000;
      if (ms >= 1) turns.push({ fromMs, toMs, ms });
      [fromMs, used] = [toMs, now];
    }
  };
  const watching = watch();
  try {
    const result = await work();
    over.abort();
    await Promise.all([watching, setImmediate()]);
    // The observer is called in a later turn.
    await setImmediate();
    await setImmediate();
    return { result, ms: Math.max(0, ...turns.map((turn) => turn.ms - overlapMs(turn, collections))) };
  } finally {
    over.abort();
    observer.disconnect();
  }
}

function overlapMs(turn: Span, spans: readonly Span[]): number {
  return spans.reduce(
    (sum, { fromMs, toMs }) => sum + Math.max(0, Math.min(turn.toMs, toMs) - Math.max(turn.fromMs, fromMs)),
    0,
  );
}

/** Runs some work, and counts the turns of the event loop that others get meanwhile. */
export async function turnsDuring<Result>(work: () => Promise<Result>): Promise<{ result: Result; turns: number }> {
  let turns = 0;
  const over = new AbortController();
  const count = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await setImmediate();
      turns += 1;
    }
  };
  const counting = count();
  try {
    const result = await work();
    return { result, turns };
  } finally {
    over.abort();
    await counting;
  }
}
