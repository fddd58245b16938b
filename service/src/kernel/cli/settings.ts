import { userInfo } from 'node:os';

import { type Config, faultMessage, readConfig } from '../config/config.ts';
import type { Database } from '../db/index.ts';
import { CommandError, type Io } from './io.ts';
import type { Actor } from '../audit/index.ts';

/**
 * Returns the configuration of a command.
 *
 * @throws CommandError with one message that lists every fault.
 */
export function configOf(io: Pick<Io, 'env'>): Config {
  const reading = readConfig(io.env);
  if (reading.kind === 'faulty') throw new CommandError(faultMessage(reading.faults));
  return reading.config;
}

/** Opens the configured database, which a running service may share, and closes it again. */
export async function withDatabase<T>(
  io: Pick<Io, 'env' | 'openDatabase'>,
  use: (database: Database, config: Config) => Promise<T>,
): Promise<T> {
  const config = configOf(io);
  const database = await io.openDatabase(config);
  try {
    return await use(database, config);
  } finally {
    await database.close();
  }
}

/** Returns the place of the configured database, for messages. */
export function placeOf({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  return databaseUrl === undefined ? dataDir : 'the database of DATABASE_URL';
}

/** Returns the actor of a command, for the audit log: the operating system's user. */
export function operator(): Actor {
  return `cli:${userName()}`;
}

/** Returns the name of the operating system's user. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a user id without a name.
    return `uid-${process.geteuid?.() ?? 'unknown'}`;
  }
}
