import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { timed } from '../faults/scene.ts';
import type { Findings, Stage } from './drill.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A test that draws its input, and how much of it a drill lets it draw. */
interface Run {
  test: string;
  promise: string;
  env: Readonly<Record<string, string>>;
}

const RUNS: readonly Run[] = [
  {
    promise: '50,000 requests on each database match the contract',
    test: 'service/src/contract.test.ts',
    env: { MARQUE_FUZZED_REQUESTS: '50000' },
  },
  {
    promise: '10,000,000 VINs: none makes the decoder fail',
    test: 'service/src/decode/any-vin.test.ts',
    env: { MARQUE_DECODED_VINS: '10000000' },
  },
  {
    promise: '500,000 VINs: the compiled facts answer as a plain interpreter does',
    test: 'catalog/src/world/compiled.test.ts',
    env: { MARQUE_COMPARED_VINS: '500000' },
  },
  {
    promise: 'a job of 200,000 rows on each database, killed twice: each row answered and charged once',
    test: 'service/src/files/kill.test.ts',
    env: { MARQUE_KILLED_ROWS: '200000' },
  },
];

const EXPLANATIONS: readonly Run[] = [
  {
    promise: '100,000 VINs: each answered field has a deciding row with its value, which is no alternative',
    test: 'catalog/src/evidence.test.ts',
    env: { MARQUE_EXPLAINED_VINS: '100000' },
  },
];

/** Runs the tests that draw their input with far more of it than `npm test` does. */
export const fuzz = ({ say }: Stage): Promise<Findings> => runAll(RUNS, say);

/** Explains far more VINs than `npm test` does. */
export const explanations = ({ say }: Stage): Promise<Findings> => runAll(EXPLANATIONS, say);

async function runAll(runs: readonly Run[], say: Stage['say']): Promise<Findings> {
  const rows: string[][] = [];
  for (const { promise, test, env } of runs) {
    say(promise);
    const tookMs = await timed(async () => {
      const options = { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } } as const;
      const { status } = spawnSync('npx', ['vitest', 'run', test], options);
      if (status !== 0) throw new Error(`${test} failed.`);
    });
    rows.push([promise, 'held', `${Math.round(tookMs / 1_000)} s`]);
  }
  return { columns: ['promise', 'outcome', 'time'], rows, versions: [`Node ${process.version}`] };
}
