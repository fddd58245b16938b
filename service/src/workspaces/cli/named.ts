import type { Config } from '../../kernel/config/config.ts';
import type { Database } from '../../kernel/db/index.ts';
import { CommandError } from '../../kernel/cli/io.ts';
import { placeOf } from '../../kernel/cli/settings.ts';
import { findWorkspace, isClosed, type Workspace } from '../index.ts';

/**
 * Returns the workspace that a command names.
 *
 * @throws CommandError when the configured database does not have it.
 */
export async function workspaceNamed(database: Database, slug: string, config: Config): Promise<Workspace> {
  const workspace = await findWorkspace(database, slug);
  if (workspace === undefined) {
    throw new CommandError(`There is no workspace ${slug} in ${placeOf(config)}. See marque workspace list.`);
  }
  return workspace;
}

/**
 * Returns the workspace that a command changes.
 *
 * @throws CommandError also when it is closed.
 */
export async function openWorkspaceNamed(database: Database, slug: string, config: Config): Promise<Workspace> {
  const workspace = await workspaceNamed(database, slug, config);
  if (await isClosed(database, workspace)) throw new CommandError(`The workspace ${slug} is closed permanently.`);
  return workspace;
}
