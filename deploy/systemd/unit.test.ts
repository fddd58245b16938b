import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { effectiveSettings } from '../../service/src/kernel/config/config.ts';
import { freePort } from '../../service/src/testing/free-port.ts';
import { type Program, start, untilReady } from '../testing/program.ts';
import { readEnvironmentFile, readUnit } from '../testing/unit-file.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'deploy', 'systemd');
const unit = readUnit(readFileSync(join(folder, 'marque.service'), 'utf8'));
const settings = readFileSync(join(folder, 'marque.env'), 'utf8');

/** The service ends by itself within this time. */
const STOPS_WITHIN_SECONDS = 25;

let state: string;
let programs: Program[];

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'marque-state-'));
  programs = [];
});

afterEach(() => {
  for (const { child } of programs) child.kill('SIGKILL');
  rmSync(state, { recursive: true, force: true });
});

/** Returns the last value of a directive of the service. */
function directive(name: string): string {
  const value = unit['Service']?.[name]?.at(-1);
  if (value === undefined) throw new Error(`The unit has no ${name}.`);
  return value;
}

/** Returns how a file tells the C library to allocate memory. */
function tunables(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return Array.from(text.matchAll(/TUNABLES(?:=| = ')(glibc[\w.:=]+)/g), ([, value = '']) => value);
}

/** Runs a command line of the unit as systemd would, with this clone for /opt/marque and a folder for /var/lib. */
function run(commandLine: string, given: Record<string, string>): Program {
  const own = Object.fromEntries(
    directive('Environment')
      .split(' ')
      .map((pair) => pair.split('=')),
  );
  const env: Record<string, string> = { ...own, ...readEnvironmentFile(settings), ...given };
  const program = start({
    command: commandLine.split(' ').map((word) => word.replace(/^\/opt\/marque(?=\/)/, root.replace(/\/$/, ''))),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace('%S', state)])),
    cwd: directive('WorkingDirectory').replace('/opt/marque', root),
  });
  programs.push(program);
  return program;
}

test('npm start, the image, the unit and the drills run the service with the same memory allocation', () => {
  const [unitHas] = tunables('deploy/systemd/marque.service');
  expect(unitHas).toContain('mmap_threshold');
  for (const file of ['package.json', 'Dockerfile', 'bench/faults/fleet.ts']) expect(tunables(file)).toEqual([unitHas]);
});

test('the unit starts the service, waits until it is ready, and stops it its way', async () => {
  const port = await freePort();
  const given = { PORT: String(port), METRICS_PORT: '0' };
  mkdirSync(join(state, directive('StateDirectory')), { mode: Number.parseInt(directive('StateDirectoryMode'), 8) });
  const service = run(directive('ExecStart'), given);
  expect(await run(directive('ExecStartPost'), given).ended).toEqual({ status: 0, printed: '' });
  await untilReady(service, `http://127.0.0.1:${port}`);
  const answer = await fetch(`http://127.0.0.1:${port}/api/decode`, {
    method: 'POST',
    body: new Blob(['{"vin":"1HGCM82633A004352"}']),
  });
  expect(await answer.json()).toMatchObject({ report: { manufacturer: 'Honda' } });
  expect(readdirSync(join(state, 'marque'))).toContain('marque.db');

  expect(directive('KillSignal')).toBe('SIGTERM');
  service.child.kill('SIGTERM');
  expect(await service.ended).toEqual({ status: 0, printed: expect.stringContaining('"msg":"stopped"') });
  expect(await run(directive('ExecStartPost').replace(/--wait \d+/, '--wait 0'), given).ended).toMatchObject({
    status: 1,
  });
});

test('systemd waits as long as the service needs, to start and to stop', () => {
  const wait = Number(/--wait (\d+)$/.exec(directive('ExecStartPost'))?.[1]);
  expect(Number(directive('TimeoutStartSec'))).toBeGreaterThan(wait);
  expect(Number(directive('TimeoutStopSec'))).toBeGreaterThan(STOPS_WITHIN_SECONDS);
});

test('systemd starts the service again for as long as its database is away, and not at once', () => {
  expect(unit['Unit']?.['StartLimitIntervalSec']).toEqual(['0']);
  expect(directive('Restart')).toBe('on-failure');
  expect(Number(directive('RestartSec'))).toBeGreaterThanOrEqual(2);
});

test('a process that unpacks a file and needs too much memory ends alone', () => {
  expect(directive('OOMPolicy')).toBe('continue');
});

test('the service may write to its own folder alone, gains no rights, and may compile as V8 does', () => {
  expect(unit['Service']).toMatchObject({
    User: ['marque'],
    ProtectSystem: ['strict'],
    ProtectHome: ['yes'],
    NoNewPrivileges: ['yes'],
    CapabilityBoundingSet: [''],
    PrivateTmp: ['yes'],
    PrivateDevices: ['yes'],
    RestrictNamespaces: ['yes'],
    SystemCallFilter: ['@system-service', '~@privileged @resources'],
    MemoryDenyWriteExecute: ['no'],
  });
  expect(Object.keys(unit['Service'] ?? {}).filter((name) => /^(?:ReadWritePaths|BindPaths)$/.test(name))).toEqual([]);
});

test('the file of settings names only settings that there are, also in its comments', () => {
  const named = [...settings.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
  const known = new Set(effectiveSettings({}).map(({ name }) => name));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => name === undefined || !known.has(name))).toEqual([]);
  expect(directive('EnvironmentFile')).toBe('-/etc/marque/marque.env');
});

test('an upgrade touches no file of the running service, keeps its imports, and can be repeated', () => {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const [, steps = ''] = /A new version[^]*?```sh\n([^]*?)```/.exec(readme) ?? [];
  const opt = join(state, 'opt');
  const bin = join(state, 'bin');
  mkdirSync(join(opt, 'marque', 'catalog', 'build'), { recursive: true });
  mkdirSync(bin);
  writeFileSync(join(opt, 'marque', 'version'), 'installed');
  writeFileSync(join(opt, 'marque', 'catalog', 'build', 'imports'), '');
  // Each stands in for the command of its name, and prints the version that the unit would run at that moment.
  const programs = {
    git: 'mkdir -p "$3/catalog" && echo "$NEW" > "$3/version"; did="git $1"',
    npm: 'did="npm $* of $(cat version)$(ls catalog/build 2>/dev/null | sed "s/^/ with /")"',
    systemctl: 'did="systemctl $*"',
  };
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\necho "$(cat ${opt}/marque/version): $did"\n`, {
      mode: 0o755,
    });
  const upgrade = (version: string): string[] => {
    const env = { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`, NEW: version };
    const script = steps.replaceAll('/opt/', `${opt}/`);
    const { stdout } = spawnSync('sh', ['-e', '-c', script], { cwd: state, env, encoding: 'utf8' });
    return stdout.trim().split('\n');
  };
  for (const [before, after] of [
    ['installed', 'second'],
    ['second', 'third'],
  ] as const)
    expect(upgrade(after)).toEqual([
      `${before}: git clone`,
      `${before}: npm ci --omit=dev of ${after}`,
      `${before}: npm run prepare-start of ${after} with imports`,
      `${before}: systemctl stop marque`,
      `${after}: systemctl start marque`,
    ]);
  expect(readdirSync(opt)).toEqual(['marque', 'marque.old']);
});
