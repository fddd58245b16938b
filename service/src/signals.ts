/** Signals that end a service: a terminal that closes sends SIGHUP. */
const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Signals that nobody needs to send. Rotation of logs often does, and without a listener SIGUSR1 opens Node's debugger
 * to every user of the machine, and SIGUSR2 kills.
 */
const IGNORED = ['SIGUSR1', 'SIGUSR2'] as const;

type Signal = (typeof STOPPING | typeof IGNORED)[number];

/** A source of signals: `process`, or its substitute in a test. */
interface SignalSource {
  on(signal: Signal, listener: () => void): unknown;
  off(signal: Signal, listener: () => void): unknown;
}

/** Ignores the signals that stop: another process says when. */
export function ignoreStops(source: SignalSource): void {
  for (const signal of STOPPING) source.on(signal, ignore);
}

/** Ignores signals that stop nothing, from the start on: one that migrates a database may take minutes. */
export function ignoreOthers(source: SignalSource): void {
  for (const signal of IGNORED) source.on(signal, ignore);
}

function ignore(): void {}

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

/** Callbacks of something that runs until a signal stops it. */
interface Stoppable<Running> {
  /** Starts it. Signals are handled from before: one that comes meanwhile stops it as soon as it runs. */
  start: () => Promise<Running>;
  /** Called once it runs, and no signal has come. */
  ready: (running: Running) => void;
  /** Stops everything; is not called twice. */
  stop: (running: Running) => Promise<void>;
  /** Ends the process at once: a second signal asks for it, or the time is up. */
  force: (why: 'second signal' | 'time is up', running: Running | undefined) => void;
}

/** Starts something, waits for a signal to stop, then stops it in order. */
export async function untilSignalled<Running>(
  source: SignalSource,
  { start, ready, stop, force }: Stoppable<Running>,
): Promise<void> {
  const { promise: signalled, resolve } = Promise.withResolvers<undefined>();
  let running: Running | undefined;
  let firstAtMs: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const listen = (): void => {
    const now = performance.now();
    firstAtMs ??= now;
    timer ??= setTimeout(() => force('time is up', running), STOP_WITHIN_MS);
    resolve(undefined);
    if (now - firstAtMs > SAME_WISH_MS) force('second signal', running);
  };
  for (const signal of STOPPING) source.on(signal, listen);
  try {
    running = await start();
    if (firstAtMs === undefined) ready(running);
    await signalled;
    await stop(running);
  } finally {
    clearTimeout(timer);
    for (const signal of STOPPING) source.off(signal, listen);
  }
}
