import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Instance, residentMib } from './fleet.ts';
import { type Drill, only, onSqlite, served, timed } from './scene.ts';

/** Enough for the service to start and to serve some callers. */
const FEW_FILES = 200;
const MANY_CLIENTS = 1_000;
const HELD_MS = 10_000;

/** Memory that a service under load must do with, and one in which it cannot live. MiB. */
const ROOM_MIB = 320;
const NO_ROOM_MIB = 110;
const FULL_LOAD_MS = 15_000;

/** Drills of a process with too little of one resource. */
export const LIMIT_DRILLS: Readonly<Record<string, Drill>> = {
  'file-descriptors': async ({ folder }) =>
    onSqlite(
      folder,
      async (fleet, load) => {
        const one = only(fleet);
        const saidBefore = one.said.length;
        const sockets = await knock(one, MANY_CLIENTS);
        const before = load.served;
        await sleep(HELD_MS);
        const meanwhile = load.served - before;
        for (const socket of sockets) socket.destroy();
        const healthMs = await timed(async () => untilHealthy(one));
        return [
          `${MANY_CLIENTS} connections held for ${HELD_MS} ms by a process that may open ${FEW_FILES} files`,
          `${meanwhile} decodes meanwhile; health answered ${healthMs} ms after they had gone`,
          `${one.said.length - saidBefore} characters in its log`,
        ];
      },
      { within: ['prlimit', `--nofile=${FEW_FILES}`] },
    ),

  'memory-enough': async ({ folder, afterwards }) => {
    const group = memoryGroup(ROOM_MIB, afterwards);
    return onSqlite(
      folder,
      async (fleet) => {
        await sleep(FULL_LOAD_MS);
        return [`full load in ${ROOM_MIB} MiB: alive, at most ${residentMib(only(fleet).pid, 'VmHWM')} MiB`];
      },
      { within: group.within },
    );
  },

  'memory-too-little': async ({ folder, afterwards }) => {
    const group = memoryGroup(ROOM_MIB, afterwards);
    return onSqlite(
      folder,
      async (fleet, load) => {
        const one = only(fleet);
        group.limitTo(NO_ROOM_MIB);
        const killedMs = await timed(async () => {
          while (one.ended === undefined) await sleep(5);
        });
        const how = one.ended;
        group.limitTo(ROOM_MIB);
        const startMs = await timed(async () => one.start());
        await served(load, 1);
        return [
          `limited to ${NO_ROOM_MIB} MiB: ended by ${how} after ${killedMs} ms; ready again ${startMs} ms after its start`,
        ];
      },
      { within: group.within },
    );
  },
};

/** Opens connections that send nothing; those that are not accepted wait in the kernel. */
async function knock({ origin }: Instance, count: number): Promise<Socket[]> {
  const port = Number(new URL(origin).port);
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.race([Promise.all(sockets.map(async (socket) => once(socket, 'connect'))), sleep(3_000)]);
  return sockets;
}

async function untilHealthy(one: Instance): Promise<void> {
  for (;;) {
    const answer = await fetch(`${one.origin}/healthz`, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok === true) return;
  }
}

/** Creates a control group with a limit of memory: a process in it is killed beyond the limit. */
function memoryGroup(
  limitMib: number,
  afterwards: (work: () => Promise<void>) => void,
): { within: string[]; limitTo: (mib: number) => void } {
  const isOld = existsSync('/sys/fs/cgroup/memory');
  const folder = `/sys/fs/cgroup/${isOld ? 'memory/' : ''}marque-drill-${process.pid}-${Date.now()}`;
  mkdirSync(folder);
  const limitTo = (mib: number): void => {
    const file = isOld ? 'memory.limit_in_bytes' : 'memory.max';
    try {
      writeFileSync(`${folder}/${file}`, String(mib * 2 ** 20));
    } catch (error) {
      // The old kind refuses a limit below the memory in use that cannot be freed: one just above it is exceeded at
      // once.
      if (!isOld) throw error;
      const used = Number(readFileSync(`${folder}/memory.usage_in_bytes`, 'utf8'));
      writeFileSync(`${folder}/${file}`, String(used + 2 ** 20));
    }
  };
  limitTo(limitMib);
  afterwards(async () => rmdirSync(folder));
  return { within: ['sh', '-c', `echo $$ > ${folder}/cgroup.procs && exec "$@"`, 'sh'], limitTo };
}
