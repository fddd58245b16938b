import { fastify } from 'fastify';
import { expect, test, vi } from 'vitest';

import { makeInTurns, PageToMake } from './page-turns.ts';

test('a page that is made and not yet read keeps its person from no other page', async () => {
  const app = fastify();
  app.decorateRequest('viewer', undefined);
  app.addHook('onRequest', async (request) => {
    request.viewer = { id: 'ada', isAdministrator: false };
  });
  makeInTurns(app, { turns: { next: async () => {} }, networkOf: () => 'network', recheck: async () => {} });
  const { promise: read, resolve: readAll } = Promise.withResolvers<void>();
  let made = 0;
  app.addHook('onSend', async () => {
    made += 1;
    await read;
  });
  app.get('/', (_request, reply) => reply.type('text/html').send(new PageToMake(() => 'page')));
  const first = Array.from({ length: 20 }, () => app.inject('/'));
  await vi.waitFor(() => expect(made).toBe(20));
  const next = app.inject('/');
  await vi.waitFor(() => expect(made).toBe(21));
  readAll();
  const answers = await Promise.all([...first, next]);
  expect(answers.filter(({ statusCode, body }) => statusCode === 200 && body === 'page')).toHaveLength(21);
  await app.close();
});
