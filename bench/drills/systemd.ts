import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { freePort, Instance } from '../faults/fleet.ts';
import { Load } from '../faults/load.ts';
import { served, timed } from '../faults/scene.ts';
import { makeDebian, needRoot } from './debian.ts';
import { account, type Findings, LOAD_COLUMNS, type Stage } from './drill.ts';
import { Program, programOf, versionOf } from './programs.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const UNIT = join(ROOT, 'deploy', 'systemd');
const SYSTEM = { suite: 'trixie', packages: ['dbus', 'libatomic1', 'systemd', 'systemd-sysv'] };
/** As deploy/systemd/README.md has it. */
const COMMAND =
  'systemd-run --pipe --wait --quiet --collect --uid=marque --property=EnvironmentFile=/etc/marque/marque.env ' +
  '--setenv=DATA_DIR=/var/lib/marque /opt/marque/node_modules/.bin/node /opt/marque/service/bin/marque.js';
/** The worst exposure that `systemd-analyze security` may find, of 10. */
const EXPOSED_AT_MOST = 1.5;
const DECODES = 500;

/** The unit under systemd as init: checked, started, killed, restarted under load, and stopped. */
export async function systemd(stage: Stage): Promise<Findings> {
  needRoot();
  const nspawn = programOf('systemd-nspawn', 'systemd-container');
  const root = join(stage.folder, 'root');
  stage.say(`Debian ${SYSTEM.suite} with systemd`);
  await makeDebian(root, { ...SYSTEM, variant: 'minbase' });
  const port = await install(root);
  stage.say('it boots');
  const clone = ROOT.replace(/\/$/, '').replaceAll(':', String.raw`\:`);
  const words = [
    '--quiet',
    '--register=no',
    '--keep-unit',
    '--boot',
    '--console=pipe',
    `--bind-ro=${clone}:/opt/marque`,
  ];
  const booted = await Program.start([nspawn, ...words, '--directory', root]);
  // Its init powers off at this signal.
  stage.afterwards(async () => booted.stop('SIGTERM'));
  const machine = new Machine(booted.pid);
  const one = new Instance({}, port);
  const readyMs = await timed(() => untilReady(one, booted));
  const exposure = await machine.check();
  stage.say(`exposure ${exposure}`);
  const made = await machine
    .marque('workspace create drill --plan enterprise --monthly-limit none')
    .then(() => machine.marque('key create --workspace drill --name drill --json'));
  const { key }: { key: string } = JSON.parse(made);
  const load = new Load([one], key);
  await served(load, DECODES);
  stage.say('its process is killed');
  await machine.run('systemctl kill --kill-whom=main --signal=KILL marque');
  await served(load, DECODES);
  stage.say('it is restarted');
  const restartMs = await timed(() => machine.run('systemctl restart marque'));
  await served(load, DECODES);
  const seen = await load.stop();
  const stopMs = await timed(() => machine.run('systemctl stop marque'));
  const ended = await machine.run('systemctl show --property=Result,NRestarts marque');
  if (!/Result=success/.test(ended)) throw new Error(`It did not stop as it should: ${ended}`);
  const { decodes }: { decodes: number } = JSON.parse(await machine.marque('db verify --json'));
  const version = await machine.run('systemctl --version');
  return {
    columns: ['exposure of 10', 'booted and ready after', 'restart', 'stop', ...LOAD_COLUMNS],
    rows: [
      [exposure, ...[readyMs, restartMs, stopMs].map((ms) => `${(ms / 1e3).toFixed(1)} s`), ...account(seen, decodes)],
    ],
    versions: [version.split('\n')[0] ?? '', `systemd-nspawn of ${versionOf(nspawn)}`],
  };
}

/** Does what deploy/systemd/README.md says. @returns the service's port. */
async function install(root: string): Promise<number> {
  const port = await freePort();
  const options = '--system --home-dir /var/lib/marque --shell /usr/sbin/nologin marque'.split(' ');
  await promisify(execFile)(programOf('useradd', 'passwd'), ['--root', root, ...options]);
  mkdirSync(join(root, 'etc/marque'));
  mkdirSync(join(root, 'opt/marque'), { recursive: true });
  const settings = readFileSync(join(UNIT, 'marque.env'), 'utf8')
    .replace(/^PORT=.*$/m, `PORT=${port}`)
    .replace(/^METRICS_PORT=.*$/m, `METRICS_PORT=${await freePort()}`);
  writeFileSync(join(root, 'etc/marque/marque.env'), settings, { mode: 0o600 });
  copyFileSync(join(UNIT, 'marque.service'), join(root, 'etc/systemd/system/marque.service'));
  await promisify(execFile)('systemctl', ['--root', root, 'enable', 'marque']);
  return port;
}

async function untilReady(one: Instance, booted: Program): Promise<void> {
  const giveUpAt = performance.now() + 300_000;
  while (!(await one.isReady())) {
    if (performance.now() > giveUpAt) throw new Error(`It is not ready: ${booted.written}`);
    await sleep(50);
  }
}

/** A system that systemd runs in. */
class Machine {
  readonly #nspawn: number;

  /** @param nspawn the process of systemd-nspawn, whose child is the system's init. */
  constructor(nspawn: number) {
    this.#nspawn = nspawn;
  }

  /** Runs a command in it. @returns its output. */
  async run(command: string): Promise<string> {
    const [init = ''] = readFileSync(`/proc/${this.#nspawn}/task/${this.#nspawn}/children`, 'utf8').split(' ');
    const into = ['--target', init, '--mount', '--pid', '--uts', '--ipc', '--cgroup', '--root', '--wd=/'];
    return (await promisify(execFile)('nsenter', [...into, '--', ...command.split(' ')])).stdout.trim();
  }

  /** Runs a command of marque as its document says. */
  async marque(words: string): Promise<string> {
    return this.run(`${COMMAND} ${words}`);
  }

  /** Has systemd check the unit. @returns its exposure. @throws Error when it finds a fault. */
  async check(): Promise<string> {
    const faults = await this.run('systemd-analyze verify /etc/systemd/system/marque.service');
    if (faults !== '') throw new Error(faults);
    const report = await this.run('systemd-analyze security --no-pager marque.service');
    const exposure = /exposure level for marque\.service: ([\d.]+)/.exec(report)?.[1];
    if (exposure === undefined || Number(exposure) > EXPOSED_AT_MOST) throw new Error(report);
    return exposure;
  }
}
