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

test('pages of all networks that one customer can have share their turns and their number', async () => {
  const app = fastify();
  app.decorateRequest('viewer', undefined);
  const taken = new Set<string>();
  const next = async ({ id }: { id: string }): Promise<void> => void taken.add(id);
  const networks = ['2001:0db8:0007:0001', '2001:0db8:0007:0002', '2001:0db8:0008:0001', '203.0.113.9'];
  let count = 0;
  const networkOf = (): string => networks[count++ % networks.length] ?? '';
  makeInTurns(app, { turns: { next }, networkOf, recheck: async () => {} });
  app.get('/', (_request, reply) => reply.type('text/html').send(new PageToMake(() => 'page')));
  for (const _ of networks) expect((await app.inject('/')).statusCode).toBe(200);
  expect([...taken]).toEqual(['2001:0db8:0007', '2001:0db8:0008', '203.0.113.9']);
  await app.close();
});
