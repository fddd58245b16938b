import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';

import { runCli } from './cli/program.ts';
import { effectiveSettings } from './platform/config/config.ts';
import { Environment } from './platform/config/environment.ts';
import { ioWith } from './testing/io.ts';
import { testService } from './testing/service.ts';

const readme = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');

test("the README's one request gives the README's answer", async () => {
  const [, vin] = /curl -X POST localhost:8080\/api\/decode -d '\{"vin":"(\w+)"\}'/.exec(readme) ?? [];
  const [, printed = ''] = /```json\n(.*?)```/s.exec(readme) ?? [];
  const { report, usage }: { report: object; usage: { resetAt: string } } = JSON.parse(printed);
  await using service = await testService();
  const response = await service.app.inject({ method: 'POST', url: '/api/decode', payload: { vin } });
  expect(response.json()).toEqual({ report, usage: { ...usage, resetAt: expect.any(String) } });
});

test('every setting stands in the README with its default, and every setting of the README exists', () => {
  const named = [...readme.matchAll(/^\| `([A-Z][A-Z_]+)`/gm)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set(effectiveSettings({}).map(({ name }) => name)));
  const inReadme = Object.entries<TSchema & { default?: string | number }>(Environment.properties).map(
    ([name, schema]) => {
      const [, shown] = new RegExp(`^\\| \`${name}\` +\\| +(.*?) +\\|`, 'm').exec(readme) ?? [];
      // What is unset by default is described in words.
      return { name, shown: schema.default === undefined && shown !== undefined ? 'unset' : shown };
    },
  );
  const expected = Object.entries<TSchema & { default?: string | number }>(Environment.properties).map(
    ([name, schema]) => ({
      name,
      shown: schema.default === undefined ? 'unset' : `\`${schema.default}\``,
    }),
  );
  expect(inReadme).toEqual(expected);
});

test('every command stands in the README, and every command of the README exists', async () => {
  const rows = [...readme.matchAll(/^\| `marque (\w+)(.*?)\|/gm)];
  const io = ioWith();
  await runCli(['--help'], io);
  const listed = /\nCommands:\n([^]*?)(?:\n\n|$)/.exec(io.stdout.text)?.[1] ?? '';
  const commands = [...listed.matchAll(/^ {2}([a-z]+)/gm)].flatMap(([, name]) => (name === 'help' ? [] : [name]));
  expect(new Set(rows.map(([, name]) => name))).toEqual(new Set(commands));
});
