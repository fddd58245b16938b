/** A source of signals: `process`, or its substitute in a test. */
interface SignalSource {
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/**
 * Signals this soon after the first are the same wish: Ctrl-C reaches a process once from the terminal and once more
 * from the npm that started it.
 */
const SAME_WISH_MS = 500;

/**
 * The time after which the service ends itself, in milliseconds: orchestrators kill after 30 seconds by default, and
 * ending before that leaves a line in the log about it.
 */
const STOP_WITHIN_MS = 25_000;

/** Callbacks around the request to stop. */
interface Stop {
  /** Called once signals are handled: from then on one may be sent. */
  listening: () => void;
  /** Stops everything; is not called twice. */
  stop: () => Promise<void>;
  /** Ends the process at once: a second signal asks for it, or the time is up. */
  force: (why: 'second signal' | 'time is up') => void;
}

/** Waits for SIGINT or SIGTERM, then stops in order. */
export async function untilSignalled(source: SignalSource, { listening, stop, force }: Stop): Promise<void> {
  const { promise: signalled, resolve } = Promise.withResolvers<undefined>();
  let firstAtMs: number | undefined;
  const listen = (): void => {
    const now = performance.now();
    firstAtMs ??= now;
    resolve(undefined);
    if (now - firstAtMs > SAME_WISH_MS) force('second signal');
  };
  source.on('SIGINT', listen);
  source.on('SIGTERM', listen);
  listening();
  await signalled;
  const timer = setTimeout(force, STOP_WITHIN_MS, 'time is up');
  try {
    await stop();
  } finally {
    clearTimeout(timer);
    source.off('SIGINT', listen);
    source.off('SIGTERM', listen);
  }
}
