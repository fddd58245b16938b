import { spawn, spawnSync } from 'node:child_process';
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

const COMMANDS: Readonly<Record<Example['language'], (code: string) => [string, ...string[]]>> = {
  curl: (code) => ['bash', '-c', code.replace('curl ', 'curl --silent --show-error --fail ')],
  TypeScript: (code) => [process.execPath, '--input-type=module-typescript', '--eval', code],
  Python: (code) => ['python3', '-c', code],
};

const isInstalled = (command: string) => spawnSync(command, ['--version']).status === 0;

async function run(language: Example['language'], code: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const [command, ...words] = COMMANDS[language](code);
  const child = spawn(command, words, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, fault] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (out === '') throw new Error(`${language} gave no answer: ${fault}`);
  return out;
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
    for (const { code, operation, needsKey } of own) {
      expect(await run(language, code, needsKey ? { MARQUE_KEY: key } : {}), `${operation} in ${language}`).toMatch(
        /[{[]/,
      );
    }
    // An example that nobody filled in would stand in the address by its name.
    expect(own.filter(({ code }) => /\/(?:vin|wmi|make)(?=['"?\s]|$)/.test(code.replace('/api/vin/', '/')))).toEqual(
      [],
    );
    const decode = own.find(({ operation }) => operation === 'POST /api/decode');
    expect(await run(language, decode?.code ?? '', { MARQUE_KEY: key })).toContain('metadata');
  });
});
