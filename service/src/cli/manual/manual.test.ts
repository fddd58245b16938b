import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { ioWith } from '../../testing/io.ts';
import { runCli } from '../program.ts';

async function printed(...words: string[]): Promise<string> {
  const io = ioWith();
  expect(await runCli(words, io)).toBe(0);
  return io.stdout.text;
}

test('the page for man that is shipped is that of the program; npm run manual writes it', async () => {
  const shipped = readFileSync(new URL('../../../man/marque.1', import.meta.url), 'utf8');
  expect(await printed('help', '--man')).toBe(shipped);
});

test('the page for man has every command, and no line that could be taken for a request of its own', async () => {
  const page = await printed('help', '--man');
  for (const command of ['serve', 'decode', 'key create', 'db backup', 'completion']) {
    expect(page).toContain(`\n.SS marque ${command}\n`);
  }
  const requests = page.split('\n').flatMap((line) => /^[.'](\S+)/.exec(line)?.[1] ?? []);
  expect([...new Set(requests)].toSorted()).toEqual(['B', 'PP', 'SH', 'SS', 'TH', 'TP', '\\"', 'fi', 'nf'].toSorted());
});

test.each([
  ['help', 'key', 'create'],
  ['key', 'create', '--help'],
  ['key', 'create', '-h'],
])('the page of a command has what it takes, what it reads and how it ends: %s %s %s', async (...words) => {
  const page = await printed(...words);
  expect(page.match(/^[A-Z ]+$/gm)).toEqual([
    'NAME',
    'SYNOPSIS',
    'DESCRIPTION',
    'OPTIONS',
    'EXIT STATUS',
    'ENVIRONMENT',
  ]);
  expect(page).toContain('marque key create --workspace <slug> --name <name> [options]');
  expect(page).toContain('DATABASE_URL');
  expect(page).not.toContain('STRIPE');
});

test('a page is as wide as its terminal, and styled where that is welcome', async () => {
  const io = ioWith();
  Object.assign(io.stdout, { isTTY: true, columns: 50 });
  await runCli(['decode', '--help'], io);
  expect(io.stdout.text).toContain('\u001B[1mNAME\u001B[22m');
  // oxlint-disable-next-line no-control-regex -- Escapes are what is looked for.
  const lines = io.stdout.text.replaceAll(/\u001B\[\d+m/g, '').split('\n');
  const tooWide = lines.filter((line) => line.length > 50 && !line.trim().startsWith('marque'));
  expect(tooWide).toEqual([]);
  expect(await printed('decode', '--help')).not.toContain('\u001B');
});

test('help for what there is not is wrong usage', async () => {
  const io = ioWith();
  expect(await runCli(['help', 'key', 'nothing'], io)).toBe(2);
  expect(io.stderr.text).toContain('there is no command key nothing');
});
