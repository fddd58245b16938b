import { CommanderError } from 'commander';

import { ALL_SETTINGS, Command } from './command.ts';
import { CommandFailure, type Io } from './io.ts';
import { isColored } from './paint.ts';

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;

/**
 * Puts a program together from its commands and runs one command line, without the program's own name.
 *
 * @param expected what a person can do something about, beside a CommandFailure: its message is enough. Anything else is
 *   a bug and shows where it happened.
 * @returns the exit status: 0 done, 1 failed, 2 wrong usage.
 */
export async function runProgram(
  words: readonly string[],
  io: Io,
  commands: readonly ((program: Command, io: Io) => void)[],
  expected: readonly (new (...given: never[]) => Error)[],
): Promise<number> {
  try {
    await buildProgram(io, commands).parseAsync(words, { from: 'user' });
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE;
    const isExpected = [CommandFailure, ...expected].some((kind) => error instanceof kind);
    const text = error instanceof Error ? (isExpected ? error.message : error.stack) : String(error);
    if (text !== '') io.stderr.write(`${text}\n`);
    return FAILED;
  }
}

function buildProgram(io: Io, commands: readonly ((program: Command, io: Io) => void)[]): Command {
  const program = new Command('marque')
    .description('Decodes vehicle identification numbers, on the command line and as a metered HTTP service.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns ?? 80,
      getErrHelpWidth: () => io.stderr.columns ?? 80,
      getOutHasColors: () => isColored('auto', io.stdout, io.env),
      getErrHasColors: () => isColored('auto', io.stderr, io.env),
    })
    .reads(ALL_SETTINGS)
    .example('decode a VIN', 'marque decode 1HGCM82633A004352')
    .example('run the service on port 8080', 'marque serve')
    .showHelpAfterError('(add --help to see what it takes)');
  for (const add of commands) add(program, io);
  return program;
}
