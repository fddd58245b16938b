import { once } from 'node:events';
import { connect } from 'node:net';

import { expect, test, vi } from 'vitest';

import { testService } from './testing/service.ts';
import { until } from './testing/until.ts';
import { Workers } from './workers.ts';

test('a service that stops lets background work end while the last requests are answered, not after them', async () => {
  const service = await testService();
  const closing = vi.spyOn(Workers.prototype, 'close');
  const socket = connect(Number(new URL(await service.app.listen({ port: 0 })).port));
  let isOpen = true;
  socket.on('error', () => {}).on('close', () => (isOpen = false));
  await once(socket, 'connect');
  socket.write('POST /api/decode HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\nExpect: 100-continue\r\n\r\n');
  // It has the request, and waits for its body.
  await once(socket, 'data');
  const closed = service[Symbol.asyncDispose]();
  await until(async () => closing.mock.calls.length > 0);
  expect(isOpen).toBe(true);
  socket.destroy();
  await closed;
});
