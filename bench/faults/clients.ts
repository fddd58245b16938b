import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import type { Instance } from './fleet.ts';
import { type Drill, only, onSqlite, served, WARM_DECODES } from './scene.ts';

/** Clients that are slow, or many. */
export const CLIENT_DRILLS: Readonly<Record<string, Drill>> = {
  'slow-clients': ({ folder }) =>
    onSqlite(folder, async (fleet, load) => {
      const slow = await slowClients(only(fleet), 500);
      await served(load, 4 * WARM_DECODES);
      for (const socket of slow) socket.destroy();
      return ['500 connections that send a byte a second or do not read what they asked for'];
    }),
};

/** Half of them send their request a byte a second, half ask for much and read nothing. */
async function slowClients({ origin }: Instance, count: number): Promise<Socket[]> {
  const port = Number(new URL(origin).port);
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      if (index % 2 === 0) {
        const timer = setInterval(() => socket.write('P'), 1_000);
        socket.on('close', () => clearInterval(timer));
      } else {
        socket.pause();
        socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(40));
      }
      return socket;
    }),
  );
}
