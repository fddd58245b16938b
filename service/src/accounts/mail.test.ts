import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { PASSWORD } from '../testing/people.ts';
import { lastLink, Reader } from '../testing/reader.ts';
import { type TestService, testService } from '../testing/service.ts';
import { until } from '../testing/until.ts';

const letters: string[] = [];
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, _session, done) {
    stream.on('end', done);
    void text(stream).then((letter) => letters.push(letter));
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

/** The last letter, as its reader sees it: soft line breaks taken out. */
const lastLetter = () => (letters.at(-1) ?? '').replace(/=\r\n/g, '').replaceAll('=3D', '=');

test('the link of a sign-up comes by mail, and not into the log or the page', async () => {
  const reader = new Reader(service.app);
  const page = await reader.post('/sign-up', { email: 'ada@example.com', slug: 'ada-motors' });
  expect(page.body).toContain('A link is on its way');
  await until(async () => letters.length === 1);
  expect(lastLetter()).toContain('To: ada@example.com');
  const link = lastLink(lastLetter(), '/sign-up');
  expect(page.body).not.toContain(link);
  expect(service.logged()).not.toContain(link);
  expect((await reader.post(link, { name: 'Ada', password: PASSWORD })).statusCode).toBe(303);
});

test('a reset comes by mail to those who have an account, and to nobody else', async () => {
  const reader = new Reader(service.app);
  await reader.post('/forgot', { email: 'nobody@example.com' });
  await reader.post('/forgot', { email: 'ada@example.com' });
  await until(async () => letters.length === 2);
  expect(lastLetter()).toContain('To: ada@example.com');
  const link = lastLink(lastLetter(), '/reset');
  expect((await reader.post(link, { password: 'another long password' })).statusCode).toBe(200);
});

test('three letters an hour go to one address, however often they are asked for', async () => {
  const before = letters.length;
  for (let round = 0; round < 6; round++) {
    await new Reader(service.app).post('/sign-up', { email: 'flood@example.com', slug: 'flood-motors' });
  }
  await until(async () => letters.length >= before + 3 && (await waiting()).length === 0);
  expect(letters.length - before).toBe(3);
});
