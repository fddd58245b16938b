import { connect } from 'node:net';

import { fastify } from 'fastify';
import { expect, test } from 'vitest';

import { until } from '../../testing/until.ts';
import { drainConnections } from './draining.ts';

const CUT_AFTER_MS = 200;
/** More than the buffers of two sockets have room for. */
const LARGE = Buffer.alloc(64 * 2 ** 20, 'x');

test('a closing service does not wait for those who do not take their answers, or send a body slowly', async () => {
  const app = fastify({ forceCloseConnections: 'idle', bodyLimit: LARGE.length });
  drainConnections(app, { begun: false }, CUT_AFTER_MS);
  let asked = 0;
  app.addHook('onRequest', async () => void (asked += 1));
  app.get('/large', () => LARGE);
  app.post('/body', () => 'read');
  await app.listen({ port: 0 });
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const sockets = [
    'GET /large HTTP/1.1\r\nHost: x\r\n\r\n',
    'POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{',
  ].map((head) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(head);
    return socket.pause();
  });
  await until(async () => asked === 2);
  await app.close();
  expect(app.server.listening).toBe(false);
  for (const socket of sockets) socket.destroy();
});
