import { finished } from 'node:stream/promises';

import { runCli } from '../cli/program.ts';
import { ioWith } from './io.ts';

/** The end of a command, and all that it printed. */
export interface CommandResult {
  status: number;
  out: string;
  err: string;
}

/** Runs a command: its words, or a line that is split at its blanks. */
export async function runMarque(
  words: string | readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  const io = ioWith('', env);
  const status = await runCli(typeof words === 'string' ? words.split(' ') : words, io);
  // The last writes may still be pending.
  for (const output of [io.stdout, io.stderr]) await finished(output.end());
  return { status, out: io.stdout.text, err: io.stderr.text };
}

/** Runs a command that must succeed and print one JSON object, and nothing else. */
export async function runMarqueJson(line: string, env: NodeJS.ProcessEnv = {}): Promise<Record<string, unknown>> {
  const { status, out, err } = await runMarque(`${line} --json`, env);
  if (status !== 0 || err !== '') throw new Error(`marque ${line} ended with ${status}: ${err}`);
  return JSON.parse(out);
}
