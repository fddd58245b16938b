import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { runCli } from './cli/program.ts';
import { ioWith } from './testing/io.ts';
import { testService } from './testing/service.ts';

const CLONE = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(CLONE, path), 'utf8');
const readme = read('README.md');
const commandLine = read('docs/command-line.md');

test("the README's one request gives the README's answer", async () => {
  const [, vin] = /curl -X POST localhost:8080\/api\/decode -d '\{"vin":"(\w+)"\}'/.exec(readme) ?? [];
  const [, printed = ''] = /```json\n(.*?)```/s.exec(readme) ?? [];
  const { report, usage }: { report: object; usage: { resetAt: string } } = JSON.parse(printed);
  await using service = await testService();
  const response = await service.app.inject({ method: 'POST', url: '/api/decode', payload: { vin } });
  expect(response.json()).toEqual({ report, usage: { ...usage, resetAt: expect.any(String) } });
});

test('docs/command-line.md has every command, and every command there exists', async () => {
  const rows = [...commandLine.matchAll(/^\| `marque (\w+)(.*?)\|/gm)];
  const io = ioWith();
  await runCli(['--help'], io);
  const listed = /\nCommands:\n([^]*?)(?:\n\n|$)/.exec(io.stdout.text)?.[1] ?? '';
  const commands = [...listed.matchAll(/^ {2}([a-z]+)/gm)].flatMap(([, name]) => (name === 'help' ? [] : [name]));
  expect(new Set(rows.map(([, name]) => name))).toEqual(new Set(commands));
});

test('the README has at most 1,000 words', () => {
  // Without the parts that commands write.
  const written = readme.replaceAll(/<!-- Written by[\s\S]*?<!-- End of what it wrote -->/g, '');
  expect(written.split(/\s+/).filter((word) => /\w/.test(word)).length).toBeLessThanOrEqual(1_000);
});

test('the files that documents name or link to exist', () => {
  const documents = globSync(['*.md', 'docs/**/*.md', '{decoder,catalog,service,client,deploy}/*.md'], { cwd: CLONE });
  const missing = documents.flatMap((document) => {
    const text = read(document);
    const named = [...text.matchAll(/`([\w.-]+\/[\w./-]+\.(?:ts|tsx|js|csv|yaml|json|md))`/g)].map(
      ([, path = '']) => path,
    );
    const linked = [...text.matchAll(/\]\((?!\w+:)([^)#\s]+)/g)].map(([, path = '']) => path);
    return [...named, ...linked]
      .filter((path) => !isPlaceholder(path))
      .filter(
        (path) =>
          !['', dirname(document), 'service/src', 'decoder/src', 'catalog/facts/world'].some((folder) =>
            existsSync(join(CLONE, folder, path)),
          ),
      )
      .map((path) => `${document}: ${path}`);
  });
  expect(documents.length).toBeGreaterThan(30);
  expect(missing).toEqual([]);
});

/** `SLICE/slice.ts`, `pages/x.tsx`: the reader puts a name of theirs there. */
function isPlaceholder(path: string): boolean {
  return /(?:^|\/)(?:[A-Z]+\/|x\.)/.test(path);
}
