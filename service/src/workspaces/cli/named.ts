import type { Config } from '../../kernel/config/config.ts';
import type { Database } from '../../kernel/db/index.ts';
import { CommandError } from '../../kernel/cli/io.ts';
import { placeOf } from '../../kernel/cli/settings.ts';
import { findWorkspace, type Workspace } from '../index.ts';

/**
 * Returns the workspace that a command names.
 *
 * @throws CommandError when the configured database does not have it.
 */
export async function workspaceNamed(database: Database, slug: string, config: Config): Promise<Workspace> {
  const workspace = await findWorkspace(database, slug);
  if (workspace === undefined) throw noWorkspace(slug, config);
  return workspace;
}

/** Creates the error for a command that names a workspace that the configured database does not have. */
export function noWorkspace(slug: string, config: Pick<Config, 'databaseUrl' | 'dataDir'>): CommandError {
  return new CommandError(`There is no workspace ${slug} in ${placeOf(config)}. See marque workspace list.`);
}
