import { Command, CommanderError } from 'commander';

import { DatabaseRefusal, DatabaseUnavailable } from '../db/index.ts';
import { CatalogRefusal } from '../catalog.ts';
import { SourcesRefusal } from '../enrichment/index.ts';
import { addAdmin } from './admin.ts';
import { addAudit } from './audit.ts';
import { addCatalog } from './catalog.ts';
import { addCompletion } from './completion.ts';
import { addConfig } from './config.ts';
import { addCorrections } from './corrections/index.ts';
import { addDb } from './db.ts';
import { addDecode } from './decode.ts';
import { CommandFailure, type Io } from './io.ts';
import { addKey } from './key.ts';
import { addMcp } from './mcp.ts';
import { addPrivacy } from './privacy.ts';
import { addServe } from './serve.ts';
import { addWorkspace } from './workspace.ts';

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;

/** What a person can do something about: its message is enough. Anything else is a bug and shows where it happened. */
const EXPECTED = [CommandFailure, CatalogRefusal, DatabaseRefusal, DatabaseUnavailable, SourcesRefusal];

/**
 * Runs one command line, without the program's own name.
 *
 * @returns the exit status: 0 done, 1 failed, 2 wrong usage.
 */
export async function runCli(words: readonly string[], io: Io): Promise<number> {
  try {
    await buildProgram(io).parseAsync(words, { from: 'user' });
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE;
    const isExpected = EXPECTED.some((kind) => error instanceof kind);
    const text = error instanceof Error ? (isExpected ? error.message : error.stack) : String(error);
    if (text !== '') io.stderr.write(`${text}\n`);
    return FAILED;
  }
}

function buildProgram(io: Io): Command {
  const program = new Command('marque')
    .description('Decodes vehicle identification numbers, on the command line and as a metered HTTP service.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
    })
    .showHelpAfterError('(add --help to see what it takes)');
  for (const add of [
    addServe,
    addDecode,
    addWorkspace,
    addKey,
    addAdmin,
    addCorrections,
    addAudit,
    addPrivacy,
    addCatalog,
    addDb,
    addMcp,
    addConfig,
    addCompletion,
  ])
    add(program, io);
  return program;
}
