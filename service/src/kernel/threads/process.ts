import { fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process's message: the answer to a request, or the error that it failed with. */
type ProcessMessage<Answer> = { kind: 'answered'; answer: Answer } | { kind: 'failed'; error: unknown };

/** Answers a request in a process. */
type Handle<Request, Answer> = (request: Request) => Promise<Answer>;

/**
 * A process that answers requests as a thread does. Where V8 finds no room for one more list or text it ends the whole
 * process, whatever limits a thread has: this one then ends alone.
 */
export class ForkedProcess extends EventEmitter {
  readonly #child;
  readonly #ended: Promise<unknown>;

  /** @param script one that calls `answerParent`. */
  constructor(script: URL) {
    super();
    const child = fork(fileURLToPath(script), [], {
      serialization: 'advanced',
      execArgv: [],
      // V8 writes pages of text when it ends a process.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child = child;
    this.#ended = once(child, 'exit').catch(() => undefined);
    child.on('message', (told: ProcessMessage<unknown>) => {
      if (told.kind === 'answered') this.emit('message', told.answer);
      else this.#fail(told.error);
    });
    child.on('error', (error) => this.#fail(error));
    child.on('exit', (code) => {
      if (code === CANNOT_RUN) this.#fail(new Error('The script of a process cannot be run.'));
      else this.emit('exit');
    });
  }

  postMessage(request: unknown): void {
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
    this.#child.kill('SIGKILL');
    // Who waits for its end is alive until then.
    this.#child.ref();
    await this.#ended;
  }

  #fail(error: unknown): void {
    this.emit('error', error);
    void this.terminate();
  }
}

const CANNOT_RUN = 1;

/** Answers the requests that a `ThreadPool` sends to this process, until the parent has ended. */
export function answerParent<Request, Answer>(handle: Handle<Request, Answer>): void {
  const tell = (told: ProcessMessage<Answer>): void => void process.send?.(told);
  process.on('message', ({ request }: { request: Request }) => {
    handle(request).then(
      (answer) => tell({ kind: 'answered', answer }),
      (error: unknown) => tell({ kind: 'failed', error }),
    );
  });
  process.on('disconnect', () => process.exit());
  // They come to all processes of a service at once: the parent answers what it has begun.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => {});
}
