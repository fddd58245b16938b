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

/** Returns a person who has signed up by the link in the mail, and is signed in. */
async function newPerson(email: string, slug: string): Promise<Reader> {
  const reader = new Reader(service.app);
  const before = messages.length;
  await reader.post('/sign-up', { email, slug });
  await until(async () => messages.length > before);
  await reader.post(lastLink(lastMessage(), '/sign-up'), { name: 'Ada', password: PASSWORD });
  return reader;
}

/** Returns the actions in a person's audit log. */
async function actsOf(email: string): Promise<string[]> {
  const entries = await service.database.kysely
    .selectFrom('audit_log')
    .select('action')
    .where('actor', '=', `person:${email}`)
    .execute();
  return entries.map(({ action }) => action);
}

test('the link of a sign-up comes by mail, and not into the log or the page', async () => {
  const reader = new Reader(service.app);
  const before = messages.length;
  const page = await reader.submit('/sign-up', { email: 'ada@example.com', slug: 'ada-motors' });
  expect(page.body).toContain('We have sent a link');
  await until(async () => messages.length > before);
  expect(lastMessage()).toContain('To: ada@example.com');
  const link = lastLink(lastMessage(), '/sign-up');
  expect(page.body).not.toContain(link);
  expect(service.logged()).not.toContain(link);
  expect((await reader.post(link, { name: 'Ada', password: PASSWORD })).statusCode).toBe(303);
});

test('a reset comes by mail only to those who have an account', async () => {
  const reader = await newPerson('ben@example.com', 'ben-motors');
  const before = messages.length;
  await reader.post('/forgot', { email: 'nobody@example.com' });
  await reader.post('/forgot', { email: 'ben@example.com' });
  await until(async () => messages.length === before + 1);
  expect(lastMessage()).toContain('To: ben@example.com');
  const link = lastLink(lastMessage(), '/reset');
  expect((await reader.post(link, { password: 'another long password' })).headers.location).toBe('/sign-in');
  await until(async () => messages.length === before + 2);
  expect(lastMessage()).toContain('a link from an e-mail');
  expect(messages.join('\n')).not.toContain('To: nobody@example.com');
  expect(await actsOf('ben@example.com')).toContain('password.reset');
});

test('every change of the way into an account is mailed to its owner, and is in the audit log', async () => {
  const reader = await newPerson('cy@example.com', 'cy-motors');
  const password = 'another long password';
  await reader.post('/account/password', { current: PASSWORD, password });
  const { recoveryCodes } = await addSecondFactor(reader, password);
  await reader.post('/account/second-factor/codes', { password });
  const made = await reader.submit('/account/second-factor/codes', { password });
  const [, code = ''] = /<li>([^<]+)<\/li>/.exec(made.body) ?? [];
  expect(recoveryCodes).not.toContain(code);
  const again = new Reader(service.app);
  await again.post('/sign-in', { email: 'cy@example.com', password });
  expect((await again.post('/sign-in/code', { code })).statusCode).toBe(303);
  await reader.post('/account/second-factor/end', { password });
  await reader.post('/account/close', { password });
  expect(await actsOf('cy@example.com')).toEqual(
    expect.arrayContaining([
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
