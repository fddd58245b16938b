import { afterAll, beforeAll, describe, expect, test } from 'vitest';

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
