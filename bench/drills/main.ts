// `npm run drills -- NAME...`: runs drills with the programs that operators put around Marque, and writes their tables
// into docs/reliability.md. Without a name, it lists them.
import { parseArgs } from 'node:util';

import { type Drill, run } from './drill.ts';
import { writeTable } from './tables.ts';

/** The drills, by name; each is loaded when it is run. */
const DRILLS: Readonly<Record<string, { shows: string; load: () => Promise<Drill> }>> = {
  pgbouncer: {
    shows: 'instances behind PgBouncer in session and in transaction mode, restarted under load',
    load: async () => (await import('./pgbouncer.ts')).pgbouncer,
  },
  failover: {
    shows: 'PostgreSQL behind HAProxy is killed, and its synchronous standby takes over',
    load: async () => (await import('./failover.ts')).failover,
  },
  replication: {
    shows: 'the same with an asynchronous standby: how much a failover loses',
    load: async () => (await import('./failover.ts')).replication,
  },
  upgrade: {
    shows: 'backups and databases of earlier programs are restored, migrated and served',
    load: async () => (await import('./upgrade.ts')).upgrade,
  },
  monitoring: {
    shows: 'Prometheus and Alertmanager with the alerts, while an instance, the mail server and the database go away',
    load: async () => (await import('./monitoring.ts')).monitoring,
  },
  proxies: {
    shows: 'nginx, Apache, HAProxy, Caddy and Varnish with the files of deploy/proxies (2 minutes)',
    load: async () => (await import('./proxies.ts')).proxies,
  },
  image: {
    shows: 'the image, built by buildah and run by podman and runc with a read-only root (root, 10 minutes)',
    load: async () => (await import('./image.ts')).image,
  },
  systemd: {
    shows: 'the unit under systemd as init: checked, killed, restarted under load, stopped (root)',
    load: async () => (await import('./systemd.ts')).systemd,
  },
  overload: {
    shows: 'requests without waiting, costly bodies and hostile workbooks beside a paid caller (3 minutes)',
    load: async () => (await import('./overload.ts')).overload,
  },
  fuzz: {
    shows: 'the tests that draw their input, with far more of it than npm test takes (15 minutes)',
    load: async () => (await import('./fuzz.ts')).fuzz,
  },
  explanations: {
    shows: 'explanations of 100,000 VINs: each answered field has a deciding row with its value',
    load: async () => (await import('./fuzz.ts')).explanations,
  },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'no-write': { type: 'boolean', default: false } },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);

function usage(): string {
  const names = Object.entries(DRILLS).map(([name, { shows }]) => `  ${name.padEnd(12)} ${shows}`);
  return ['npm run drills -- [--no-write] NAME...', ...names].join('\n');
}

async function runAll(): Promise<void> {
  for (const name of positionals) {
    const drill = DRILLS[name];
    if (drill === undefined) throw new Error(`There is no drill "${name}".\n${usage()}`);
    print(`${name}: ${drill.shows}`);
    const findings = await run(await drill.load(), (line) => print(`  ${line}`));
    for (const row of [findings.columns, ...findings.rows]) print(`  ${row.join(' | ')}`);
    if (!values['no-write']) writeTable(name, findings);
  }
}

if (positionals.length === 0) print(usage());
else await runAll();
