import { findWorkspace, type Workspace } from '../features/access/index.ts';
import { type Config, faultMessage, readConfig } from '../platform/config/config.ts';
import { type Database, openDatabase } from '../platform/db/index.ts';
import { CommandError, type Io } from './io.ts';

/**
 * The configuration of a command.
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
  io: Pick<Io, 'env'>,
  use: (database: Database, config: Config) => Promise<T>,
): Promise<T> {
  const config = configOf(io);
  const database = await openDatabase(config, 'tool');
  try {
    return await use(database, config);
  } finally {
    await database.close();
  }
}

/** Where the configured database is, as a message names it. */
export function placeOf({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  return databaseUrl === undefined ? dataDir : 'the database of DATABASE_URL';
}

/**
 * The workspace that a command names.
 *
 * @throws CommandError when the configured database does not have it.
 */
export async function workspaceNamed(database: Database, slug: string, config: Config): Promise<Workspace> {
  const workspace = await findWorkspace(database, slug);
  if (workspace === undefined) throw noWorkspace(slug, config);
  return workspace;
}

/** A command names a workspace that the configured database does not have. */
export function noWorkspace(slug: string, config: Pick<Config, 'databaseUrl' | 'dataDir'>): CommandError {
  return new CommandError(`There is no workspace ${slug} in ${placeOf(config)}. See marque workspace list.`);
}
