import { DatabaseRefusal, DatabaseUnavailable } from '../platform/db/index.ts';
import { CatalogRefusal } from '../features/decode/open-catalog.ts';
import { SourcesRefusal } from '../features/enrichment/index.ts';
import { addAdmin } from './admin.ts';
import { addAudit } from './audit.ts';
import { addCatalog } from './catalog.ts';
import { addCompletion } from './completion.ts';
import { addConfig } from './config.ts';
import { addCorrections } from './corrections/index.ts';
import { addDb } from './db.ts';
import { addDecode } from './decode.ts';
import { addHealth } from './health.ts';
import type { Io } from './io.ts';
import { addKey } from './key.ts';
import { addMcp } from './mcp.ts';
import { addPrivacy } from './privacy.ts';
import { runProgram } from './run.ts';
import { addServe } from './serve.ts';
import { addWorkspace } from './workspace.ts';

/** What a person can do something about: its message is enough. */
const EXPECTED = [CatalogRefusal, DatabaseRefusal, DatabaseUnavailable, SourcesRefusal];

const COMMANDS = [
  addServe,
  addHealth,
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
];

/**
 * Runs one command line, without the program's own name.
 *
 * @returns the exit status: 0 done, 1 failed, 2 wrong usage.
 */
export async function runCli(words: readonly string[], io: Io): Promise<number> {
  return runProgram(words, io, COMMANDS, EXPECTED);
}
