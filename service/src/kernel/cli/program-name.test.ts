import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

import { expect, test } from 'vitest';

import { ioWith } from '../../testing/io.ts';
import { calledAs, withProgram } from './program-name.ts';
import { runCli } from '../../cli/program.ts';

test.each([
  ['installed', '/usr/local/bin/marque', {}, 'marque'],
  ['with npx', '/clone/node_modules/.bin/marque', { npm_command: 'exec' }, 'npx @marque/service'],
  ['from the PATH of an npm script', '/clone/node_modules/.bin/marque', { npm_command: 'run-script' }, 'marque'],
  ['in a clone', '/clone/service/bin/marque.js', {}, 'node service/bin/marque.js'],
  ['from elsewhere', '/opt/marque/service/bin/marque.js', {}, 'node /opt/marque/service/bin/marque.js'],
])('a program that was called %s says so', (_, script, env, called) => {
  expect(calledAs(script, env, '/clone')).toBe(called);
});

test('only commands are named as called, and neither paths nor prose', () => {
  const text = 'See marque key list. A marque keychain; service/bin/marque key; marque is fast.';
  expect(withProgram(text, 'npx x', ['key', 'decode'])).toBe(
    'See npx x key list. A marque keychain; service/bin/marque key; marque is fast.',
  );
});

test.each([
  ['a hint', ['workspace', 'create', 'acme', '--plan', 'free'], 'Next: npx @marque/service key create'],
  ['an error', ['key', 'revoke', 'none'], 'See npx @marque/service key list.'],
  ['usage', ['key', '--help'], 'Usage: npx @marque/service key'],
  ['an example', ['decode', '--help'], '  npx @marque/service decode 1HGCM82633A004352'],
  ['an argument', ['key', 'revoke', '--help'], 'from npx @marque/service key list'],
])('%s shows the program as it was called', async (_, words, shown) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'marque-called-'));
  const io = { ...ioWith('', { DATA_DIR: dataDir }), calledAs: 'npx @marque/service' };
  await runCli(words, io);
  for (const output of [io.stdout, io.stderr]) await finished(output.end());
  rmSync(dataDir, { recursive: true });
  expect(io.stdout.text + io.stderr.text).toContain(shown);
});

test('from the root of the file system, as a service manager calls it, a path stays whole', () => {
  expect(calledAs('/opt/marque/service/bin/marque.js', {}, '/')).toBe('node /opt/marque/service/bin/marque.js');
});
