import { execFile, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { dataFolder } from './testing/data-folder.ts';

const run = promisify(execFile);
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const launcher = join(root, 'service', 'bin', 'marque.js');
const VIN = '1HGCM82633A004352';

let folder: string;

beforeEach(() => {
  folder = dataFolder();
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('decoding a long file takes no more memory than decoding a short one', async () => {
  const file = join(folder, 'vins.txt');
  writeFileSync(file, `${VIN}\n`.repeat(100_000));
  // The reports are 50 MB together: what piled up would not fit.
  const words = ['--max-old-space-size=48', launcher, 'decode', '--file', file, '--format', 'jsonl'];
  const env = { PATH: process.env['PATH'] };
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let lines = 0;
  for await (const chunk of child.stdout) lines += String(chunk).split('\n').length - 1;
  expect(lines).toBe(100_000);
});

test('a reader that closes the pipe early ends a long decode quietly', async () => {
  const env = { PATH: process.env['PATH'], HOME: folder };
  const command = `yes ${VIN} | head -n 200000 | "${process.execPath}" "${launcher}" decode --file - --format jsonl | head -n 1`;
  const { stdout, stderr } = await run('bash', ['-o', 'pipefail', '-c', `${command} || [ $? -eq 141 ]`], { env });
  expect(JSON.parse(stdout)).toMatchObject({ vin: VIN });
  expect(stderr).toBe('');
});

/** Prints the packages that a process loaded, and the most memory that it took, in KiB. */
const TELL_COST = `--import=data:text/javascript,${encodeURIComponent(`
  import { existsSync, readFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const packages = new Set();
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      // A workspace is linked, so its address is not in node_modules.
      const name = found.url.match(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/)?.[1] ?? specifier.match(/^@marque\\/.*/)?.[0];
      if (name) packages.add(name);
      return found;
    },
  });
  // Linux counts the process that started this one into maxRSS, so its own peak is read there.
  const status = '/proc/self/status';
  const own = () => Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync(status, 'utf8'))[1]);
  process.on('exit', () => {
    const peakKiB = existsSync(status) ? own() : process.resourceUsage().maxRSS;
    process.stderr.write(JSON.stringify({ packages: [...packages], peakKiB }));
  });
`)}`;

test('a decode loads nothing of the service, and takes under 100 MiB', async () => {
  const env = { PATH: process.env['PATH'], NODE_OPTIONS: TELL_COST };
  const peaks: number[] = [];
  for (let round = 0; round < 5; round++) {
    const { stderr } = await run(process.execPath, [launcher, 'decode', VIN], { env });
    const cost: { packages: string[]; peakKiB: number } = JSON.parse(stderr);
    expect(cost.packages).toEqual(['commander', '@marque/catalog/paths']);
    peaks.push(cost.peakKiB);
  }
  // The least of several: on a busy machine garbage is collected later, and a run takes more.
  expect(Math.min(...peaks)).toBeLessThan(100 * 1024);
});

test('compiled modules are kept for the next start', async () => {
  const env = { PATH: process.env['PATH'], NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
  await run(process.execPath, [launcher, 'decode', VIN], { env });
  const { stderr } = await run(process.execPath, [launcher, 'decode', VIN], { env });
  expect(stderr).toMatch(/bundle\/chunks\/decode-\S+\.js.* was accepted/);
});

test('npm scripts run on the pinned runtime, whichever the machine has', async () => {
  const machine = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  const options = { cwd: root, env: { PATH: machine.join(':'), HOME: folder } };
  const { stdout } = await run('npm', ['exec', '--offline', '--', 'node', '--version'], options);
  expect(stdout).toMatch(/^v26\./);
});

test('no npm script relies on a pre or post script: with ignore-scripts npm leaves those out without a word', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const hooks = Object.keys(scripts).filter(
    (name) => /^(?:pre|post)/.test(name) && name.replace(/^(?:pre|post)/, '') in scripts,
  );
  expect(hooks).toEqual([]);
});
