import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { PostgresCluster } from '../../service/dist/testing/postgres-cluster.js';
import { type Outcome, type Scene, served, timed, underLoad } from './scene.ts';

const CUT_MS = 20_000;

const ip = (words: string): unknown => execFileSync('ip', words.split(' '));

/** A machine of its own: a network that reaches others through the drill's, as through a router. */
function machine(name: string, number: number): { host: string; within: string[] } {
  const [router, host] = [`10.99.${number}.1`, `10.99.${number}.2`];
  ip(`netns add ${name}`);
  ip(`link add ${name} type veth peer name eth0 netns ${name}`);
  ip(`addr add ${router}/24 dev ${name}`);
  ip(`link set ${name} up`);
  ip(`-n ${name} addr add ${host}/24 dev eth0`);
  ip(`-n ${name} link set lo up`);
  ip(`-n ${name} link set eth0 up`);
  ip(`-n ${name} route add default via ${router}`);
  return { host, within: ['ip', 'netns', 'exec', name] };
}

/** Sets whether the router between the machines forwards packets. If not, it sends no notice. */
function forward(lets: boolean): void {
  writeFileSync('/proc/sys/net/ipv4/ip_forward', lets ? '1' : '0');
}

/** Nothing passes between instances and PostgreSQL for a while; no connection is refused or reset. */
export async function partition({ folder, afterwards }: Scene): Promise<Outcome> {
  const [database, service] = [machine('database', 1), machine('service', 2)];
  forward(true);
  const postgres = await PostgresCluster.start({ durable: true, ...database });
  afterwards(async () => postgres.remove());
  const env = { DATA_DIR: folder, DATABASE_URL: postgres.url() };
  const act = async (load: Parameters<Parameters<typeof underLoad>[2]>[1]): Promise<string[]> => {
    forward(false);
    const before = load.served;
    await sleep(CUT_MS);
    const meanwhile = load.served - before;
    forward(true);
    const backMs = await timed(async () => served(load, 1));
    return [`cut for ${CUT_MS} ms, ${meanwhile} decodes meanwhile; decodes again ${backMs} ms after it`];
  };
  return underLoad(env, 2, async (_fleet, load) => act(load), service);
}
