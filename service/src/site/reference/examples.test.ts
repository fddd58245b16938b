import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type TestService, testService } from '../../testing/service.ts';
import { type Example, examplesFor } from './examples.ts';
import { endpointsByTag, type OpenApi } from './openapi.ts';

let service: TestService;
let origin: string;

beforeAll(async () => {
  service = await testService();
  origin = await service.app.listen({ host: '127.0.0.1', port: 0 });
});

afterAll(() => service[Symbol.asyncDispose]());

/** Printed before what each example prints. */
const MARK = '\u001E';

/**
 * Commands of each language that run several files, one after another: a process for each would take longer to start
 * than to run.
 */
const RUNNERS: Readonly<Record<Example['language'], { extension: string; command: [string, ...string[]] }>> = {
  curl: { extension: 'sh', command: ['bash', '-ec', `for file; do printf '${MARK}'; . "$file"; done`, 'bash'] },
  TypeScript: {
    extension: 'mts',
    command: [
      process.execPath,
      '--eval',
      `(async () => { for (const file of process.argv.slice(1)) { process.stdout.write('${MARK}'); await import(file); } })()`,
    ],
  },
  Python: {
    extension: 'py',
    command: [
      'python3',
      '-c',
      `import runpy, sys\nfor file in sys.argv[1:]:\n  print('${MARK}', end='', flush=True)\n  runpy.run_path(file)`,
    ],
  },
};

const isInstalled = (command: string) => spawnSync(command, ['--version']).status === 0;

/** Runs examples of one language. @returns what each printed. */
async function run(language: Example['language'], codes: readonly string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const { extension, command } = RUNNERS[language];
  const folder = mkdtempSync(join(tmpdir(), 'marque-examples-'));
  const files = codes.map((code, index) => {
    const file = join(folder, `${index}.${extension}`);
    writeFileSync(file, code.replace('curl ', 'curl --silent --show-error --fail '));
    return file;
  });
  const [program, ...words] = command;
  const child = spawn(program, [...words, ...files], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, fault, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  rmSync(folder, { recursive: true });
  const printed = out.split(MARK).slice(1);
  if (status !== 0) throw new Error(`${language} failed in\n${codes[printed.length - 1]}\n${fault}`);
  return printed;
}

function examples(): (Example & { operation: string; needsKey: boolean })[] {
  const api: OpenApi = JSON.parse(JSON.stringify(service.app.swagger()));
  const endpoints = endpointsByTag(api).flatMap((group) => group.endpoints);
  return endpoints.flatMap((endpoint) =>
    examplesFor(api, endpoint, origin).map(({ language, code }) => ({
      language,
      code,
      operation: `${endpoint.method} ${endpoint.path}`,
      needsKey: isKeyNeeded(endpoint.operation.security),
    })),
  );
}

/** An operation that lists no way to send a key is public. */
function isKeyNeeded(ways: readonly object[] = []): boolean {
  return ways.length > 0 && ways.every((way) => Object.keys(way).length > 0);
}

describe('the examples of the reference run as printed', () => {
  test.each([
    ['curl', 'curl'],
    ['TypeScript', process.execPath],
    ['Python', 'python3'],
  ] as const)('in %s', { timeout: 240_000 }, async (language, command) => {
    if (!isInstalled(command)) return;
    // A job has an id of its own: its examples cannot run as printed.
    const own = examples().filter(
      (example) => example.language === language && !example.operation.includes('/api/jobs/{id}'),
    );
    expect(own.length).toBeGreaterThan(3);
    const key = await service.keyFor(
      language === 'curl' ? 'starter' : language === 'Python' ? 'business' : 'enterprise',
    );
    for (const withKey of [true, false]) {
      const some = own.filter(({ needsKey }) => needsKey === withKey);
      const codes = some.map(({ code }) => code);
      const printed = await run(language, codes, withKey ? { MARQUE_KEY: key } : {});
      for (const [index, { operation }] of some.entries())
        expect(printed[index], `${operation} in ${language}`).toMatch(/[{[]/);
    }
    // An example that nobody filled in would be in the address by its name.
    expect(own.filter(({ code }) => /\/(?:vin|wmi|make)(?=['"?\s]|$)/.test(code.replace('/api/vin/', '/')))).toEqual(
      [],
    );
    const decode = own.find(({ operation }) => operation === 'POST /api/decode');
    expect(await run(language, [decode?.code ?? ''], { MARQUE_KEY: key })).toEqual([
      expect.stringContaining('metadata'),
    ]);
  });
});
