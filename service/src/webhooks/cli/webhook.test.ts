import { afterEach, beforeEach, expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';

import { type Receiver, startReceiver } from '../testing/receiver.ts';
import { type CommandResult, runMarque } from '../../testing/run-marque.ts';
import { testService, type TestService } from '../../testing/service.ts';

let service: TestService;
let receiver: Receiver;

beforeEach(async () => {
  service = await testService({ WEBHOOK_ALLOW_PRIVATE: 'yes' });
  await service.keyFor('business');
  receiver = await startReceiver();
});

afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const marque = (line: string): Promise<CommandResult> => runMarque(line, service.env);

async function json(line: string): Promise<Record<string, string>> {
  const { status, out, err } = await marque(`${line} --json`);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  const value: Record<string, string> = JSON.parse(out);
  return value;
}

async function jsonList(line: string): Promise<Record<string, string>[]> {
  return Object.values(await json(line)).map((value) => Object(value));
}

const create = (more = '') => json(`webhook create ${receiver.url} --workspace business${more}`);

test('a webhook made on the command line gets a test event, signed with the secret that was printed', async () => {
  const { id = '', secret = '' } = await create();
  expect(await marque(`webhook test ${id}`)).toEqual({ status: 0, out: 'delivered: 204\n', err: '' });
  const [got] = receiver.got;
  expect(new Webhook(secret).verify(got?.body ?? '', got?.headers ?? {})).toMatchObject({ type: 'webhook.test' });
  const { out } = await marque(`webhook deliveries ${id}`);
  expect(out).toMatch(/^msg-\S+ +webhook\.test +\S+Z +1 +delivered: 204$/m);
  expect(await jsonList(`webhook deliveries ${id}`)).toMatchObject([
    { state: 'delivered', event: { type: 'webhook.test' } },
  ]);
});

test('a secret is printed alone on standard output, and in no list', async () => {
  const { out, err } = await marque(`webhook create ${receiver.url} --workspace business`);
  expect(out).toMatch(/^whsec_\S+\n$/);
  expect(err).toContain('shown only once');
  const list = await marque('webhook list');
  expect(list.out).toContain(receiver.url);
  expect(list.out).not.toContain('whsec_');
  const [{ id = '' } = {}] = await jsonList('webhook list');
  const rotated = await marque(`webhook rotate ${id}`);
  expect(rotated.out).toMatch(/^whsec_\S+\n$/);
  expect(rotated.out).not.toBe(out);
});

test('only the chosen events are subscribed to, and an unknown one is refused with the list of them', async () => {
  expect(await create(' --event job.completed --event job.stopped')).toMatchObject({
    events: ['job.completed', 'job.stopped'],
  });
  expect(await marque(`webhook create ${receiver.url} --workspace business --event job.begun`)).toMatchObject({
    status: 2,
    err: expect.stringContaining('usage.threshold'),
  });
});

test('a receiver that fails is reported, and a delivery that was given up is sent again', async () => {
  const { id = '' } = await create();
  receiver.treat((response) => response.writeHead(500).end());
  expect(await marque(`webhook test ${id}`)).toMatchObject({
    status: 1,
    out: 'pending: 500\n',
    err: expect.stringContaining('will try again'),
  });
  expect(await jsonList('webhook list')).toMatchObject([{ state: 'failing' }]);
  expect(await marque(`webhook disable ${id}`)).toMatchObject({ status: 0 });
  expect(await marque(`webhook test ${id}`)).toMatchObject({ status: 1, err: expect.stringContaining('Enable it') });
  expect(await marque(`webhook enable ${id}`)).toMatchObject({ status: 0 });
  const [{ eventId = '' } = {}] = await jsonList(`webhook deliveries ${id}`);
  receiver.treat((response) => response.writeHead(204).end());
  expect(await marque(`webhook resend ${id} ${eventId}`)).toMatchObject({ status: 0 });
  expect(await marque(`webhook resend ${id} ${eventId}`)).toMatchObject({ status: 1 });
  await receiver.untilGot(2);
});

test('a deleted webhook is gone, the audit log names actor and action, and every fault says what to do', async () => {
  const { id = '' } = await create();
  expect(await marque(`webhook delete ${id}`)).toMatchObject({ status: 0 });
  expect((await marque('webhook list')).out).toContain('webhook create URL');
  for (const line of ['test', 'deliveries', 'delete', 'rotate', 'enable']) {
    expect(await marque(`webhook ${line} ${id}`)).toMatchObject({
      status: 1,
      err: expect.stringMatching(/webhook list/),
    });
  }
  expect(await marque('webhook create https://example.com/ --workspace nobody')).toMatchObject({
    status: 1,
    err: expect.stringMatching(/no workspace nobody .*workspace list/),
  });
  expect(await marque('webhook create example --workspace business')).toMatchObject({
    status: 1,
    err: expect.stringMatching(/full URL/),
  });
  const { out } = await marque('audit list');
  expect(out).toMatch(/cli:\S+ +webhook\.created/);
  expect(out).toMatch(/cli:\S+ +webhook\.removed/);
});
