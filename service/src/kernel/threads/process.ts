import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process's message: the answer to a request, which may be its last, or the error that it failed with. */
type ProcessMessage<Answer> =
  | { kind: 'answered'; answer: Answer; isLast: boolean }
  | { kind: 'failed'; error: unknown };

/** Answers a request in a process. */
type Handle<Request, Answer> = (request: Request) => Promise<Answer>;

/**
 * A process that answers requests as a thread does. Where V8 finds no room for one more list or text it ends the whole
 * process, whatever limits a thread has: this one then ends alone.
 */
export class ForkedProcess extends EventEmitter {
  readonly #script: URL;
  #child: ChildProcess;

  /** @param script one that calls `answerParent`. */
  constructor(script: URL) {
    super();
    this.#script = script;
    this.#child = this.#start();
  }

  postMessage(request: unknown): void {
    if (!this.#child.connected) this.#child = this.#start();
    // If it cannot be sent, the process has ended.
    this.#child.send({ request }, () => {});
  }

  ref(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }

  unref(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  async terminate(): Promise<void> {
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    // Who waits for its end is alive until then.
    child.ref();
    await ended;
  }

  #start(): ChildProcess {
    const child = fork(fileURLToPath(this.#script), [], {
      serialization: 'advanced',
      execArgv: [],
      env: environmentOf(process.env),
      // V8 writes pages of text when it ends a process.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    let isOver = false;
    child.on('message', (message: ProcessMessage<unknown>) => {
      if (message.kind === 'failed') return this.#fail(message.error);
      isOver = message.isLast;
      if (isOver) {
        child.disconnect();
        child.unref();
      }
      this.emit('message', message.answer);
    });
    child.on('error', (error) => this.#fail(error));
    child.on('exit', (code) => {
      if (isOver) return;
      if (code === CANNOT_RUN) this.#fail(new Error('The script of a process cannot be run.'));
      else this.emit('exit');
    });
    return child;
  }

  #fail(error: unknown): void {
    this.emit('error', error);
    void this.terminate();
  }
}

const CANNOT_RUN = 1;

/** Variables that Node needs: a process that reads strangers' files gets none of the service's secrets. */
const KEPT = ['PATH', 'LD_LIBRARY_PATH', 'NODE_OPTIONS', 'TZ'];

function environmentOf(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(KEPT.filter((name) => env[name] !== undefined).map((name) => [name, env[name]]));
}

/**
 * Answers the requests that a `ThreadPool` sends to this process, until the parent has ended.
 *
 * @param isSpent returns true after an answer if another process should answer the next request.
 */
export function answerParent<Request, Answer>(
  handle: Handle<Request, Answer>,
  isSpent: () => boolean = () => false,
): void {
  const tell = (told: ProcessMessage<Answer>): void => void process.send?.(told);
  process.on('message', ({ request }: { request: Request }) => {
    handle(request).then(
      (answer) => tell({ kind: 'answered', answer, isLast: isSpent() }),
      (error: unknown) => tell({ kind: 'failed', error }),
    );
  });
  process.on('disconnect', () => process.exit());
  // They come to all processes of a service at once: the parent answers what it has begun.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => {});
}
