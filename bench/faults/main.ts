import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

import { PostgresCluster } from '../../service/dist/testing/postgres-cluster.js';
import { DRILLS } from './drills.ts';
import { marque } from './fleet.ts';
import { overload } from './overload.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const wanted = process.argv.slice(2);

/** What was charged, by the three records of usage; throws where they differ. */
function charged(env: NodeJS.ProcessEnv): number {
  const { decodes }: { decodes: number } = JSON.parse(marque(env, 'db', 'verify', '--json'));
  return decodes;
}

const postgres = await PostgresCluster.start({ durable: true });
try {
  for (const [name, drill] of Object.entries(DRILLS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const folder = mkdtempSync(join(tmpdir(), 'marque-drill-'));
    const { seen, remarks, env } = await drill({ folder, postgres });
    const counted = charged(env);
    const delivered = seen.statuses['200'] ?? 0;
    const verdict = delivered <= counted && counted <= seen.sent ? 'nothing lost' : 'WRONG';
    print(`\n${name}  (load of the machine ${loadavg()[0]?.toFixed(1)})`);
    print(`  ${JSON.stringify(seen)}`);
    for (const remark of remarks) print(`  ${remark}`);
    print(`  delivered ${delivered}, charged ${counted}: ${verdict}`);
  }
  if (wanted.length === 0 || wanted.includes('overload')) {
    const folder = mkdtempSync(join(tmpdir(), 'marque-drill-'));
    print(`\noverload  (load of the machine ${loadavg()[0]?.toFixed(1)})`);
    await overload(folder, (line) => print(`  ${line}`));
    rmSync(folder, { recursive: true });
  }
} finally {
  await postgres.remove();
}
