import type { Readable, Writable } from 'node:stream';

import type { Database, DatabaseLocation } from '../db/index.ts';
import { OperatorError } from '../operator-error.ts';
import { PROGRAM, withProgram } from './program-name.ts';
import { colorlessText, harmlessText } from './terminal-text.ts';

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
  /** Waits so many milliseconds for a running service; default: by the machine's clock. */
  pause?: (ms: number) => Promise<unknown>;
  /** The command that started the program; default: `marque`. */
  calledAs?: string;
  /** The names of all commands; default: none, and hints call the program `marque`. */
  commands?: readonly string[];
}

/** Returns the program as its caller calls it. */
export function programOf({ calledAs }: Io): string {
  return calledAs ?? PROGRAM;
}

/** Returns a text for people, with the program named as its caller calls it. */
export function asCalled(io: Io, text: string): string {
  return withProgram(text, programOf(io), io.commands ?? []);
}

/** Writes advice for people, with the program named as they call it. */
export async function writeHint(io: Io, text: string): Promise<void> {
  await write(io.stdout, asCalled(io, text));
}

/** A command failed for a reason that its caller can do something about. */
export class CommandError extends OperatorError {
  override name = 'CommandError';
}

/**
 * Writes text, or its bytes, and waits until the reader has it, so that nothing piles up in memory. Text for a terminal
 * cannot steer it; a file or another program gets every byte.
 */
export async function write(output: Output, data: string | Uint8Array, fit = harmlessText): Promise<void> {
  if (data.length === 0) return;
  const text = output.isTTY === true ? fit(typeof data === 'string' ? data : decoded(data)) : data;
  // Errors arrive as the stream's `error` event: for standard output, that a reader has seen enough.
  await new Promise<void>((resolve) => {
    output.write(text, () => resolve());
  });
}

/** Writes rows of a stranger's table: on a terminal without colors, which only their sender can have written. */
export async function writeRows(output: Output, data: string | Uint8Array): Promise<void> {
  await write(output, data, colorlessText);
}

/** Writes a note about the work, which ends up on a terminal or in a log. */
export async function writeNote({ stderr }: Pick<Io, 'stderr'>, text: string): Promise<void> {
  await write(stderr, harmlessText(text));
}

/** Prints a value as indented JSON, in which characters that would steer a terminal are escapes of JSON. */
export async function writeJson(output: Output, value: unknown): Promise<void> {
  await write(output, `${harmlessText(JSON.stringify(value, null, 2))}\n`);
}

/** The option of a command that prints JSON on request. */
export interface JsonOption {
  json?: boolean | undefined;
}

/** Prints the outcome of a command: as JSON on request, otherwise as a sentence. */
export async function writeOutcome({ stdout }: Io, { json }: JsonOption, value: unknown, text: string): Promise<void> {
  return json === true ? writeJson(stdout, value) : write(stdout, `${harmlessText(text)}\n`);
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

/** Reads bytes that are printed as text. */
function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
