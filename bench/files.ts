import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { distinctVins } from './distinct-vins.ts';
import type { Ratio } from './ratio.ts';
import { median } from './running.ts';

export const name = 'files';
export const title =
  'A million VINs from a file, beside reading the lines and writing as much JSON (taking turns, median)';

const VINS = 1_000_000;
const ROUNDS = 3;

const CLI = fileURLToPath(new URL('../service/bundle/cli.js', import.meta.url));
const PEER = fileURLToPath(new URL('write-json.ts', import.meta.url));

/** `marque decode --file` on all cores, and one core that does not decode. */
export async function run(print: (line: string) => void): Promise<Ratio[]> {
  const folder = mkdtempSync(join(tmpdir(), 'marque-bench-'));
  const file = join(folder, 'vins.txt');
  writeFileSync(file, `${distinctVins(VINS).join('\n')}\n`);
  const seconds = { marque: [] as number[], peer: [] as number[] };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      seconds.peer.push(await timed(folder, [PEER, file]));
      seconds.marque.push(await timed(folder, [CLI, 'decode', '--file', file, '--format', 'jsonl']));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const [peer, marque] = [median(seconds.peer), median(seconds.marque)];
  print(`read and write JSON, one core   ${peer.toFixed(1)} s`);
  print(`marque decode, ${availableParallelism()} cores          ${marque.toFixed(1)} s`);
  const what = `A million VINs from a file, ${availableParallelism()} cores`;
  return [
    {
      what,
      beside: 'reading and writing as much on one core',
      ratio: marque / peer,
      aim: '≤ 1.3',
      users: {
        question: 'How long does `marque decode --file` take for a million VINs?',
        answer: `${marque.toFixed(1)} s on ${availableParallelism()} cores`,
      },
    },
  ];
}

/** Runs a script with its output going to a file; gives seconds. */
async function timed(folder: string, words: readonly string[]): Promise<number> {
  const output = openSync(join(folder, 'output.jsonl'), 'w');
  const begun = performance.now();
  const [status] = await once(spawn(process.execPath, words, { stdio: ['ignore', output, 'inherit'] }), 'exit');
  closeSync(output);
  if (status !== 0) throw new Error(`${words[0]} ended with status ${status}.`);
  return (performance.now() - begun) / 1000;
}
