import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';

import { checkFile } from './decoded.ts';
import { recipe, type Tell, type Workplace } from './recipes.ts';
import { childrenOf, finished, isRunning, print, stop, until } from './running.ts';

/** One worker, two, and two of which one is killed. */
export async function runDask(place: Workplace, tell: Tell): Promise<void> {
  const one = await decodeIn(place, tell, 1, false);
  for (let file = 0; file < place.files; file++) checkFile(place, decodedFile(place, file), file);
  print(`Every one of ${place.rows} rows is as the decoder has it. SHA-256 of the files: ${one}`);
  for (const isKilled of [false, true]) {
    const two = await decodeIn(place, tell, 2, isKilled);
    if (two !== one) throw new Error(`Two workers gave other files: ${two}`);
  }
  print('Two workers gave the same files, also after one of them was killed. No process is left.');
}

/**
 * Decodes the fleet with some workers, one of which is killed when half the files are there. @returns the digest of the
 * output.
 */
async function decodeIn(place: Workplace, tell: Tell, count: number, isKilled: boolean): Promise<string> {
  const [schedulerLine = '', workerLine = ''] = recipe('Dask', 'sh').trim().split('\n');
  for (const file of readdirSync(place.path('decoded'))) rmSync(place.path('decoded', file));
  const scheduler = place.start(`${schedulerLine} --port 0 --no-dashboard`);
  await until(() => existsSync(place.path('scheduler.json')), scheduler);
  const workers = Array.from({ length: count }, () => place.start(`${workerLine} --no-nanny --no-dashboard`));
  const nodes: number[] = [];
  try {
    await Promise.all(workers.map(registered));
    const begun = performance.now();
    const program = place.startPython(recipe('Dask', 'python'));
    const [victim] = workers;
    const killing = async () => {
      await until(() => readdirSync(place.path('decoded')).length >= place.files / 2, program);
      nodes.push(...workers.flatMap(({ pid }) => childrenOf(pid)));
      if (isKilled) victim?.kill('SIGKILL');
    };
    await Promise.all([finished(program), killing()]);
    const killed = isKilled ? ', one of them killed in the middle' : '';
    tell(`Dask, workers: ${count}${killed}`, begun);
    if (nodes.length < count) throw new Error(`${count} workers had ${nodes.length} Node processes.`);
  } finally {
    for (const child of [...workers, scheduler])
      if (child.exitCode === null && child.signalCode === null) await stop(child);
    rmSync(place.path('scheduler.json'), { force: true });
  }
  await until(() => !nodes.some(isRunning));
  const digest = createHash('sha256');
  for (let file = 0; file < place.files; file++) digest.update(decodedFile(place, file));
  return digest.digest('hex');
}

function decodedFile(place: Workplace, file: number): string {
  const digits = String(place.files - 1).length;
  return readFileSync(place.path('decoded', `${String(file).padStart(digits, '0')}.csv`), 'utf8');
}

async function registered(worker: ChildProcess): Promise<void> {
  let printed = '';
  worker.stderr?.on('data', (text: Buffer) => (printed += text.toString()));
  await until(() => printed.includes('Registered to'), worker);
}
