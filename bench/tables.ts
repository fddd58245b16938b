import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, createWriteStream, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { distinctVins } from './distinct-vins.ts';
import type { Ratio } from './ratio.ts';
import { median } from './running.ts';

export const name = 'tables';
export const title =
  'A million rows of twelve columns, from CSV to CSV, beside reading and writing them with the same library (taking turns, median)';

const ROWS = Number(process.env['MARQUE_BENCH_ROWS'] ?? 1_000_000);
const ROUNDS = Number(process.env['MARQUE_BENCH_ROUNDS'] ?? 3);

/** The folder of another build that takes its turns as well, such as the one before a change. */
const OTHER = process.env['MARQUE_BENCH_OTHER'];

const CLI = fileURLToPath(new URL('../service/bundle/cli.js', import.meta.url));
const PEER = fileURLToPath(new URL('rewrite-table.ts', import.meta.url));

/** The time and the memory that a program takes. */
interface Cost {
  seconds: number;
  processorSeconds: number;
  mib: number;
}

/** `marque decode --file` of a CSV table, on all cores. */
export async function run(print: (line: string) => void): Promise<Ratio[]> {
  const folder = mkdtempSync(join(tmpdir(), 'marque-bench-'));
  const file = join(folder, 'cars.csv');
  const programs: Record<string, string[]> = { peer: [PEER, file], marque: [CLI, 'decode', '--file', file] };
  if (OTHER !== undefined) {
    programs['other'] = [join(OTHER, 'service/bundle/cli.js'), 'decode', '--file', file, '--column', 'VIN'];
  }
  const costs: Record<string, Cost[]> = {};
  try {
    await writeTable(file);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [program, words] of Object.entries(programs))
        (costs[program] ??= []).push(await costOf(folder, words));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const figure = (program: string, of: keyof Cost): number => median((costs[program] ?? []).map((cost) => cost[of]));
  for (const program of Object.keys(programs)) {
    const [seconds, processor, mib] = [
      figure(program, 'seconds'),
      figure(program, 'processorSeconds'),
      figure(program, 'mib'),
    ];
    print(
      `${program.padEnd(8)} ${seconds.toFixed(1)} s, ${processor.toFixed(1)} s of processor time, ${mib.toFixed(0)} MiB`,
    );
  }
  const what = `A table of ${ROWS.toLocaleString('en-US')} rows from CSV to CSV`;
  const beside = 'reading and writing it with csv-parse';
  return [
    {
      what,
      beside,
      ratio: figure('marque', 'seconds') / figure('peer', 'seconds'),
      aim: '≤ 2',
      users: {
        question: 'How long does `marque decode --file` take for a CSV table of a million rows and twelve columns?',
        answer: `${figure('marque', 'seconds').toFixed(1)} s, ${figure('marque', 'mib').toFixed(0)} MiB`,
      },
    },
    {
      what: `${what}, processor time`,
      beside,
      ratio: figure('marque', 'processorSeconds') / figure('peer', 'processorSeconds'),
    },
  ];
}

async function writeTable(file: string): Promise<void> {
  const output = createWriteStream(file);
  output.write('id,plate,VIN,make,registered,mileage,price,fuel,city,owner,note,active\n');
  let chunk = '';
  for (const [index, vin] of distinctVins(ROWS).entries()) {
    const day = String((index % 28) + 1).padStart(2, '0');
    chunk += `${index},HH-AB ${index % 10_000},${vin},Honda,2021-05-${day},${index % 300_000},${(index % 50_000) + 0.5},petrol,Würzburg,Ann Owner,"seen, ok",true\n`;
    if (chunk.length < 1_000_000) continue;
    if (!output.write(chunk)) await once(output, 'drain');
    chunk = '';
  }
  output.end(chunk);
  await once(output, 'finish');
}

/** Runs a script with its output going to a file. */
async function costOf(folder: string, words: readonly string[]): Promise<Cost> {
  const output = openSync(join(folder, 'output.csv'), 'w');
  const begun = performance.now();
  // The script's own figures, at its end: its threads are in them.
  const child = spawn(process.execPath, ['--import', COSTS, ...words], {
    stdio: ['ignore', output, 'inherit', 'pipe'],
  });
  const figures: Buffer[] = [];
  child.stdio[3]?.on('data', (part: Buffer) => figures.push(part));
  const [status] = await once(child, 'close');
  closeSync(output);
  if (status !== 0) throw new Error(`${words[0]} ended with status ${status}.`);
  const seconds = (performance.now() - begun) / 1000;
  const { userCPUTime, systemCPUTime, maxRSS }: NodeJS.ResourceUsage = JSON.parse(Buffer.concat(figures).toString());
  return { seconds, processorSeconds: (userCPUTime + systemCPUTime) / 1e6, mib: maxRSS / 1024 };
}

const COSTS = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())));
`)}`;
