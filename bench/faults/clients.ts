import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Instance, residentMib } from './fleet.ts';
import type { Load } from './load.ts';
import { type Drill, only, onSqlite, served, timed, WARM_DECODES } from './scene.ts';

const IDLE_CLIENTS = 10_000;
const MEASURED_MS = 8_000;

/** Clients that are slow, or many. */
export const CLIENT_DRILLS: Readonly<Record<string, Drill>> = {
  'idle-clients': async ({ folder }) => {
    return onSqlite(
      folder,
      async (fleet, load) => {
        const one = only(fleet);
        const p99Before = await p99Of(load);
        const before = residentMib(one.pid);
        const { sockets, tookMs } = await idleClients(one, IDLE_CLIENTS);
        const p99With = await p99Of(load);
        const after = residentMib(one.pid);
        const closed = (): number => sockets.filter(({ closed: is }) => is).length;
        const closedAtFirst = closed();
        const goneMs = await timed(async () => {
          while (closed() < sockets.length) await sleep(100);
        });
        return [
          `${IDLE_CLIENTS} connections in ${tookMs} ms; p99 of the others ${p99Before} ms before, ${p99With} ms with them`,
          `${before} MiB before, ${after} MiB with them, ${residentMib(one.pid)} MiB after`,
          `${closedAtFirst} closed meanwhile, all of them ${goneMs} ms later`,
        ];
      },
      { within: ['prlimit', `--nofile=${IDLE_CLIENTS + 2_000}`] },
    );
  },

  'slow-clients': ({ folder }) =>
    onSqlite(folder, async (fleet, load) => {
      const slow = await slowClients(only(fleet), 500);
      await served(load, 4 * WARM_DECODES);
      for (const socket of slow) socket.destroy();
      return ['500 connections that send a byte a second or do not read what they asked for'];
    }),
};

/** Returns the p99 of the load over some seconds, milliseconds. */
async function p99Of(load: Load): Promise<number> {
  load.forgetTimes();
  await sleep(MEASURED_MS);
  return load.p99Ms;
}

/** Connections that had one answer and then ask for nothing; a tenth never asked. From several addresses. */
async function idleClients({ origin }: Instance, count: number): Promise<{ sockets: Socket[]; tookMs: number }> {
  const port = Number(new URL(origin).port);
  const sockets: Socket[] = [];
  const tookMs = await timed(async () => {
    while (sockets.length < count) {
      const some = Array.from({ length: Math.min(200, count - sockets.length) }, (_, index) =>
        connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${1 + (index % 10)}` }).on('error', () => {}),
      );
      await Promise.all(
        some.map(async (socket, index) => {
          await once(socket, 'connect');
          if (index % 10 === 0) {
            socket.resume();
            return;
          }
          socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
          await once(socket, 'data');
          socket.resume();
        }),
      );
      sockets.push(...some);
    }
  });
  return { sockets, tookMs };
}

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
