import { setImmediate } from 'node:timers/promises';

import { fastify } from 'fastify';
import { expect, test } from 'vitest';

import { LoopTurns } from '../kernel/limits/loop-turns.ts';
import { WorkTurns } from '../kernel/limits/work-turns.ts';
import { until } from '../testing/until.ts';
import { inTurn } from './in-turn.ts';

test('a page that nobody reads keeps no other waiting', async () => {
  const app = fastify({ forceCloseConnections: true });
  // As one that compresses: the reply is not yet sent when it is returned.
  app.addHook('onSend', async (_request, _reply, payload) => setImmediate(payload));
  const turns = new WorkTurns(new LoopTurns());
  let made = 0;
  app.get('/', (request, reply) =>
    inTurn(turns, request.ip, () => {
      made += 1;
      return reply.send('page');
    }),
  );
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  // As if the buffers of the system were full.
  app.server.on('connection', (socket) => Object.assign(socket, { _write: () => {}, _writev: () => {} }));
  const unread = new AbortController();
  const sent = fetch(origin, { signal: unread.signal });
  await until(async () => made === 1);
  expect((await app.inject('/')).body).toBe('page');
  unread.abort();
  await expect(sent).rejects.toThrow('aborted');
  await app.close();
});
