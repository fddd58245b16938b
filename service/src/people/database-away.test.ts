import { expect, test } from 'vitest';

import { signUp } from './testing/people.ts';
import { PostgresCluster } from '../testing/postgres-cluster.ts';
import { testService } from '../testing/service.ts';

test('while the database is away, pages of someone signed in are 503 and come back with it', async () => {
  const cluster = await PostgresCluster.start();
  try {
    await using service = await testService({ DATABASE_URL: cluster.url() });
    const reader = await signUp(service, 'ada@example.com', 'acme');
    expect((await reader.get('/portal/acme')).statusCode).toBe(200);
    await cluster.stopServer('fast');
    for (const path of ['/', '/docs', '/portal/acme']) {
      const answer = await reader.get(path);
      expect({ path, status: answer.statusCode }).toEqual({ path, status: 503 });
      expect(answer.headers['retry-after']).toBe('2');
    }
    await cluster.startServer();
    expect((await reader.get('/portal/acme')).statusCode).toBe(200);
  } finally {
    await cluster.remove();
  }
});
