import { setTimeout as sleep } from 'node:timers/promises';

import { PostgresCluster } from '../service/dist/testing/postgres-cluster.js';
import { testService, type TestService } from '../service/dist/testing/service.js';
import { unknownVin } from '../service/dist/testing/vins.js';

import type { Ratio } from './ratio.ts';

export const name = 'enrichment';
export const title = 'Decodes of known VINs while an enrichment source is down, against no source at all (same run)';

/** Short and many, so that other work on the machine falls on all services alike. */
const SLICES = 80;
const SLICE_MS = 50;
const WARM_UP_SLICES = 10;
const IDLE_MS = 2_000;
const CALLERS = 32;
const WAITING = 100;

const KNOWN = '1HGCM82633A004352';
const NO_SOURCE = { PUBLIC_MONTHLY_LIMIT: '1000000000', LOG_LEVEL: 'silent' };

/** Nothing listens there: every look-up fails at once, so that as many as can be are tried. */
const DOWN = { ...NO_SOURCE, ENRICHMENT_VPIC_URL: 'http://127.0.0.1:9/api' };

/**
 * Runs three services in turns: one without a source, one whose source is down while many VINs wait for it, and another
 * without a source, which shows the noise. Also prints the cost of the waiting work by itself.
 */
export async function run(print: (line: string) => void): Promise<Ratio[]> {
  const ratios: Ratio[] = [];
  for (const engine of ['sqlite', 'postgres'] as const) {
    const cluster = engine === 'postgres' ? await PostgresCluster.start({ durable: true }) : undefined;
    try {
      const place = cluster === undefined ? {} : { DATABASE_URL: cluster.url() };
      await using none = await testService({ ...NO_SOURCE, ...place });
      await using down = await testService({ ...DOWN, ...place });
      await using again = await testService({ ...NO_SOURCE, ...place });
      for (let serial = 0; serial < WAITING; serial++) await decode(down, unknownVin(serial));
      const { line, ratio } = await compare(engine, none, down, again);
      print(line);
      ratios.push(ratio);
    } finally {
      await cluster?.remove();
    }
  }
  return ratios;
}

async function compare(
  engine: string,
  none: TestService,
  down: TestService,
  again: TestService,
): Promise<{ line: string; ratio: Ratio }> {
  const services = [none, down, again];
  const totals = services.map(() => ({ decodes: 0, wallMs: 0, cpuMs: 0 }));
  for (let slice = -WARM_UP_SLICES; slice < SLICES; slice++) {
    for (const [index, service] of services.entries()) {
      const total = totals[index];
      const { decodes, wallMs, cpuMs } = await load(service);
      if (total === undefined || slice < 0) continue;
      total.decodes += decodes;
      total.wallMs += wallMs;
      total.cpuMs += cpuMs;
    }
  }
  const before = process.cpuUsage();
  await sleep(IDLE_MS);
  const idleMs = millisecondsOf(process.cpuUsage(before)) / (IDLE_MS / 1000);
  const [base = 0, withSource = 0, noise = 0] = totals.map(({ decodes, wallMs }) => wallMs / decodes);
  const [baseCpu = 0, withSourceCpu = 0, noiseCpu = 0] = totals.map(({ decodes, cpuMs }) => cpuMs / decodes);
  const line = [
    engine.padEnd(9),
    `${Math.round(1000 / base)}/s, ${(baseCpu * 1000).toFixed(0)} us of processor a decode`.padEnd(44),
    `source down: time x ${(withSource / base).toFixed(3)}, processor x ${(withSourceCpu / baseCpu).toFixed(3)}`,
    `   (noise ${(noise / base).toFixed(3)}, ${(noiseCpu / baseCpu).toFixed(3)})`,
    `   idle ${idleMs.toFixed(1)} ms/s`,
  ].join('');
  const what = `Processor a decode while a source is down, ${engine}`;
  return { line, ratio: { what, beside: 'no source', ratio: withSourceCpu / baseCpu, aim: '≤ 1.1' } };
}

async function load(service: TestService): Promise<{ decodes: number; wallMs: number; cpuMs: number }> {
  const beganAt = performance.now();
  const before = process.cpuUsage();
  let decodes = 0;
  const callAndCall = async (): Promise<void> => {
    while (performance.now() - beganAt < SLICE_MS) {
      if ((await decode(service, KNOWN)) !== 200) throw new Error('A known VIN was not decoded.');
      decodes += 1;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, callAndCall));
  return { decodes, wallMs: performance.now() - beganAt, cpuMs: millisecondsOf(process.cpuUsage(before)) };
}

function millisecondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

async function decode(service: TestService, vin: string): Promise<number> {
  return (await service.app.inject({ method: 'POST', url: '/api/decode', payload: { vin } })).statusCode;
}
