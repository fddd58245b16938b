import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { colorlessText, harmlessText, visible } from '../kernel/cli/terminal-text.ts';
import { ioWith } from '../testing/io.ts';
import { runCli } from './program.ts';

/** Clears a screen, sets a title, sends what was typed, erases a line, turns the direction, and forges a line. */
const HOSTILE = '\u001B[2J\u001B]0;owned\u0007\u009B6n\b\r\u202Egnp\u2066\u2028\u007F';
const VIN = '1HGCM82633A004352';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'marque-terminal-'));
  const labels = `vin,make,model\n${VIN},Ho${HOSTILE}nda,Acc${HOSTILE}ord\n`;
  writeFileSync(join(folder, 'labels.csv'), labels);
  writeFileSync(join(folder, 'named.csv'), `"V${HOSTILE}IN","no${HOSTILE}te"\n${VIN},"see ${HOSTILE}"\n`);
  writeFileSync(join(folder, 'vins.txt'), `${VIN}\n1HGCM${HOSTILE.replaceAll(/[\r\u2028]/g, '')}\n`);
  writeFileSync(
    join(folder, 'lines.jsonl'),
    `${JSON.stringify({ [`f${HOSTILE}`]: HOSTILE, vin: VIN })}\n{"a": ${HOSTILE}\n`,
  );
  writeFileSync(join(folder, `pa${HOSTILE}th.csv`), `${VIN}\n`);
  writeFileSync(join(folder, 'broken.catalog'), HOSTILE.repeat(9));
  mkdirSync(join(folder, 'data'));
});

afterAll(() => rmSync(folder, { recursive: true }));

const inFolder = (name: string): string => join(folder, name);

test.each([
  ['a VIN', ['decode', `1HG${HOSTILE}`]],
  ['a VIN, as JSON', ['decode', `1HG${HOSTILE}`, '--format', 'json']],
  ['a hint', ['decode', VIN, '--candidates', '--hint', `${HOSTILE}=1`]],
  ['a file of lines', ['decode', '--file', 'vins.txt']],
  ['a file of lines, as CSV', ['decode', '--file', 'vins.txt', '--format', 'csv']],
  ['a header', ['decode', '--file', 'named.csv', '--column', `V${HOSTILE}IN`, '--format', 'csv']],
  ['a column that is not there', ['decode', '--file', 'named.csv', '--column', `no${HOSTILE}`]],
  ['fields of JSON Lines', ['decode', '--file', 'lines.jsonl', '--format', 'jsonl']],
  ['a field that is not there', ['decode', '--file', 'lines.jsonl', '--column', `x${HOSTILE}`]],
  ['a path that is there', ['decode', '--file', `pa${HOSTILE}th.csv`]],
  ['a path that is not there', ['decode', '--file', `none${HOSTILE}`]],
  ['an encoding', ['decode', '--file', 'named.csv', '--encoding', HOSTILE]],
  ['labels', ['catalog', 'learn', 'labels.csv']],
  ['labels of a path that is not there', ['catalog', 'learn', `none${HOSTILE}.csv`]],
  ['a learned folder', ['catalog', 'import', 'learned', `none${HOSTILE}`, '--preview']],
  ['a catalog file', ['catalog', 'diff', 'broken.catalog', `none${HOSTILE}`, '--file', 'vins.txt']],
  ['a backup', ['db', 'restore', 'labels.csv']],
  ['a workspace', ['workspace', 'create', HOSTILE, '--plan', 'free']],
  ['a plan', ['workspace', 'create', 'acme', '--plan', HOSTILE]],
  ['an option', [`--${HOSTILE}`]],
  ['a command', [HOSTILE]],
])('%s of a stranger does not steer the terminal', async (_, words) => {
  const files = new Set(['labels.csv', 'named.csv', 'vins.txt', 'lines.jsonl', 'broken.catalog']);
  const isFile = (word: string): boolean => files.has(word) || word.startsWith('none') || word.startsWith('pa\u001B');
  const io = ioWith('', { DATA_DIR: inFolder('data') });
  Object.assign(io.stdout, { isTTY: true, columns: 80 });
  await runCli(
    words.map((word) => (isFile(word) ? inFolder(word) : word)),
    io,
  );
  await finished(io.stdout.end());
  const printed = io.stdout.text + io.stderr.text;
  expect(printed).not.toBe('');
  // Colors of Marque's own are the only sequences.
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  expect(printed.replaceAll(/\u001B\[(?:0|1|2|22|31|39)m/g, '')).not.toMatch(/[^\P{Cc}\n\t]|[\p{Cf}\u2028\u2029]/u);
});

test('a value within a line keeps to its line, and lines of Marque keep theirs and their colors', () => {
  expect(visible(`a\nb${HOSTILE}`)).toMatch(/^[ -~]+$/);
  const own = '\u001B[1mHonda\u001B[22m\n\tAccord \u8ECA';
  expect(harmlessText(own)).toBe(own);
  expect(harmlessText('\u001B[8m\u009B\u{E0001}')).toBe(String.raw`\u001b[8m\u009b\udb40\udc01`);
  expect(harmlessText('a,b\r\n')).toBe('a,b\n');
  expect(colorlessText('a\t\u001B[31mb\u001B[0m\r\n')).toBe(String.raw`a${'\t'}\u001b[31mb\u001b[0m` + '\n');
  expect(JSON.parse(harmlessText(JSON.stringify(HOSTILE)))).toBe(HOSTILE);
});
