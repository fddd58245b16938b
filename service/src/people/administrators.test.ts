import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { listAudit } from '../kernel/audit/index.ts';
import { runMarque } from '../testing/run-marque.ts';
import { ENGINES } from '../testing/databases.ts';
import { addSecondFactor, createAdministrator, PASSWORD, resetLink, signUp } from './testing/people.ts';
import { Reader } from '../testing/reader.ts';
import { serviceOn, type TestService } from '../testing/service.ts';

const EMAIL = 'boss@example.com';

describe.each(ENGINES)('an account that exists when its address becomes an administrator on %s', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await serviceOn(engine);
  });

  afterAll(async () => service[Symbol.asyncDispose]());

  test('is opened by the link of the operator alone: session, password, second factor and older links end', async () => {
    const stranger = await signUp(service, EMAIL, 'strange-motors');
    await addSecondFactor(stranger);
    expect((await stranger.get('/account')).statusCode).toBe(200);
    const older = await resetLink(service, EMAIL);

    const link = await createAdministrator(service, EMAIL);
    expect((await stranger.get('/admin')).statusCode).toBe(303);
    expect((await stranger.get('/account')).statusCode).toBe(303);
    const again = new Reader(service.app);
    expect((await again.post('/sign-in', { email: EMAIL, password: PASSWORD })).statusCode).toBe(401);
    expect((await again.post(older, { password: 'another horse battery' })).statusCode).toBe(404);

    const boss = new Reader(service.app);
    const password = 'a staple of the operator';
    expect((await boss.post(link, { password })).statusCode).toBe(303);
    expect((await boss.post('/sign-in', { email: EMAIL, password })).headers.location).not.toContain('code');
    expect((await boss.get('/admin')).headers.location).toBe('/account/second-factor?next=%2Fadmin');
    expect((await stranger.get('/account')).statusCode).toBe(303);
  });
});

describe.each(ENGINES)('an administrator who is removed on %s', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await serviceOn(engine);
  });

  afterAll(async () => service[Symbol.asyncDispose]());

  test('is out at the next request, and after signing in anew an ordinary person of the same workspaces', async () => {
    const leaver = await signUp(service, EMAIL, 'former-motors');
    await leaver.post(await createAdministrator(service, EMAIL), { password: PASSWORD });
    await leaver.post('/sign-in', { email: EMAIL, password: PASSWORD });
    const { recoveryCodes } = await addSecondFactor(leaver);
    expect((await leaver.get('/admin')).statusCode).toBe(200);

    const remove = (email: string) => runMarque(`admin remove --email ${email}`, service.env);
    expect(await remove('Boss@example.com')).toMatchObject({
      status: 0,
      out: `${EMAIL} is no longer an administrator, and is signed out everywhere (sessions ended: 1).\n`,
      err: 'No administrator is left: marque admin create makes one.\n',
    });
    for (const page of ['/admin', '/admin/audit', '/portal/former-motors'])
      expect((await leaver.get(page)).statusCode).toBe(303);

    const again = new Reader(service.app);
    await again.post('/sign-in', { email: EMAIL, password: PASSWORD });
    await again.post('/sign-in/code', { code: recoveryCodes[0] ?? '' });
    expect((await again.get('/portal/former-motors')).statusCode).toBe(200);
    for (const page of ['/admin', '/admin/audit']) expect((await again.get(page)).statusCode).toBe(404);

    expect((await remove(EMAIL)).err).toBe(`${EMAIL} is not an administrator.\n`);
    expect((await remove('nobody@example.com')).err).toBe('No account has the address nobody@example.com.\n');
    const entries = await listAudit(service.database, { subject: `person:${EMAIL}` });
    expect(entries.filter(({ action }) => action === 'administrator.removed')).toEqual([
      expect.objectContaining({ actor: expect.stringMatching(/^cli:/), details: { sessions: 1 } }),
    ]);
  });
});
