import { SingleBar } from 'cli-progress';

import type { Output } from '../io.ts';

/** Files under this size are done before a bar could be read. */
const WORTH_A_BAR_BYTES = 200_000;

/** Shows the progress of a long file. */
export interface Progress {
  /** More bytes of the file were read. */
  advance(bytes: number): void;
  stop(): void;
}

const SILENT: Progress = { advance: () => undefined, stop: () => undefined };

/**
 * A bar on the terminal for a file of this many bytes. Silent where it would disturb or no one looks: for short files,
 * when the results go to the same terminal, and when there is no terminal.
 */
export function progressOf(totalBytes: number | undefined, output: Output, resultsOnTerminal: boolean): Progress {
  if (output.isTTY !== true || resultsOnTerminal || totalBytes === undefined || totalBytes < WORTH_A_BAR_BYTES) {
    return SILENT;
  }
  const bar = newBar('Decoding', output);
  bar.start(totalBytes, 0);
  return { advance: (bytes) => bar.increment(bytes), stop: () => bar.stop() };
}

/** A bar on the terminal for work of which the share that is done is known; silent where there is no terminal. */
export function shareBar(verb: string, output: Output): { to: (share: number) => void; stop: () => void } {
  if (output.isTTY !== true) return { to: () => undefined, stop: () => undefined };
  const bar = newBar(verb, output);
  bar.start(1, 0);
  return { to: (share) => bar.update(share), stop: () => bar.stop() };
}

function newBar(verb: string, output: Output): SingleBar {
  return new SingleBar({
    stream: output,
    format: `${verb} {bar} {percentage} % · {eta_formatted} left`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 40,
    hideCursor: true,
    clearOnComplete: true,
    fps: 10,
  });
}
