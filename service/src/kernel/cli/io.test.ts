import { expect, test } from 'vitest';

import { ioWith } from '../../testing/io.ts';
import { writeList } from './io.ts';

const COLUMNS = {
  Name: ([name]: readonly [string, string]) => name,
  Id: ([, id]: readonly [string, string]) => id,
};

test('columns of a table line up in any alphabet', async () => {
  const io = ioWith();
  await writeList(
    io,
    {},
    [
      ['plain', '1'],
      ['\u8ECA\u4E21', '2'],
      ['e\u0301te\u0301', '3'],
      ['\u{1F697}', '4'],
    ],
    COLUMNS,
  );
  expect(io.stdout.text.split('\n')).toEqual([
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
  const io = ioWith();
  await writeList(
    io,
    {},
    [
      ['\u001B]0;owned\u0007', '1'],
      ['two\nlines', '2'],
    ],
    COLUMNS,
  );
  expect(io.stdout.text.split('\n')).toEqual([
    'Name                 Id',
    '\\u{1b}]0;owned\\u{7}  1',
    'two\\u{a}lines        2',
    '',
  ]);
});
