import { operator } from './actor.ts';
import type { Command } from './command.ts';

import {
  type ApiKey,
  createKey,
  KeyLimitError,
  findWorkspace,
  listKeys,
  type KeyMode,
  listWorkspaces,
  type NewApiKey,
  revokeKey,
  rotateKey,
  systemRandom,
  type Workspace,
} from '../features/access/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/db/index.ts';
import { CommandError, type Io, write, writeHint, writeJson, writeTable } from './io.ts';
import { noWorkspace, withDatabase } from './settings.ts';

interface JsonOption {
  json?: boolean;
}

interface NewKeyOptions extends JsonOption {
  workspace: string;
  name: string;
  test?: boolean;
}

/** Adds `key create|list|revoke|rotate`. */
export function addKey(key: Command, io: Io): void {
  key.reads('DATA_DIR', 'DATABASE_URL');

  key
    .command('create')
    .description('make a key and print it: the only time that it can be seen')
    .requiredOption('--workspace <slug>', 'the workspace that it opens')
    .requiredOption('--name <name>', 'a name to know it by')
    .option('--test', 'a key for tests: decodes for real, is never charged, sends one request a second')
    .option('--json', 'print the key as JSON')
    .action(async (options: NewKeyOptions) => create(io, options));

  key
    .command('list')
    .description('keys, never in full')
    .option('--workspace <slug>', 'only those of this workspace')
    .option('--json', 'print them as JSON')
    .action(async (options: { workspace?: string } & JsonOption) => list(io, options));

  key
    .command('revoke')
    .description('end a key; every instance refuses it within two seconds')
    .argument('<id>', 'id of the key, from marque key list')
    .option('--json', 'print the outcome as JSON')
    .action(async (id: string, options: JsonOption) => revoke(io, id, options));

  key
    .command('rotate')
    .description('make a key in place of another, which works on for 24 hours after the first use of the new one')
    .argument('<id>', 'id of the key, from marque key list')
    .option('--json', 'print the new key as JSON')
    .action(async (id: string, options: JsonOption) => rotate(io, id, options));
}

const deps = (database: Database) => ({ database, clock: systemClock, random: systemRandom });

async function create(io: Io, options: NewKeyOptions): Promise<void> {
  const name = options.name.trim();
  if (name === '' || name.length > 120) throw new CommandError('Give the key a name of 1 to 120 characters.');
  await withDatabase(io, async (database, config) => {
    const workspace = await workspaceOf(database, options.workspace, config);
    const mode = options.test === true ? 'test' : 'live';
    const key = await createKey(deps(database), { workspaceId: workspace.id, name, mode }, operator()).catch(refuse);
    await showNew(io, key, workspace.slug, options);
  });
}

function refuse(error: unknown): never {
  if (error instanceof KeyLimitError) throw new CommandError(error.message);
  throw error;
}

async function list(io: Io, options: { workspace?: string } & JsonOption): Promise<void> {
  await withDatabase(io, async (database, config) => {
    const only = options.workspace === undefined ? undefined : await workspaceOf(database, options.workspace, config);
    const slugs = new Map((await listWorkspaces(database)).map(({ id, slug }) => [id, slug]));
    const keys = (await listKeys(database, only?.id)).map((key) => shown(key, slugs.get(key.workspaceId) ?? ''));
    if (options.json === true) return writeJson(io.stdout, keys);
    if (keys.length === 0) {
      return writeHint(io, 'There is no key yet. Make one: marque key create --workspace SLUG --name NAME\n');
    }
    const rows = keys.map(({ id, workspace, name, looksLike, createdAt, lastUsedAt, state }) => [
      id,
      workspace,
      name,
      looksLike,
      createdAt.slice(0, 10),
      lastUsedAt?.slice(0, 10) ?? 'never',
      state,
    ]);
    return writeTable(io.stdout, ['Id', 'Workspace', 'Name', 'Key', 'Created', 'Last used', 'State'], rows);
  });
}

async function revoke(io: Io, id: string, { json }: JsonOption): Promise<void> {
  await withDatabase(io, async (database) => {
    const outcome = await revokeKey(deps(database), id, operator());
    if (outcome === 'unknown') throw new CommandError(`There is no key ${id}. See marque key list.`);
    if (json === true) return writeJson(io.stdout, { id, outcome });
    return write(io.stdout, outcome === 'revoked' ? `Key ${id} is revoked.\n` : `Key ${id} was revoked already.\n`);
  });
}

async function rotate(io: Io, id: string, options: JsonOption): Promise<void> {
  await withDatabase(io, async (database) => {
    const key = await rotateKey(deps(database), id, operator()).catch(refuse);
    if (key === undefined) throw new CommandError(`There is no active key ${id}. See marque key list.`);
    const slugs = new Map((await listWorkspaces(database)).map((workspace) => [workspace.id, workspace.slug]));
    await showNew(io, key, slugs.get(key.workspaceId) ?? '', options);
  });
}

async function workspaceOf(database: Database, slug: string, config: Config): Promise<Workspace> {
  const workspace = await findWorkspace(database, slug);
  if (workspace === undefined) throw noWorkspace(slug, config);
  return workspace;
}

/** The key alone goes to standard output, so that `KEY=$(marque key create …)` holds it and nothing else. */
async function showNew(io: Io, key: NewApiKey, workspace: string, { json }: JsonOption): Promise<void> {
  if (json === true) return writeJson(io.stdout, { key: key.key, ...shown(key, workspace) });
  await write(io.stderr, `Key "${key.name}" of workspace ${workspace} (${key.id}). It is shown only once:\n`);
  return write(io.stdout, `${key.key}\n`);
}

interface ShownKey {
  id: string;
  workspace: string;
  name: string;
  mode: KeyMode;
  looksLike: string;
  state: 'active' | 'revoked' | 'expired' | 'expiring';
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
}

function shown(key: ApiKey, workspace: string): ShownKey {
  return {
    id: key.id,
    workspace,
    name: key.name,
    mode: key.mode,
    looksLike: `${key.prefix}…${key.last4}`,
    state: stateOf(key, systemClock()),
    createdAt: isoTime(key.createdAtMs),
    expiresAt: key.expiresAtMs === null ? null : isoTime(key.expiresAtMs),
    revokedAt: key.revokedAtMs === null ? null : isoTime(key.revokedAtMs),
    lastUsedAt: key.lastUsedAtMs === null ? null : isoTime(key.lastUsedAtMs),
  };
}

function stateOf({ revokedAtMs, expiresAtMs }: ApiKey, nowMs: number): ShownKey['state'] {
  if (revokedAtMs !== null) return 'revoked';
  if (expiresAtMs === null) return 'active';
  return expiresAtMs <= nowMs ? 'expired' : 'expiring';
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
