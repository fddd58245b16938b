import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';

import { ForkedProcess } from './process.ts';

/** The options of threads. */
interface ThreadOptions {
  /** The script: one that calls `answerRequests`, or `answerParent`. */
  script: URL;
  /** True if each runs in a process of its own, with which nothing else ends. Then `script` is all that it gets. */
  areProcesses?: boolean;
  /** Data that each thread starts with; shared memory in it is shared. */
  workerData: unknown;
  /** Most threads. */
  threads: number;
  limits?: ResourceLimits;
  /** The time that an idle thread lives. Default: until the pool closes. */
  idleMs?: number;
  /** A thread that has not answered for this long is ended as stuck. Default: no limit. */
  timeoutMs?: number;
  /**
   * A thread that has used this much processor time for a request is ended, too; `requestsAThread` is then 1. Default:
   * no limit.
   */
  cpuMs?: number;
  /**
   * Requests that a thread has at once. Default: 2, so that it need not wait for the main thread after an answer. With
   * 1 it takes no other request with it when it ends.
   */
  requestsAThread?: number;
}

/** Returns the script in a module's folder, with the module's extension: `.ts` in the sources, `.js` when built. */
export function scriptBeside(moduleUrl: string, name: string): URL {
  return new URL(`./${name}${moduleUrl.slice(moduleUrl.lastIndexOf('.'))}`, moduleUrl);
}

/** A thread ended before it answered. */
export class ThreadLostError extends Error {
  override name = 'ThreadLostError';
}

interface Pending<Request, Answer> {
  request: Request;
  transfer: Transferable[];
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** A worker thread, or a process in the place of one. */
interface Runner<Answer> {
  postMessage: (request: unknown, transfer: Transferable[]) => void;
  on(event: 'message', listener: (answer: Answer) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  ref: () => void;
  unref: () => void;
  terminate: () => Promise<unknown>;
  cpuUsage?: Worker['cpuUsage'];
}

interface Thread<Request, Answer> {
  worker: Runner<Answer>;
  /** Requests sent and not answered, in the order of their answers. */
  sent: Pending<Request, Answer>[];
  /** Ends it when it is idle or stuck for too long. */
  timer: NodeJS.Timeout | undefined;
  /** Looks at its processor time while it has a request. */
  meter: NodeJS.Timeout | undefined;
}

/** Milliseconds between looks at the processor time of a thread. */
const CPU_LOOK_MS = 200;

/** Threads of one script. Each is started when a request finds no thread free. */
export class ThreadPool<Request, Answer> {
  readonly #options: ThreadOptions & { requestsAThread: number };
  readonly #threads: Thread<Request, Answer>[] = [];
  readonly #queue: Pending<Request, Answer>[] = [];
  #isClosed = false;

  constructor(options: ThreadOptions) {
    this.#options = { requestsAThread: 2, ...options };
  }

  /** Returns the number of requests that keep every thread busy. */
  get capacity(): number {
    return this.#options.threads * this.#options.requestsAThread;
  }

  /**
   * Runs a request on a thread.
   *
   * @param transfer objects that are handed over rather than copied.
   * @throws ThreadLostError when its thread ends, or the error that the thread ended with. Others are not harmed.
   */
  run(request: Request, transfer: Transferable[] = []): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new ThreadLostError('The threads have ended.'));
      this.#queue.push({ request, transfer, resolve, reject });
      this.#send();
    });
  }

  /** Ends the threads; unanswered requests are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#queue.splice(0)) reject(new ThreadLostError('The threads have ended.'));
    for (const { timer, meter } of this.#threads) {
      clearTimeout(timer);
      clearInterval(meter);
    }
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  #send(): void {
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      const thread = this.#freeThread();
      if (thread === undefined) return;
      this.#queue.shift();
      thread.sent.push(next);
      thread.worker.ref();
      thread.worker.postMessage(next.request, next.transfer);
      if (thread.sent.length === 1) this.#watch(thread);
    }
  }

  /** Returns the thread with the least to do; a new one rather than one that is busy. */
  #freeThread(): Thread<Request, Answer> | undefined {
    const [least] = this.#threads.toSorted((a, b) => a.sent.length - b.sent.length);
    if (least !== undefined && least.sent.length === 0) return least;
    if (this.#threads.length < this.#options.threads) return this.#start();
    return least !== undefined && least.sent.length < this.#options.requestsAThread ? least : undefined;
  }

  #start(): Thread<Request, Answer> {
    const worker: Runner<Answer> = runnerOf(this.#options);
    const thread: Thread<Request, Answer> = { worker, sent: [], timer: undefined, meter: undefined };
    worker.on('message', (answer: Answer) => {
      thread.sent.shift()?.resolve(answer);
      this.#send();
      // A thread without work keeps no process alive.
      if (thread.sent.length === 0) worker.unref();
      this.#watch(thread);
    });
    worker.on('error', (error) => this.#drop(thread, error));
    worker.on('exit', () => this.#drop(thread, new ThreadLostError('A thread ended before it answered.')));
    this.#threads.push(thread);
    return thread;
  }

  #watch(thread: Thread<Request, Answer>): void {
    clearTimeout(thread.timer);
    clearInterval(thread.meter);
    const { idleMs, timeoutMs, cpuMs } = this.#options;
    const isBusy = thread.sent.length > 0;
    const mostMs = isBusy ? timeoutMs : idleMs;
    if (isBusy && cpuMs !== undefined) this.#meter(thread, cpuMs);
    if (mostMs === undefined) return;
    thread.timer = setTimeout(() => this.#end(thread, 'A thread was idle or stuck.'), mostMs).unref();
  }

  /** Ends a thread when it has used so much processor time. */
  #meter(thread: Thread<Request, Answer>, cpuMs: number): void {
    let firstMs: number | undefined;
    const look = async (): Promise<void> => {
      const usedMs = await cpuMsOf(thread.worker);
      firstMs ??= usedMs;
      if (usedMs === undefined || firstMs === undefined || usedMs - firstMs < cpuMs) return;
      if (thread.meter === meter) this.#end(thread, 'A thread used too much processor time.');
    };
    const meter = setInterval(() => void look(), CPU_LOOK_MS).unref();
    thread.meter = meter;
  }

  #end(thread: Thread<Request, Answer>, reason: string): void {
    this.#drop(thread, new ThreadLostError(reason));
    void thread.worker.terminate();
  }

  #drop(thread: Thread<Request, Answer>, error: unknown): void {
    const place = this.#threads.indexOf(thread);
    if (place === -1) return;
    this.#threads.splice(place, 1);
    clearTimeout(thread.timer);
    clearInterval(thread.meter);
    thread.meter = undefined;
    for (const { reject } of thread.sent.splice(0)) reject(error);
    this.#send();
  }
}

function runnerOf({ script, workerData, limits, areProcesses }: ThreadOptions): Worker | ForkedProcess {
  if (areProcesses === true) return new ForkedProcess(script);
  return new Worker(script, { workerData, ...(limits === undefined ? {} : { resourceLimits: limits }) });
}

/**
 * Returns the processor time of a thread; undefined if it has ended or is a process, or this Node (before 24.6) does not
 * measure it.
 */
async function cpuMsOf(worker: Pick<Runner<unknown>, 'cpuUsage'>): Promise<number | undefined> {
  try {
    const used = await worker.cpuUsage?.();
    return used && (used.user + used.system) / 1_000;
  } catch {
    return undefined;
  }
}
