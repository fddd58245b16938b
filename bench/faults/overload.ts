import { setTimeout as sleep } from 'node:timers/promises';

import autocannon from 'autocannon';

import { instances, newKey } from './fleet.ts';

const SECONDS = 8;
const TIMES = 3;

/** Capacity by a closed loop, then three times as much, evenly spread; health and sign-in beside it. */
export async function overload(folder: string, print: (line: string) => void): Promise<void> {
  const env = { DATA_DIR: folder, PUBLIC_MONTHLY_LIMIT: '100000000' };
  const [one] = await instances(1, env);
  if (one === undefined) throw new Error('No instance.');
  const key = await newKey(env, 'paid', 'business');
  await one.start();
  const url = `${one.origin}/api/decode`;
  const request = { url, method: 'POST' as const, body: '{"vin":"1HGCM82633A004352"}', duration: SECONDS };
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  const closed = await autocannon({ ...request, headers, connections: 64 });
  const capacity = closed.requests.average;
  print(`capacity ${Math.round(capacity)}/s with 64 callers, p99 ${closed.latency.p99} ms`);

  const beside: number[] = [];
  const over = { is: false };
  const besides = (async () => {
    while (!over.is) {
      for (const path of ['/healthz', '/readyz', '/sign-in']) {
        const began = performance.now();
        const answer = await fetch(`${one.origin}${path}`).catch(() => undefined);
        await answer?.arrayBuffer();
        beside.push(answer?.ok === true ? performance.now() - began : Infinity);
      }
      await sleep(100);
    }
  })();
  const open = await autocannon({ ...request, headers, connections: 1_500, overallRate: Math.round(TIMES * capacity) });
  over.is = true;
  await besides;
  const ok = open['2xx'] / SECONDS;
  print(
    `${TIMES} times as much on 1,500 connections: ${Math.round(ok)}/s answered (${Math.round((100 * ok) / capacity)} %), p99 ${open.latency.p99} ms, statuses ${JSON.stringify(open.statusCodeStats)}, ${open.errors} broken`,
  );
  beside.sort((a, b) => a - b);
  print(`health and sign-in beside it: ${beside.length} asked, slowest ${Math.round(beside.at(-1) ?? 0)} ms`);
  await one.end('SIGTERM');
}
