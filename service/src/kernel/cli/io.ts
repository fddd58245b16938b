import type { Readable, Writable } from 'node:stream';

import type { Database, DatabaseLocation } from '../db/index.ts';
import { OperatorError } from '../operator-error.ts';
import { PROGRAM, withProgram } from './called-as.ts';

/** A stream that may be a terminal. */
export type Output = Writable & { isTTY?: boolean; columns?: number };

/** The outside world of a command: injected, so that a test can run one whole. */
export interface Io {
  stdin: Readable & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  env: NodeJS.ProcessEnv;
  /** Opens a database that a running service may be using. */
  openDatabase: (location: DatabaseLocation) => Promise<Database>;
  /** The command that started the program; default: `marque`. */
  calledAs?: string;
}

/** Returns the program as its caller calls it. */
export function programOf({ calledAs }: Io): string {
  return calledAs ?? PROGRAM;
}

/** Writes advice for people, with the program named as they call it. */
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
  // Errors arrive as the stream's `error` event: for standard output, that a reader has seen enough.
  await new Promise<void>((resolve) => {
    output.write(text, () => resolve());
  });
}

/** Prints a value as indented JSON. */
export async function writeJson(output: Writable, value: unknown): Promise<void> {
  await write(output, `${JSON.stringify(value, null, 2)}\n`);
}

/** The option of a command that prints JSON on request. */
export interface JsonOption {
  json?: boolean | undefined;
}

/** Prints the outcome of a command: as JSON on request, otherwise as a sentence. */
export async function writeOutcome({ stdout }: Io, { json }: JsonOption, value: unknown, text: string): Promise<void> {
  return json === true ? writeJson(stdout, value) : write(stdout, `${text}\n`);
}

/** The columns of a table, by their headings. */
type Columns<Row> = Readonly<Record<string, (row: Row) => string>>;

/** Prints a list: as JSON on request, else as a table within the width of the terminal, or, without rows, as a hint. */
export async function writeList<Row>(
  io: Io,
  { json }: JsonOption,
  rows: readonly Row[],
  columns: Columns<Row>,
  empty = '',
): Promise<void> {
  const { stdout } = io;
  if (json === true) return writeJson(stdout, rows);
  if (rows.length === 0 && empty !== '') return writeHint(io, `${empty}\n`);
  // Loaded here: not every command prints a table.
  const { tableText } = await import('./table.ts');
  const cells = rows.map((row) => Object.values(columns).map((cell) => cell(row)));
  return write(stdout, tableText(Object.keys(columns), cells, stdout.isTTY === true ? stdout.columns : undefined));
}

/**
 * Returns a text that anybody may have sent, fit for a terminal: characters that would steer it or turn the writing
 * direction are written as escapes.
 */
export function visible(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
