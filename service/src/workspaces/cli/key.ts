import { InvalidArgumentError } from 'commander';

import { operator, withDatabase } from '../../kernel/cli/settings.ts';
import type { Command } from '../../kernel/cli/command.ts';

import {
  type ApiKey,
  createKey,
  KeyLimitError,
  keyState,
  listAllKeys,
  listWorkspaces,
  type NewApiKey,
  revokeKey,
  rotateKey,
  systemRandom,
} from '../index.ts';
import { DAY_MS, systemClock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/db/index.ts';
import {
  CommandError,
  type Io,
  type JsonOption,
  write,
  writeJson,
  writeList,
  writeOutcome,
  writeNote,
} from '../../kernel/cli/io.ts';
import { openWorkspaceNamed, workspaceNamed } from './named.ts';

interface NewKeyOptions extends JsonOption {
  workspace: string;
  name: string;
  test?: boolean;
  /** Days. */
  expires?: number;
}

/** Adds `key create|list|revoke|rotate`. */
export function define(key: Command, io: Io): void {
  key.reads('DATA_DIR', 'DATABASE_URL');

  key
    .command('create')
    .description('create a key and print it; it cannot be shown again')
    .requiredOption('--workspace <slug>', 'the workspace that it belongs to')
    .requiredOption('--name <name>', 'a name that says where the key is used')
    .option(
      '--test',
      'create a test key: it decodes like any other, is never charged, and is limited to one request per second',
    )
    .option(
      '--expires <days>',
      'end the key after this time, such as 90d; without it, the key works until revoked',
      daysIn,
    )
    .option('--json', 'print the key as JSON')
    .action(async (options: NewKeyOptions) => create(io, options));

  key
    .command('list')
    .description('list keys, without the keys themselves')
    .option('--workspace <slug>', 'only those of this workspace')
    .option('--json', 'print them as JSON')
    .action(async (options: { workspace?: string } & JsonOption) => list(io, options));

  key
    .command('revoke')
    .description('revoke a key; every instance refuses it within two seconds')
    .argument('<id>', 'ID of the key, from marque key list')
    .option('--json', 'print the outcome as JSON')
    .action(async (id: string, options: JsonOption) => revoke(io, id, options));

  key
    .command('rotate')
    .description('replace a key; the old one keeps working until 24 hours after the first use of the new one')
    .argument('<id>', 'ID of the key, from marque key list')
    .option('--json', 'print the new key as JSON')
    .action(async (id: string, options: JsonOption) => rotate(io, id, options));
}

const deps = (database: Database) => ({ database, clock: systemClock, random: systemRandom });

async function create(io: Io, options: NewKeyOptions): Promise<void> {
  const name = options.name.trim();
  if (name === '' || name.length > 120) throw new CommandError('Give the key a name of 1 to 120 characters.');
  await withDatabase(io, async (database, config) => {
    const workspace = await openWorkspaceNamed(database, options.workspace, config);
    const mode = options.test === true ? 'test' : 'live';
    const ends = options.expires === undefined ? {} : { expiresAtMs: systemClock() + options.expires * DAY_MS };
    const wanted = { workspaceId: workspace.id, name, mode, ...ends } as const;
    const key = await createKey(deps(database), wanted, operator()).catch(refuse);
    await showNew(io, key, workspace.slug, options);
  });
}

/** Returns a time in days: 90d. Ten years at most. */
function daysIn(text: string): number {
  const days = Number(/^(\d{1,4})d$/.exec(text)?.[1]);
  if (days >= 1 && days <= 3_650) return days;
  throw new InvalidArgumentError('Write it in days, from 1d to 3650d, such as 90d.');
}

function refuse(error: unknown): never {
  if (error instanceof KeyLimitError) throw new CommandError(error.message);
  throw error;
}

async function list(io: Io, options: { workspace?: string } & JsonOption): Promise<void> {
  await withDatabase(io, async (database, config) => {
    const { workspace: slug } = options;
    const only = slug === undefined ? undefined : await workspaceNamed(database, slug, config);
    const slugs = new Map((await listWorkspaces(database)).map((known) => [known.id, known.slug]));
    const keys = (await listAllKeys(database, only?.id)).map((key) => shown(key, slugs.get(key.workspaceId) ?? ''));
    const columns = {
      Id: ({ id }: ShownKey) => id,
      Workspace: ({ workspace }: ShownKey) => workspace,
      Name: ({ name }: ShownKey) => name,
      Key: ({ looksLike }: ShownKey) => looksLike,
      Created: ({ createdAt }: ShownKey) => createdAt.slice(0, 10),
      'Last used': ({ lastUsedAt }: ShownKey) => lastUsedAt?.slice(0, 10) ?? 'never',
      Expires: ({ expiresAt }: ShownKey) => expiresAt?.slice(0, 10) ?? 'never',
      State: ({ state }: ShownKey) => state,
    };
    const empty = 'There are no keys yet. To create one: marque key create --workspace SLUG --name NAME';
    return writeList(io, options, keys, columns, empty);
  });
}

async function revoke(io: Io, id: string, options: JsonOption): Promise<void> {
  await withDatabase(io, async (database) => {
    const outcome = await revokeKey(deps(database), id, operator());
    if (outcome === 'unknown') throw new CommandError(`There is no key ${id}. See marque key list.`);
    const text = outcome === 'revoked' ? `Key ${id} is revoked.` : `Key ${id} was already revoked.`;
    return writeOutcome(io, options, { id, outcome }, text);
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

/** Writes the key alone to standard output, so that `KEY=$(marque key create …)` gets it and nothing else. */
async function showNew(io: Io, key: NewApiKey, workspace: string, { json }: JsonOption): Promise<void> {
  if (json === true) return writeJson(io.stdout, { key: key.key, ...shown(key, workspace) });
  await writeNote(io, `Key "${key.name}" of workspace ${workspace} (${key.id}). It is shown only once:\n`);
  return write(io.stdout, `${key.key}\n`);
}

type ShownKey = ReturnType<typeof shown>;

function shown(key: ApiKey, workspace: string) {
  return {
    id: key.id,
    workspace,
    name: key.name,
    mode: key.mode,
    looksLike: `${key.prefix}…${key.last4}`,
    state: keyState(key, systemClock()),
    createdAt: new Date(key.createdAtMs).toISOString(),
    expiresAt: isoTime(key.expiresAtMs),
    revokedAt: isoTime(key.revokedAtMs),
    lastUsedAt: isoTime(key.lastUsedAtMs),
  };
}

function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
