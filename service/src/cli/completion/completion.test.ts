import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { ioWith } from '../../testing/io.ts';
import { runCli } from '../program.ts';

const run = promisify(execFile);

/** What a real Bash offers after these words; the last one is the one being typed. */
async function offered(...words: string[]): Promise<string[]> {
  const io = ioWith();
  expect(await runCli(['completion', 'bash'], io)).toBe(0);
  const typed = ['marque', ...words].map((word) => `'${word}'`).join(' ');
  const script = `${io.stdout.text}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _marque; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run('bash', ['--norc', '-c', script]);
  return stdout.split('\n').filter((word) => word !== '');
}

test.each([
  ['a command', ['dec'], ['decode']],
  ['a command inside a command', ['workspace', 'c'], ['create']],
  ['an option', ['decode', '--fo'], ['--format']],
  ['an option after values', ['decode', '1HGCM82633A004352', '--exp'], ['--explain']],
  ['a value of an option', ['decode', '--format', 'js'], ['json', 'jsonl']],
  ['nothing where nothing fits', ['decode', '--nothing'], []],
])('Bash completes %s', async (_what, words, expected) => {
  expect(await offered(...words)).toEqual(expected);
});

test('every command is offered', async () => {
  const io = ioWith();
  await runCli(['--help'], io);
  const listed = /\nCommands:\n([^]*?)(?:\n\n|$)/.exec(io.stdout.text)?.[1] ?? '';
  const commands = [...listed.matchAll(/^ {2}([a-z]+)/gm)].flatMap(([, name]) => (name === 'help' ? [] : [name]));
  expect(commands).toContain('decode');
  expect(await offered('')).toEqual(expect.arrayContaining(commands));
});

test('fish is told of every command, option and choice, each under the words that come before it', async () => {
  const io = ioWith();
  expect(await runCli(['completion', 'fish'], io)).toBe(0);
  const script = io.stdout.text;
  for (const line of [
    /^complete -c marque -n '__marque_at \\'\\'' -a 'decode' -d '/m,
    /^complete -c marque -n '__marque_at \\' key\\'' -a 'create' -d '/m,
    /^complete -c marque -n '__marque_at \\' key create\\'' -l workspace -r -d '/m,
    /^complete -c marque -n '__marque_at \\' decode\\'' -l format -r -a 'table json jsonl csv vpic' -d '/m,
    /^complete -c marque -n '__marque_at \\' decode\\'' -l file -r -F -d '/m,
  ]) {
    expect(script).toMatch(line);
  }
  // A quote in a description would end the string.
  for (const line of script.split('\n').filter((each) => each.startsWith('complete'))) {
    expect(line.replaceAll(/\\./g, '').split("'").length % 2).toBe(1);
  }
});
