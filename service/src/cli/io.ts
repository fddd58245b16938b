import type { Readable, Writable } from 'node:stream';

import { OperatorError } from '../platform/operator-error.ts';
import { PROGRAM, withProgram } from './called-as.ts';

/** A stream that may be a terminal. */
export type Output = Writable & { isTTY?: boolean; columns?: number };

/** What a command sees of the world: injected, so that a test can run one whole. */
export interface Io {
  stdin: Readable & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  env: NodeJS.ProcessEnv;
  /** How the program was called; default: `marque`. */
  calledAs?: string;
}

/** The program as its caller calls it. */
export function programOf({ calledAs }: Io): string {
  return calledAs ?? PROGRAM;
}

/** Advice for people, with the program named as they call it. */
export async function writeHint(io: Io, text: string): Promise<void> {
  await write(io.stdout, withProgram(text, programOf(io)));
}

/** A command failed for a reason that its caller can do something about. */
export class CommandError extends OperatorError {
  override name = 'CommandError';
}

/** Writes text, or its bytes, and waits until the reader has it, so that nothing piles up in memory. */
export async function write(output: Writable, text: string | Uint8Array): Promise<void> {
  if (text.length === 0) return;
  // What goes wrong is the stream's `error` event: of standard output, a reader that has seen enough.
  await new Promise<void>((resolve) => {
    output.write(text, () => resolve());
  });
}

/** Prints a value as indented JSON. */
export async function writeJson(output: Writable, value: unknown): Promise<void> {
  await write(output, `${JSON.stringify(value, null, 2)}\n`);
}

/** Prints rows under headings, within the width of a terminal. */
export async function writeTable(
  output: Output,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  // Loaded here: not every command prints a table.
  const { tableText } = await import('./table.ts');
  await write(output, tableText(headings, rows, output.isTTY === true ? output.columns : undefined));
}
