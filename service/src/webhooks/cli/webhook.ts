import { InvalidArgumentError, Option } from 'commander';

import { listWorkspaces } from '../../workspaces/index.ts';
import { authSecret } from '../../people/secret.ts';
import {
  createEndpoint,
  disableEndpoint,
  enableEndpoint,
  type Endpoint,
  listEndpoints,
  MOST_ENDPOINTS,
  removeEndpoint,
  rotateSecret,
} from '../endpoints.ts';
import { EVENT_TYPES, type EventType } from '../events.ts';
import { SecretBox } from '../secret.ts';
import { readUrl } from '../url.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/db/index.ts';
import { operator } from '../../kernel/cli/actor.ts';
import type { Command } from '../../kernel/cli/command.ts';
import {
  CommandError,
  type Io,
  type JsonOption,
  write,
  writeJson,
  writeList,
  writeOutcome,
} from '../../kernel/cli/io.ts';
import { withDatabase } from '../../kernel/cli/settings.ts';
import { workspaceNamed } from '../../workspaces/cli/named.ts';
import { addDeliveries, endpointOf } from './webhook-deliveries.ts';

interface CreateOptions extends JsonOption {
  workspace: string;
  event?: EventType[];
}

const ID = 'ID of the webhook, from marque webhook list';

/** Adds `webhook create|list|test|deliveries|resend|rotate|enable|disable|delete`. */
export function define(webhook: Command, io: Io): void {
  webhook.reads('DATA_DIR', 'DATABASE_URL', 'WEBHOOK_ALLOW_PRIVATE');

  webhook
    .command('create')
    .description('create a webhook and print its signing secret, which cannot be shown again')
    .argument('<url>', 'the URL that receives the events')
    .requiredOption('--workspace <slug>', 'the workspace whose events to send')
    .addOption(
      new Option(
        '--event <type>',
        `only this event; repeat for more (default: all): ${EVENT_TYPES.join(', ')}`,
      ).argParser(readEvent),
    )
    .option('--json', 'print the webhook with its secret as JSON')
    .action(async (url: string, options: CreateOptions) => create(io, url, options));

  webhook
    .command('list')
    .description('list webhooks, without their secrets')
    .option('--workspace <slug>', 'only those of this workspace')
    .option('--json', 'print them as JSON')
    .action(async (options: { workspace?: string } & JsonOption) => list(io, options));

  addDeliveries(webhook, io, ID);
  addChange(webhook, io, 'enable', 'enable a disabled webhook', 'enabled', enableEndpoint);
  addChange(webhook, io, 'disable', 'disable a webhook; pending deliveries fail', 'disabled', disableEndpoint);
  addChange(webhook, io, 'delete', 'delete a webhook and its deliveries', 'deleted', removeEndpoint);

  webhook
    .command('rotate')
    .description('create a new signing secret and print it; for 24 hours, events are signed with both secrets')
    .argument('<id>', ID)
    .option('--json', 'print the webhook with its secret as JSON')
    .action(async (id: string, options: JsonOption) => rotate(io, id, options));
}

function addChange(
  webhook: Command,
  io: Io,
  name: string,
  description: string,
  outcome: string,
  change: typeof enableEndpoint,
): void {
  webhook
    .command(name)
    .description(description)
    .argument('<id>', ID)
    .option('--json', 'print the outcome as JSON')
    .action(async (id: string, options: JsonOption) =>
      withDatabase(io, async (database) => {
        const endpoint = await endpointOf(database, id);
        await change({ database, clock: systemClock }, endpoint, operator());
        return writeOutcome(io, options, { id, outcome }, `Webhook ${id} is ${outcome}.`);
      }),
    );
}

async function create(io: Io, address: string, { workspace: slug, event, json }: CreateOptions): Promise<void> {
  await withDatabase(io, async (database, config) => {
    const reading = readUrl(address, config.webhookAllowPrivate);
    if (reading.kind === 'faulty') throw new CommandError(reading.fault);
    const { id: workspaceId } = await workspaceNamed(database, slug, config);
    const wanted = { workspaceId, url: reading.url.href, events: event ?? EVENT_TYPES };
    const made = await createEndpoint(await depsOf(database), wanted, operator());
    if (made.kind === 'full') {
      throw new CommandError(
        `${slug} already has ${MOST_ENDPOINTS} webhooks, the most a workspace can have. Delete one first.`,
      );
    }
    if (made.kind === 'taken') {
      throw new CommandError(`A webhook of ${slug} already has this URL: see marque webhook list --workspace ${slug}`);
    }
    return showSecret(io, made.endpoint, { slug, secret: made.secret, json });
  });
}

async function list(io: Io, options: { workspace?: string } & JsonOption): Promise<void> {
  await withDatabase(io, async (database, config) => {
    const { workspace: only } = options;
    const workspaces =
      only === undefined ? await listWorkspaces(database) : [await workspaceNamed(database, only, config)];
    const endpoints: ShownEndpoint[] = [];
    for (const { id, slug } of workspaces) {
      endpoints.push(...(await listEndpoints(database, id)).map((endpoint) => shown(endpoint, slug)));
    }
    const columns = {
      Id: ({ id }: ShownEndpoint) => id,
      Workspace: ({ workspace }: ShownEndpoint) => workspace,
      URL: ({ url }: ShownEndpoint) => url,
      State: ({ state }: ShownEndpoint) => state,
      Events: ({ events }: ShownEndpoint) => events.join(' '),
    };
    const empty = 'There are no webhooks yet. To create one: marque webhook create URL --workspace SLUG';
    return writeList(io, options, endpoints, columns, empty);
  });
}

async function rotate(io: Io, id: string, { json }: JsonOption): Promise<void> {
  await withDatabase(io, async (database) => {
    const endpoint = await endpointOf(database, id);
    const secret = await rotateSecret(await depsOf(database), endpoint, operator());
    const workspaces = await listWorkspaces(database);
    const slug = workspaces.find((workspace) => workspace.id === endpoint.workspaceId)?.slug ?? '';
    return showSecret(io, endpoint, { slug, secret, json });
  });
}

/** The secret alone goes to standard output, so that `SECRET=$(marque webhook create …)` holds it and nothing else. */
async function showSecret(
  io: Io,
  endpoint: Endpoint,
  { slug, secret, json }: { slug: string; secret: string; json: boolean | undefined },
): Promise<void> {
  if (json === true) return writeJson(io.stdout, { secret, ...shown(endpoint, slug) });
  const { id, url } = endpoint;
  await write(io.stderr, `Webhook ${id} of workspace ${slug} at ${url}. Its signing secret is shown only once:\n`);
  return write(io.stdout, `${secret}\n`);
}

async function depsOf(database: Database) {
  return { database, clock: systemClock, box: new SecretBox(await authSecret(database)) };
}

function readEvent(text: string, before: EventType[] = []): EventType[] {
  const type = EVENT_TYPES.find((known) => known === text);
  if (type === undefined) throw new InvalidArgumentError(`The events are ${EVENT_TYPES.join(', ')}.`);
  return before.includes(type) ? before : [...before, type];
}

type ShownEndpoint = ReturnType<typeof shown>;

function shown({ id, url, events, createdAtMs, disabled, failures }: Endpoint, workspace: string) {
  const state = disabled !== undefined ? 'disabled' : failures > 0 ? 'failing' : 'enabled';
  return { id, workspace, url, events, state, createdAt: new Date(createdAtMs).toISOString() };
}
