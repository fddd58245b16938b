import { CommanderError, InvalidArgumentError } from 'commander';

import packageJson from '../../package.json' with { type: 'json' };
import { OperatorError } from '../kernel/operator-error.ts';
import { ALL_SETTINGS, Command } from '../kernel/cli/command.ts';
import { SLICES } from '../slices.ts';
import { asCalled, type Io, programOf } from '../kernel/cli/io.ts';
import { harmlessText } from '../kernel/cli/terminal-text.ts';
import { isColored } from '../kernel/cli/paint.ts';
import type { CommandEntry } from '../kernel/slice.ts';

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;

/**
 * Runs one command line, without the program's own name.
 *
 * @returns the exit status: 0 done, 1 failed, 2 wrong usage.
 */
export async function runCli(words: readonly string[], outside: Io): Promise<number> {
  const io = { ...outside, commands: COMMANDS.map(([name]) => name) };
  try {
    const program = await buildProgram(words, io);
    await program.parseAsync(words, { from: 'user' });
    return DONE;
  } catch (error) {
    // Commander shows what its own parsers throw; this is from a command.
    if (error instanceof InvalidArgumentError) io.stderr.write(`error: ${harmlessText(error.message)}\n`);
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE;
    // Anything else is a bug and shows where it happened.
    const text = error instanceof OperatorError ? error.message : error instanceof Error ? error.stack : String(error);
    if (text !== '') io.stderr.write(`${harmlessText(asCalled(io, text ?? ''))}\n`);
    return FAILED;
  }
}

/** Builds the whole program by name; only the commands that the line names are loaded. */
async function buildProgram(words: readonly string[], io: Io): Promise<Command> {
  const program = new Command(programOf(io))
    .description('Decodes vehicle identification numbers, on the command line and as a metered HTTP service.')
    .version(packageJson.version, '-V, --version', 'show the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(harmlessText(text)),
      getOutHelpWidth: () => io.stdout.columns ?? 80,
      getErrHelpWidth: () => io.stderr.columns ?? 80,
      getOutHasColors: () => isColored('auto', io.stdout, io.env),
      getErrHasColors: () => isColored('auto', io.stderr, io.env),
    })
    .reads(ALL_SETTINGS)
    .example('decode a VIN', 'marque decode 1HGCM82633A004352')
    .example('run the service on port 8080', 'marque serve')
    .showHelpAfterError('(add --help to see what it takes)');
  for (const [name, { summary, load }] of COMMANDS) {
    const command = program.command(name).description(summary);
    if (words.includes(name)) (await load()).define(command, io, SLICES);
  }
  return program;
}

/** The commands of the service as a whole. */
const OWN: Readonly<Record<string, CommandEntry>> = {
  serve: {
    summary: 'run the HTTP service until SIGINT or SIGTERM; settings come from the environment (marque config)',
    load: () => import('./serve.ts'),
  },
  health: {
    summary: 'check whether the service on this machine is ready for requests: exit status 0 or 1',
    load: () => import('./health.ts'),
  },
  db: { summary: 'migrate, back up, restore, and verify the database', load: () => import('./db.ts') },
  config: { summary: 'show the effective settings, with passwords masked', load: () => import('./config.ts') },
};

/** The order of the help. Commands that it does not name come last. */
const ORDER = [
  'serve',
  'health',
  'decode',
  'workspace',
  'key',
  'webhook',
  'admin',
  'corrections',
  'audit',
  'privacy',
  'catalog',
  'db',
  'mcp',
  'config',
];

/**
 * Every command with its line in the help, in the order of the help. Each loads its modules on demand, so that `decode`
 * does not wait for the service's parts.
 */
const COMMANDS: readonly (readonly [string, CommandEntry])[] = [OWN, ...SLICES.map(({ commands = {} }) => commands)]
  .flatMap((commands) => Object.entries(commands))
  .toSorted(([one], [other]) => placeOf(one) - placeOf(other));

function placeOf(name: string): number {
  const place = ORDER.indexOf(name);
  return place === -1 ? ORDER.length : place;
}
