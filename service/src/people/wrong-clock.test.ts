import { afterEach, expect, test, vi } from 'vitest';

import { DAY_MS } from '../kernel/clock.ts';
import { Reader } from '../testing/reader.ts';
import { serviceOn } from '../testing/service.ts';
import { until } from '../testing/until.ts';
import { PASSWORD, signUp } from './testing/people.ts';

afterEach(() => {
  vi.useRealTimers();
});

test.each([-40, 40])(
  'by a clock that is %i days ahead of PostgreSQL no session, link or key begins or ends',
  async (days) => {
    await using service = await serviceOn('postgres');
    const reader = await signUp(service, 'ada@example.com', 'acme');
    const key = await service.keyFor('business');
    await service.database.kysely
      .updateTable('api_keys')
      .set({ expires_at: Date.now() + DAY_MS })
      .execute();
    const count = async (table: 'auth_sessions' | 'account_links' | 'public_secrets') =>
      (await service.database.kysely.selectFrom(table).selectAll().execute()).length;
    await service.app.inject('/api/usage');
    const before = await Promise.all([count('auth_sessions'), count('account_links'), count('public_secrets')]);
    const usage = (headers = {}) => service.app.inject({ url: '/api/usage', headers });
    const stranger = new Reader(service.app);

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * DAY_MS });
    const answers = [
      await reader.get('/portal/acme'),
      await stranger.post('/sign-in', { email: 'ada@example.com', password: PASSWORD }),
      await stranger.post('/sign-up', { email: 'bob@example.com', slug: 'bob-motors' }),
      await usage({ 'x-api-key': key }),
      await usage(),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503, 503, 503]);
    expect((await stranger.get('/')).statusCode).toBe(200);

    // By now PostgreSQL's clock was looked at, so that no look by the wrong one is under way when it is set.
    await until(async () => service.logged().includes("PostgreSQL's. Set both"));
    vi.useRealTimers();
    await until(async () => (await reader.get('/portal/acme')).statusCode !== 503);
    expect((await reader.get('/portal/acme')).statusCode).toBe(200);
    expect((await usage({ 'x-api-key': key })).statusCode).toBe(200);
    expect(await Promise.all([count('auth_sessions'), count('account_links'), count('public_secrets')])).toEqual(
      before,
    );
  },
);
