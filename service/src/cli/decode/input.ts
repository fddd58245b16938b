import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';

import { CommandFailure, type Io } from '../io.ts';
import { type Progress, progressOf } from './progress.ts';

/** A file that is being read, and how far it is. */
export interface InputFile {
  chunks: Readable;
  progress: Progress;
}

/**
 * Opens a file, or standard input for `-`.
 *
 * @throws CommandFailure when it cannot be read.
 */
export async function openInput(file: string, io: Io): Promise<InputFile> {
  const resultsOnTerminal = io.stdout.isTTY === true;
  if (file === '-') return { chunks: io.stdin, progress: progressOf(undefined, io.stderr, resultsOnTerminal) };
  const size = await stat(file).then(
    (found) => (found.isDirectory() ? undefined : found.size),
    () => undefined,
  );
  if (size === undefined) throw new CommandFailure(`Cannot read the file ${file}.`);
  return { chunks: createReadStream(file), progress: progressOf(size, io.stderr, resultsOnTerminal) };
}
