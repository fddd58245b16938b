import { expect, test } from 'vitest';

import { ioWith } from '../testing/io.ts';
import { writeTable } from './io.ts';

test('columns of a table line up whatever alphabet a name is written in', async () => {
  const { stdout } = ioWith();
  await writeTable(
    stdout,
    ['Name', 'Id'],
    [
      ['plain', '1'],
      ['\u8ECA\u4E21', '2'],
      ['e\u0301te\u0301', '3'],
      ['\u{1F697}', '4'],
    ],
  );
  expect(stdout.text.split('\n')).toEqual([
    'Name   Id',
    'plain  1',
    // Two columns each on a terminal.
    '\u8ECA\u4E21   2',
    'e\u0301te\u0301    3',
    '\u{1F697}     4',
    '',
  ]);
});

test('a name cannot control the terminal that lists it', async () => {
  const { stdout } = ioWith();
  await writeTable(
    stdout,
    ['Name', 'Id'],
    [
      ['\u001B]0;owned\u0007', '1'],
      ['two\nlines', '2'],
    ],
  );
  expect(stdout.text.split('\n')).toEqual([
    'Name                 Id',
    '\\u{1b}]0;owned\\u{7}  1',
    'two\\u{a}lines        2',
    '',
  ]);
});
