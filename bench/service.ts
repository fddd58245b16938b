import { PostgresCluster } from '../service/dist/testing/postgres-cluster.js';
import { type Ratio, thousands } from './ratio.ts';
import {
  answerOf,
  type Load,
  load,
  mainThreadMs,
  median,
  medianPace,
  type Pace,
  processorMs,
  residentMib,
  type Running,
  startBare,
  startService,
} from './running.ts';

export const name = 'service';
export const title =
  'The whole service beside a bare Fastify route with the same bytes (taking turns, median of rounds)';

const ROUNDS = 5;
const INSTANCES = 3;
const LOAD = { connections: 64, seconds: 3 };
const WARM_UP = { connections: 64, seconds: 4 };

/** A server and its measurements. */
interface Measured {
  label: string;
  server: Running;
  paces: Pace[];
  /** Microseconds of processor a request, of all its processes and threads. */
  processorUs: number[];
  /** Microseconds of its main thread a request. */
  mainUs: number[];
}

/**
 * Keyed decodes, every charge durable: on SQLite, with two workers on SQLite and on PostgreSQL, beside a route that
 * does nothing.
 */
export async function run(print: (line: string) => void): Promise<Ratio[]> {
  const cluster = await PostgresCluster.start({ durable: true });
  const running: Measured[] = [];
  const instances: Running[] = [];
  const together: Pace[] = [];
  const add = async (label: string, server: Running): Promise<Measured> => {
    const measured: Measured = { label, server, paces: [], processorUs: [], mainUs: [] };
    running.push(measured);
    return measured;
  };
  try {
    const sqlite = await add('SQLite', await startService());
    const bare = await add('bare Fastify', await startBare(await answerOf(sqlite.server)));
    const workers = await add('SQLite, 2 workers', await startService({ WORKERS: '2' }));
    const postgres = await add('PostgreSQL', await startService({ DATABASE_URL: cluster.url() }));
    for (let i = 0; i < INSTANCES; i++) instances.push(await startService({ DATABASE_URL: cluster.url() }));
    for (const { server } of running) await load(server, WARM_UP);
    await loadAll(instances, WARM_UP);
    for (let round = 0; round < ROUNDS; round++) {
      for (const measured of running) await measure(measured);
      together.push(await loadAll(instances, LOAD));
    }
    for (const measured of running) print(lineOf(measured));
    const all = medianPace(together);
    print(`${INSTANCES} on PostgreSQL    ${Math.round(all.perSecond)}/s   p99 ${all.p99Ms.toFixed(1)} ms`);
    const resident = residentMib(sqlite.server.process);
    if (resident !== undefined) print(`resident on SQLite after it ${resident} MiB`);
    const single = medianPace(postgres.paces);
    return [
      ...ratiosOf(bare, sqlite, workers, postgres),
      {
        what: `Decodes a second, ${INSTANCES} instances on PostgreSQL for one workspace`,
        beside: 'one instance',
        ratio: all.perSecond / single.perSecond,
      },
      {
        what: `p99 of a decode, ${INSTANCES} instances on PostgreSQL for one workspace`,
        beside: 'one instance',
        ratio: all.p99Ms / single.p99Ms,
      },
    ];
  } finally {
    for (const server of [...running.map((measured) => measured.server), ...instances]) await server.close();
    await cluster.remove();
  }
}

/** Loads several instances with the key of the first, as a balancer would: an equal share of the connections each. */
async function loadAll(instances: readonly Running[], { connections, seconds }: Load): Promise<Pace> {
  const key = instances[0]?.key ?? '';
  const share = { connections: Math.round(connections / instances.length), seconds };
  const paces = await Promise.all(instances.map(({ url }) => load({ url, key }, share)));
  return {
    perSecond: paces.reduce((sum, pace) => sum + pace.perSecond, 0),
    p50Ms: median(paces.map(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...paces.map(({ p99Ms }) => p99Ms)),
  };
}

async function measure({ server, paces, processorUs, mainUs }: Measured): Promise<void> {
  const before = [processorMs(server.process), mainThreadMs(server.process)];
  const pace = await load(server, LOAD);
  const after = [processorMs(server.process), mainThreadMs(server.process)];
  paces.push(pace);
  for (const [index, times] of [processorUs, mainUs].entries()) {
    const [from, to] = [before[index], after[index]];
    if (from !== undefined && to !== undefined) times.push(((to - from) * 1000) / (pace.perSecond * LOAD.seconds));
  }
}

function lineOf({ label, paces, processorUs, mainUs }: Measured): string {
  const { perSecond, p99Ms } = medianPace(paces);
  const main = `${median(mainUs).toFixed(0)} of them the main thread's`;
  const processor = `${median(processorUs).toFixed(0)} us of processor a request, ${main}`;
  return `${label.padEnd(18)} ${Math.round(perSecond)}/s   p99 ${p99Ms.toFixed(1)} ms   ${processor}`;
}

function ratiosOf(bare: Measured, sqlite: Measured, workers: Measured, postgres: Measured): Ratio[] {
  const [floor, one, two, other] = [bare, sqlite, workers, postgres].map(({ paces }) => medianPace(paces));
  if (floor === undefined || one === undefined || two === undefined || other === undefined) return [];
  const of = (first: Measured, second: Measured): number => median(first.processorUs) / median(second.processorUs);
  return [
    {
      what: 'Decodes a second, SQLite',
      beside: 'a bare Fastify route',
      ratio: one.perSecond / floor.perSecond,
      aim: '≥ 0.5',
      users: {
        question: 'How many decodes does one process answer over HTTP in a second, each charged and stored?',
        answer: `${thousands(one.perSecond)} on SQLite, ${thousands(other.perSecond)} on PostgreSQL; a bare Fastify route answers ${thousands(floor.perSecond)}`,
      },
    },
    {
      what: 'p99 of a decode, SQLite',
      beside: 'a bare Fastify route',
      ratio: one.p99Ms / floor.p99Ms,
      aim: '≤ 2',
      users: {
        question: `How long does a decode over HTTP take while ${LOAD.connections} clients ask without a pause?`,
        answer: `${one.p50Ms.toFixed(1)} ms (p99 ${one.p99Ms.toFixed(1)} ms)`,
      },
    },
    { what: 'Processor a decode, SQLite', beside: 'a bare Fastify route', ratio: of(sqlite, bare) },
    {
      what: "The main thread's time a decode, SQLite",
      beside: 'a bare Fastify route',
      ratio: median(sqlite.mainUs) / median(bare.mainUs),
    },
    { what: 'Decodes a second, PostgreSQL', beside: 'SQLite', ratio: other.perSecond / one.perSecond },
    { what: 'p99 of a decode, PostgreSQL', beside: 'SQLite', ratio: other.p99Ms / one.p99Ms },
    { what: 'Processor a decode, 2 workers', beside: '1 worker', ratio: of(workers, sqlite), aim: '≤ 1.1' },
    { what: 'Decodes a second, 2 workers', beside: '1 worker', ratio: two.perSecond / one.perSecond },
  ];
}
