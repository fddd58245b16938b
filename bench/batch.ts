import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CATALOG_ROOT, ensureCatalog, readLabeled } from '@marque/catalog';
import { openCatalog } from '@marque/decoder';

import { createKey, createWorkspace, systemRandom } from '../service/dist/workspaces/index.js';
import { systemClock } from '../service/dist/kernel/clock.js';
import { readConfig } from '../service/dist/kernel/config/config.js';
import { createLog } from '../service/dist/kernel/http/log.js';
import { openService } from '../service/dist/main.js';

import { type Ratio, thousands } from './ratio.ts';

export const name = 'batch';
export const title = 'POST /api/decode/batch over a socket: VINs a second, each charged durably on SQLite';

const BATCH = 1000;
const ROUNDS = 5;
const BATCHES_A_ROUND = 30;
/** Batches under way at once: the next is decoded while the one before is written. */
const CONNECTIONS = 2;

interface Round {
  perSecond: number;
  /** Processor time of the whole process: service, writing thread and the client of this benchmark. */
  processorUs: number;
  /** Processor time of the thread that decodes and answers, the client's share included. */
  threadUs: number;
}

/** Sends batches of the labeled VINs at full depth; prints the best of some rounds. */
export async function run(print: (line: string) => void): Promise<Ratio[]> {
  const vins = readLabeled(`${CATALOG_ROOT}/facts/labelled/golden.jsonl`).map(({ vin }) => vin);
  const batch = Array.from({ length: BATCH }, (_, index) => vins[index % vins.length] ?? '');
  const decodeUs = decodingUs(batch);
  const ratios: Ratio[] = [];
  for (const accept of ['application/json', 'application/x-ndjson']) {
    const rounds = await measure(batch, accept);
    const best = rounds.reduce((least, round) => (round.threadUs < least.threadUs ? round : least));
    print(
      `${accept.padEnd(21)} ${thousands(best.perSecond)} VINs/s by the clock; ` +
        `${best.threadUs.toFixed(1)} us a VIN on the answering thread: ${thousands(1e6 / best.threadUs)} VINs/s a core; ` +
        `${best.processorUs.toFixed(1)} us with the thread that writes`,
    );
    const ratio = best.threadUs / decodeUs;
    ratios.push({ what: `Answering thread's time a VIN of a batch, ${accept}`, beside: 'decoding it', ratio });
  }
  return ratios;
}

/** Measures the time to decode one of these VINs, without a service. */
function decodingUs(vins: readonly string[]): number {
  const decoder = openCatalog(ensureCatalog().file);
  // All rounds together: one batch takes less than the resolution of the clock of processor time.
  const before = process.threadCpuUsage();
  for (let round = 0; round < BATCHES_A_ROUND; round++) for (const vin of vins) decoder.decode(vin);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / (BATCHES_A_ROUND * vins.length);
}

async function measure(batch: readonly string[], accept: string): Promise<Round[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'marque-bench-'));
  const reading = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  if (reading.kind === 'faulty') throw new Error(reading.faults.join(' '));
  const service = await openService(reading.config, openCatalog(ensureCatalog().file), createLog('warn'));
  try {
    const deps = { database: service.database, clock: systemClock, random: systemRandom };
    const created = await createWorkspace(
      deps,
      { slug: 'bench', plan: 'enterprise', limit: { kind: 'plan' } },
      'cli:test',
    );
    if (created.kind !== 'created') throw new Error(created.kind);
    const { key } = await createKey(deps, { workspaceId: created.workspace.id, name: 'bench' }, 'cli:test');
    const origin = await service.app.listen({ host: '127.0.0.1', port: 0 });
    const headers = { 'x-api-key': key, 'content-type': 'application/json', accept };
    const call = { url: `${origin}/api/decode/batch`, headers, body: JSON.stringify({ vins: batch }) };
    await round(call);
    const rounds: Round[] = [];
    for (let count = 0; count < ROUNDS; count++) rounds.push(await round(call));
    return rounds;
  } finally {
    await service.close();
    rmSync(dataDir, { recursive: true });
  }
}

async function round({
  url,
  headers,
  body,
}: {
  url: string;
  headers: Record<string, string>;
  body: string;
}): Promise<Round> {
  let left = BATCHES_A_ROUND;
  const [started, whole, thread] = [performance.now(), process.cpuUsage(), process.threadCpuUsage()];
  const call = async (): Promise<void> => {
    while (left-- > 0) {
      const response = await fetch(url, { method: 'POST', headers, body });
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, call));
  const count = BATCHES_A_ROUND * BATCH;
  const seconds = (performance.now() - started) / 1000;
  const [wholeUsed, threadUsed] = [process.cpuUsage(whole), process.threadCpuUsage(thread)];
  return {
    perSecond: count / seconds,
    processorUs: (wholeUsed.user + wholeUsed.system) / count,
    threadUs: (threadUsed.user + threadUsed.system) / count,
  };
}
