import { SingleBar } from 'cli-progress';

import type { Output } from '../io.ts';

/** Files under this size are done before a bar could be read. */
const WORTH_A_BAR_BYTES = 200_000;

/** Tells a person how far a long file is. */
export interface Progress {
  /** More bytes of the file were read. */
  advance(bytes: number): void;
  stop(): void;
}

const SILENT: Progress = { advance: () => undefined, stop: () => undefined };

/**
 * A bar on the terminal for a file of this many bytes. Silent where it would disturb or nobody looks: for short files,
 * when the results go to the same terminal, and when there is no terminal.
 */
export function progressOf(totalBytes: number | undefined, output: Output, resultsOnTerminal: boolean): Progress {
  if (output.isTTY !== true || resultsOnTerminal || totalBytes === undefined || totalBytes < WORTH_A_BAR_BYTES) {
    return SILENT;
  }
  const bar = new SingleBar({
    stream: output,
    format: 'Decoding {bar} {percentage} % · {eta_formatted} left',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 40,
    hideCursor: true,
    clearOnComplete: true,
    fps: 10,
  });
  bar.start(totalBytes, 0);
  return { advance: (bytes) => bar.increment(bytes), stop: () => bar.stop() };
}
