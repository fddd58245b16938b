import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

import stringWidth from 'string-width';

import { visible } from './visible.ts';

/** A stream that may be a terminal. */
export type Output = Writable & { isTTY?: boolean; columns?: number };

/** What a command sees of the world: injected, so that a test can run one whole. */
export interface Io {
  stdin: Readable;
  stdout: Output;
  stderr: Output;
  env: NodeJS.ProcessEnv;
}

/** A command failed for a reason that a person can do something about: exit status 1, the message without a stack. */
export class CommandFailure extends Error {
  override name = 'CommandFailure';
}

/** Writes a text and waits while the reader is slower than the writer, so that nothing piles up in memory. */
export async function write(output: Writable, text: string): Promise<void> {
  if (!output.write(text)) await once(output, 'drain');
}

/** Prints a value as indented JSON. */
export async function writeJson(output: Writable, value: unknown): Promise<void> {
  await write(output, `${JSON.stringify(value, null, 2)}\n`);
}

/** Prints rows under headings, columns as wide on a terminal as their widest cell. */
export async function writeTable(
  output: Writable,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  // Names may be anybody's: of any alphabet, and with characters that would steer a terminal.
  const cells = [headings, ...rows.map((row) => row.map(visible))];
  const widths = headings.map((_heading, column) =>
    cells.reduce((width, row) => Math.max(width, stringWidth(row[column] ?? '')), 0),
  );
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell)))
      .join('  ')
      .trimEnd(),
  );
  await write(output, `${lines.join('\n')}\n`);
}
