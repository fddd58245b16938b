import { parentPort, type Transferable } from 'node:worker_threads';

/** A thread's answer, and the parts of it that are handed over rather than copied. */
interface Handled<Answer> {
  answer: Answer;
  transfer: Transferable[];
}

/** Answers a request on a thread. */
type Handle<Request, Answer> = (request: Request) => Handled<Answer> | Promise<Handled<Answer>>;

/**
 * Answers the requests that a `ThreadPool` sends to this thread, one after another. An error ends the thread.
 *
 * @throws Error in the main thread, which receives no requests.
 */
export function answerRequests<Request, Answer>(handle: Handle<Request, Answer>): void {
  const port = parentPort;
  if (port === null) throw new Error('This script is started as a worker thread.');
  const answerOne = async (request: Request): Promise<void> => {
    const { answer, transfer } = await handle(request);
    port.postMessage(answer, transfer);
  };
  let last = Promise.resolve();
  port.on('message', (request: Request) => {
    // A thrown error is unhandled, and so ends the thread.
    last = last.then(() => answerOne(request));
  });
}
