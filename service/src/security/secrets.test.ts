import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { backupDatabase } from '../kernel/db/index.ts';
import { runMarque } from '../testing/run-marque.ts';
import { addSecondFactor, PASSWORD, signUp } from '../people/testing/people.ts';
import { Reader } from '../testing/reader.ts';
import { until } from '../testing/until.ts';
import { type TestService, testService } from '../testing/service.ts';

const VIN = '1HGCM82633A004352';
const SMTP_PASSWORD = 'smtp-pass-9f3c';

/** Uses the service as people, clients and strangers do, and gives all the bodies that it answered. */
async function wholeRun(service: TestService, key: string, secrets: string[]): Promise<string> {
  const bodies: string[] = [];
  const call = async (url: string, headers: Record<string, string>, payload: object | string): Promise<void> => {
    bodies.push((await service.app.inject({ method: 'POST', url, headers, payload })).body);
  };
  const reader = await signUp(service, 'ada@example.com', 'ada-motors');
  const factor = await addSecondFactor(reader);
  secrets.push(factor.secret, ...factor.recoveryCodes, reader.cookie.split('=')[1] ?? '');
  const made = await reader.submit('/portal/ada-motors/webhooks', {
    url: 'https://hooks.example.com/token-7d2e',
    event: 'usage.threshold',
  });
  const path = /\/portal\/ada-motors\/webhooks\/[0-9a-f-]{36}/.exec(made.body)?.[0] ?? '';
  const rotated = await reader.submit(`${path}/rotate`);
  // Each is shown in one answer, which is not looked at here.
  for (const { body } of [made, rotated]) secrets.push(/whsec_([A-Za-z0-9+/=]+)/.exec(body)?.[1] ?? '');
  for (const page of ['/portal/ada-motors/webhooks', path]) bodies.push((await reader.get(page)).body);
  for (const headers of [
    { 'x-api-key': key },
    { authorization: `Bearer ${key}` },
    { authorization: key },
    { 'x-key': key },
    { cookie: `key=${key}` },
  ]) {
    await call('/api/decode', headers, { vin: VIN });
    await call(`/api/decode?key=${key}`, headers, `{"vin":"${VIN}","key":"${key}"`);
    await call(`/api/${key}/${VIN}`, headers, {});
  }
  await call('/api/decode', { 'x-api-key': `${key}x`, 'content-type': 'text/plain' }, key);
  const stranger = new Reader(service.app);
  for (const path of ['/sign-in', '/forgot', '/sign-up', '/reset/nothing']) {
    bodies.push((await stranger.post(path, { email: 'ada@example.com', password: `${PASSWORD}!` })).body);
  }
  await service.database.close();
  await call('/api/decode', { 'x-api-key': key }, { vin: VIN });
  bodies.push((await service.app.inject('/readyz')).body);
  return bodies.join('\n');
}

test('no log and no answer of a whole run contains a secret, and no log a VIN', async () => {
  await using service = await testService({ LOG_LEVEL: 'trace' });
  const key = await service.keyFor('business');
  const secrets = [key, PASSWORD];
  const answered = await wholeRun(service, key, secrets);
  // Without mail, the links are logged on purpose, for the operator to hand over.
  const lines = service.logged().split('\n');
  const logged = lines.filter((line) => !line.includes('"link":')).join('\n');
  expect(logged.length).toBeGreaterThan(2_000);
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(5);
    expect(logged).not.toContain(secret);
    expect(answered).not.toContain(secret);
  }
  expect(logged).not.toContain(VIN);
  expect(logged).not.toContain('ada@example.com');
  expect(logged).not.toContain('token-7d2e');
});

test('if mail is sent, no log contains its links, its addresses or the password of the server', async () => {
  await using service = await testService({
    LOG_LEVEL: 'trace',
    SMTP_URL: `smtp://marque:${SMTP_PASSWORD}@127.0.0.1:9`,
  });
  await new Reader(service.app).post('/sign-up', { email: 'ada@example.com', slug: 'ada-motors' });
  await until(async () => service.logged().includes('ECONNREFUSED'));
  expect(service.logged()).not.toMatch(/sign-up\/[0-9a-f]{20}/);
  expect(service.logged()).not.toContain('ada@example.com');
  expect(service.logged()).not.toContain(SMTP_PASSWORD);
});

test('stored data contains neither keys nor passwords, nor does a printed configuration', async () => {
  await using service = await testService();
  const key = await service.keyFor('business');
  const reader = await signUp(service, 'ada@example.com', 'ada-motors');
  await service.app.inject({
    method: 'POST',
    url: '/api/decode',
    headers: { 'x-api-key': key },
    payload: { vin: VIN },
  });
  const made = await reader.submit('/portal/ada-motors/webhooks', {
    url: 'https://example.com/',
    event: 'usage.threshold',
  });
  const signing = /whsec_([A-Za-z0-9+/=]+)/.exec(made.body)?.[1] ?? '';
  expect(signing.length).toBeGreaterThan(40);
  const file = join(service.env['DATA_DIR'] ?? '', 'stored');
  await backupDatabase(service.database, file, 0);
  const stored = gunzipSync(readFileSync(file)).toString();
  for (const secret of [key, key.slice(0, 20), PASSWORD, signing]) expect(stored).not.toContain(secret);
  expect(reader.cookie).not.toBe('');

  const env = { ...service.env, SMTP_URL: `smtp://marque:${SMTP_PASSWORD}@mail.example` };
  const { out } = await runMarque('config --json', env);
  expect(out).toContain('mail.example');
  expect(out).not.toContain(SMTP_PASSWORD);
});
