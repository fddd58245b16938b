import { setTimeout as delay } from 'node:timers/promises';

import { InvalidArgumentError, Option } from 'commander';

import { listWorkspaces } from '../../workspaces/index.ts';
import { authSecret } from '../../people/index.ts';
import { openWorkspaceNamed, workspaceNamed } from '../../workspaces/cli/index.ts';
import {
  createEndpoint,
  disableEndpoint,
  enableEndpoint,
  type Endpoint,
  findEndpointById,
  listEndpoints,
  MOST_ENDPOINTS,
  removeEndpoint,
  rotateSecret,
} from '../endpoints.ts';
import { EVENT_TYPES, type EventType } from '../events.ts';
import { webhookBox } from '../secret.ts';
import { readUrl } from '../url.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/db/index.ts';
import { operator, withDatabase } from '../../kernel/cli/settings.ts';
import type { Command } from '../../kernel/cli/command.ts';
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
import { type Delivery, latestDeliveries, sendAgain, sendTest } from '../deliveries.ts';

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
    .description('create a new signing secret and print it; for 24 hours, events are also signed with the old one')
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
    const { id: workspaceId } = await openWorkspaceNamed(database, slug, config);
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

/** Writes the secret alone to standard output, so that `SECRET=$(marque webhook create …)` gets it and nothing else. */
async function showSecret(
  io: Io,
  endpoint: Endpoint,
  { slug, secret, json }: { slug: string; secret: string; json: boolean | undefined },
): Promise<void> {
  if (json === true) return writeJson(io.stdout, { secret, ...shown(endpoint, slug) });
  const { id, url } = endpoint;
  await writeNote(io, `Webhook ${id} of workspace ${slug} at ${url}. Its signing secret is shown only once:\n`);
  return write(io.stdout, `${secret}\n`);
}

async function depsOf(database: Database) {
  return { database, clock: systemClock, box: webhookBox(await authSecret(database)) };
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

const SHOWN = 50;

/** A running service polls for deliveries once a second, and gives a receiver 15 seconds. */
const WAIT_MS = 20_000;
const LOOK_MS = 100;

/** Adds `webhook test|deliveries|resend`. */
function addDeliveries(webhook: Command, io: Io, idHelp: string): void {
  webhook
    .command('test')
    .description('have the running service send a test event, and print the answer of the receiver')
    .argument('<id>', idHelp)
    .option('--no-wait', 'do not wait for the answer')
    .option('--json', 'print the delivery as JSON')
    .action(async (id: string, options: TestOptions) => testEndpoint(io, id, options));

  webhook
    .command('deliveries')
    .description(`list the latest ${SHOWN} deliveries, newest first`)
    .argument('<id>', idHelp)
    .option('--json', 'print them as JSON, including what was sent')
    .action(async (id: string, options: JsonOption) => listDeliveries(io, id, options));

  webhook
    .command('resend')
    .description('send a failed delivery again')
    .argument('<id>', idHelp)
    .argument('<event>', 'ID of the event, from marque webhook deliveries')
    .option('--json', 'print the outcome as JSON')
    .action(async (id: string, event: string, options: JsonOption) =>
      withDatabase(io, async (database) => {
        const endpoint = await endpointOf(database, id);
        if (!(await sendAgain({ database, clock: systemClock }, endpoint, event))) {
          throw new CommandError('Only a failed delivery can be sent again, and only while the webhook is enabled.');
        }
        return writeOutcome(io, options, { id, event, outcome: 'enqueued' }, `Event ${event} will be sent again.`);
      }),
    );
}

interface TestOptions extends JsonOption {
  wait: boolean;
}

async function testEndpoint(io: Io, id: string, { wait, ...options }: TestOptions): Promise<void> {
  await withDatabase(io, async (database) => {
    const endpoint = await endpointOf(database, id);
    if (endpoint.disabled !== undefined) {
      throw new CommandError(`Webhook ${id} is disabled. Enable it first: marque webhook enable ${id}`);
    }
    const eventId = await sendTest({ database, clock: systemClock }, endpoint);
    const delivery = await attempted(database, id, eventId ?? '', wait ? WAIT_MS : 0);
    await writeOutcome(io, options, shownDelivery(delivery), outcomeOf(delivery));
    if (!wait || delivery.state === 'delivered') return;
    throw new CommandError(
      delivery.attempts === 0
        ? 'No instance has sent it yet. Is the service running with these settings?'
        : 'The event was not delivered. The service will try again; marque webhook deliveries shows the result.',
    );
  });
}

/** Returns the delivery of an event after its first attempt, or its current state after a timeout. */
async function attempted(database: Database, endpointId: string, eventId: string, waitMs: number): Promise<Delivery> {
  const untilMs = performance.now() + waitMs;
  for (;;) {
    const deliveries = await latestDeliveries(database, endpointId, SHOWN);
    const delivery = deliveries.find((one) => one.eventId === eventId);
    if (delivery === undefined) throw new CommandError('The webhook has been disabled or deleted in the meantime.');
    if (delivery.attempts > 0 || performance.now() >= untilMs) return delivery;
    await delay(LOOK_MS);
  }
}

async function listDeliveries(io: Io, id: string, options: JsonOption): Promise<void> {
  await withDatabase(io, async (database) => {
    const endpoint = await endpointOf(database, id);
    const deliveries = await latestDeliveries(database, endpoint.id, SHOWN);
    if (options.json === true) return writeJson(io.stdout, deliveries.map(shownDelivery));
    const columns = {
      Event: ({ eventId }: Delivery) => eventId,
      Type: ({ type }: Delivery) => type,
      Created: ({ createdAtMs }: Delivery) => new Date(createdAtMs).toISOString(),
      Attempts: ({ attempts }: Delivery) => String(attempts),
      Outcome: outcomeOf,
    };
    return writeList(io, {}, deliveries, columns, `Nothing has been sent yet. To try it: marque webhook test ${id}`);
  });
}

/** Describes the outcome: "delivered: 204", "pending: connection refused", "pending". */
function outcomeOf({ state, status, lastError }: Delivery): string {
  const answer = status === null ? lastError : String(status);
  return answer === null ? state : `${state}: ${answer}`;
}

function shownDelivery({ createdAtMs, attemptedAtMs, runAtMs, body, ...delivery }: Delivery) {
  return {
    ...delivery,
    createdAt: new Date(createdAtMs).toISOString(),
    attemptedAt: attemptedAtMs === null ? null : new Date(attemptedAtMs).toISOString(),
    nextAttemptAt: runAtMs === null ? null : new Date(runAtMs).toISOString(),
    event: JSON.parse(body) as unknown,
  };
}

/** Finds a webhook. @throws CommandError when there is none with this id. */
async function endpointOf(database: Database, id: string): Promise<Endpoint> {
  const endpoint = await findEndpointById(database, id);
  if (endpoint === undefined) throw new CommandError(`There is no webhook ${id}. See marque webhook list.`);
  return endpoint;
}
