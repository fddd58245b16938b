import { SingleBar } from 'cli-progress';

import type { Output } from '../../kernel/cli/io.ts';

/** Files under this size are done before a bar could be read. */
const WORTH_A_BAR_BYTES = 200_000;

/** Shows how far a long task is. */
export interface Progress {
  /** Adds to the amount done. */
  advance: (amount: number) => void;
  /** Sets the total done; the note is shown beside it, such as a rate. */
  to: (amount: number, note?: string) => void;
  stop: () => void;
}

export const SILENT: Progress = { advance: () => undefined, to: () => undefined, stop: () => undefined };

/**
 * Returns a bar on the terminal for a file of this many bytes. Silent if it would disturb or no one sees it: for short
 * files, when the results go to the same terminal, and when there is no terminal.
 */
export function progressOf(totalBytes: number | undefined, output: Output, resultsOnTerminal: boolean): Progress {
  if (resultsOnTerminal || totalBytes === undefined || totalBytes < WORTH_A_BAR_BYTES) return SILENT;
  return progressBar('Decoding', totalBytes, output);
}

/** Returns a bar on the terminal; silent without a terminal. */
export function progressBar(verb: string, total: number, output: Output): Progress {
  if (output.isTTY !== true) return SILENT;
  const bar = new SingleBar({
    stream: output,
    format: `${verb} {bar} {percentage} % · {eta_formatted} left{note}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 40,
    hideCursor: true,
    clearOnComplete: true,
    fps: 10,
  });
  bar.start(total, 0, { note: '' });
  return {
    advance: (amount) => bar.increment(amount),
    to: (amount, note) => bar.update(amount, note === undefined ? {} : { note: ` · ${note}` }),
    stop: () => bar.stop(),
  };
}
