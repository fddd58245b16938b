import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { PostgresCluster } from '../../service/dist/testing/postgres-cluster.js';
import { DRILLS } from './drills.ts';
import { charged } from './fleet.ts';
import { overload } from './overload.ts';
import { Soak } from './soak.ts';

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'marque-drill-'));
const INSIDE = 'MARQUE_DRILLS_INSIDE';
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const options = process.argv.slice(2).filter((word) => word.startsWith('--'));
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));

/** Returns the number behind `--name=`. */
function option(name: string, otherwise: number): number {
  const given = options.find((word) => word.startsWith(`--${name}=`));
  return given === undefined ? otherwise : Number(given.slice(name.length + 3));
}

/**
 * Runs the drills in a network and mounts of their own: cuts, full disks and mounts affect no other program, and go
 * with it.
 */
function runInside(): number {
  const again = [process.execPath, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const command = 'ip link set lo up && mount -t tmpfs tmpfs /run && exec "$@"';
  const ran = spawnSync(
    'unshare',
    ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child', 'sh', '-c', command, 'sh', ...again],
    {
      stdio: 'inherit',
      env: { ...process.env, [INSIDE]: 'yes' },
    },
  );
  return ran.status ?? 1;
}

async function runDrills(postgres: PostgresCluster): Promise<void> {
  for (const [name, drill] of Object.entries(DRILLS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const folder = newFolder();
    const endings: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
    const afterwards = (work: () => Promise<void>): void => void endings.unshift(work);
    const { seen, remarks, env, besides = 0 } = await drill({ folder, postgres, afterwards });
    const counted = (await charged(env)) - besides;
    for (const ending of endings) await ending();
    const delivered = seen.statuses['200'] ?? 0;
    const verdict = delivered <= counted && counted <= seen.sent ? 'nothing lost' : 'WRONG';
    print(`\n${name}  (load of the machine ${loadavg()[0]?.toFixed(1)})`);
    print(`  ${JSON.stringify(seen)}`);
    for (const remark of remarks) print(`  ${remark}`);
    print(`  delivered ${delivered}, charged ${counted}: ${verdict}`);
  }
  if (wanted.length === 0 || wanted.includes('overload')) {
    const endings: (() => Promise<void>)[] = [];
    print(`\noverload  (load of the machine ${loadavg()[0]?.toFixed(1)})`);
    await overload(
      newFolder(),
      option('seconds', 60),
      (line) => print(`  ${line}`),
      (work) => void endings.push(work),
    );
    for (const ending of endings) await ending();
  }
  if (wanted.includes('soak')) await soak(postgres);
}

/** Only when it is asked for by name: `soak --minutes=60`. */
async function soak(postgres: PostgresCluster): Promise<void> {
  const minutes = option('minutes', 60);
  await postgres.run('CREATE DATABASE soak');
  await Promise.all([
    new Soak('sqlite', { DATA_DIR: newFolder() }, print).run(minutes),
    new Soak('postgres', { DATA_DIR: newFolder(), DATABASE_URL: postgres.url('soak') }, print).run(minutes),
  ]);
}

if (process.env[INSIDE] === undefined) {
  process.exitCode = runInside();
} else {
  const postgres = await PostgresCluster.start({ durable: true });
  try {
    await runDrills(postgres);
  } finally {
    await postgres.remove();
  }
}
