import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { addSecondFactor, PASSWORD } from './testing/people.ts';
import { lastLink, Reader } from '../testing/reader.ts';
import { type TestService, testService } from '../testing/service.ts';
import { until } from '../testing/until.ts';

const messages: string[] = [];
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, _session, done) {
    stream.on('end', done);
    void text(stream).then((message) => messages.push(message));
  },
});
let service: TestService;

beforeAll(async () => {
  const listening = once(server.listen(0, '127.0.0.1'), 'listening');
  await listening;
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('No port.');
  service = await testService({ SMTP_URL: `smtp://127.0.0.1:${address.port}` });
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  server.close();
});

const waiting = () => service.database.kysely.selectFrom('mail_outbox').select('id').execute();

/** A message as its reader sees it: soft line breaks taken out. */
const readable = (message: string) => message.replace(/=\r\n/g, '').replaceAll('=3D', '=');
const lastMessage = () => readable(messages.at(-1) ?? '');

test('the link of a sign-up comes by mail, and not into the log or the page', async () => {
  const reader = new Reader(service.app);
  const page = await reader.submit('/sign-up', { email: 'ada@example.com', slug: 'ada-motors' });
  expect(page.body).toContain('We have sent a link');
  await until(async () => messages.length === 1);
  expect(lastMessage()).toContain('To: ada@example.com');
  const link = lastLink(lastMessage(), '/sign-up');
  expect(page.body).not.toContain(link);
  expect(service.logged()).not.toContain(link);
  expect((await reader.post(link, { name: 'Ada', password: PASSWORD })).statusCode).toBe(303);
});

test('a reset comes by mail only to those who have an account', async () => {
  const reader = new Reader(service.app);
  await reader.post('/forgot', { email: 'nobody@example.com' });
  await reader.post('/forgot', { email: 'ada@example.com' });
  await until(async () => messages.length === 2);
  expect(lastMessage()).toContain('To: ada@example.com');
  const link = lastLink(lastMessage(), '/reset');
  expect((await reader.post(link, { password: 'another long password' })).headers.location).toBe('/sign-in');
  await until(async () => messages.length === 3);
  expect(lastMessage()).toContain('a link from an e-mail');
});

test('every change of the way into an account is mailed to its owner, and is in the audit log', async () => {
  const reader = new Reader(service.app);
  const password = 'another long password';
  await reader.post('/sign-in', { email: 'ada@example.com', password });
  await reader.post('/account/password', { current: password, password: PASSWORD });
  const { recoveryCodes } = await addSecondFactor(reader);
  await reader.post('/account/second-factor/codes', { password: PASSWORD });
  const made = await reader.submit('/account/second-factor/codes', { password: PASSWORD });
  const [, code = ''] = /<li>([^<]+)<\/li>/.exec(made.body) ?? [];
  expect(recoveryCodes).not.toContain(code);
  const again = new Reader(service.app);
  await again.post('/sign-in', { email: 'ada@example.com', password: PASSWORD });
  expect((await again.post('/sign-in/code', { code })).statusCode).toBe(303);
  await reader.post('/account/second-factor/end', { password: PASSWORD });
  await reader.post('/account/close', { password: PASSWORD });
  const entries = await service.database.kysely.selectFrom('audit_log').select(['action', 'actor']).execute();
  const own = entries.filter(({ actor }) => actor === 'person:ada@example.com').map(({ action }) => action);
  expect(own).toEqual(
    expect.arrayContaining([
      'password.reset',
      'password.changed',
      'second-factor.on',
      'recovery-codes.made',
      'recovery-code.used',
      'second-factor.off',
      'account.closed',
    ]),
  );
  const expected = [
    'The password of your account was changed',
    'A second factor was set up',
    'New recovery codes were created',
    'with a recovery code',
    'The second factor of your account was turned off',
    'Your account was closed',
  ];
  await until(async () => expected.every((words) => messages.some((message) => readable(message).includes(words))));
  await until(async () => (await waiting()).length === 0);
});

test('three messages an hour go to one address, however often they are asked for', async () => {
  const before = messages.length;
  for (let round = 0; round < 6; round++) {
    await new Reader(service.app).post('/sign-up', { email: 'flood@example.com', slug: 'flood-motors' });
  }
  await until(async () => messages.length >= before + 3 && (await waiting()).length === 0);
  expect(messages.length - before).toBe(3);
});
