import { setTimeout as delay } from 'node:timers/promises';

import { type Delivery, latestDeliveries, sendAgain, sendTest } from '../deliveries.ts';
import { type Endpoint, findEndpointById } from '../endpoints.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/db/index.ts';
import type { Command } from '../../kernel/cli/command.ts';
import { CommandError, type Io, type JsonOption, writeJson, writeList, writeOutcome } from '../../kernel/cli/io.ts';
import { withDatabase } from '../../kernel/cli/settings.ts';

const SHOWN = 50;

/** A running service polls for deliveries once a second, and gives a receiver 15 seconds. */
const WAIT_MS = 20_000;
const LOOK_MS = 100;

/** Adds `webhook test|deliveries|resend`. */
export function addDeliveries(webhook: Command, io: Io, idHelp: string): void {
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
    await writeOutcome(io, options, shown(delivery), outcomeOf(delivery));
    if (!wait || delivery.state === 'delivered') return;
    throw new CommandError(
      delivery.attempts === 0
        ? 'No instance has sent it yet. Is the service running with these settings?'
        : 'The event was not delivered. The service will try again; marque webhook deliveries shows the result.',
    );
  });
}

/** The delivery of an event after its first attempt, or its current state after a timeout. */
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
    if (options.json === true) return writeJson(io.stdout, deliveries.map(shown));
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

/** "delivered: 204", "pending: connection refused", "pending". */
function outcomeOf({ state, status, lastError }: Delivery): string {
  const answer = status === null ? lastError : String(status);
  return answer === null ? state : `${state}: ${answer}`;
}

function shown({ createdAtMs, attemptedAtMs, runAtMs, body, ...delivery }: Delivery) {
  return {
    ...delivery,
    createdAt: new Date(createdAtMs).toISOString(),
    attemptedAt: attemptedAtMs === null ? null : new Date(attemptedAtMs).toISOString(),
    nextAttemptAt: runAtMs === null ? null : new Date(runAtMs).toISOString(),
    event: JSON.parse(body) as unknown,
  };
}

/** @throws CommandError when there is no such webhook. */
export async function endpointOf(database: Database, id: string): Promise<Endpoint> {
  const endpoint = await findEndpointById(database, id);
  if (endpoint === undefined) throw new CommandError(`There is no webhook ${id}. See marque webhook list.`);
  return endpoint;
}
