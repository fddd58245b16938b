import { expect, test } from 'vitest';

import { makeFaults } from './makes.ts';

const FILE = 'decoder/src/settle/wording.ts';

test.each([
  [`if (make === 'BMW') return;`, 'BMW'],
  [`const isStar = /^Mercedes-Benz$/.test(make);`, 'Mercedes-Benz'],
  ['const name = `Land Rover ${model}`;', 'Land Rover'],
  ['const drives = /(?:awd|xdrive)/i;', 'xdrive'],
  [`if (trim === 'e-4ORCE') return;`, 'e-4ORCE'],
])('a make, or a trade name of driven wheels, in the code of the decoder is a fault: %s', (code, make) => {
  expect(makeFaults(FILE, code)).toEqual([`${FILE} names ${make}: write a row of catalog/facts instead`]);
});

test.each([
  [FILE, '/** Writes "E 350" as Mercedes-Benz does. */\nconst a = 1; // BMW'],
  [FILE, `const field = { example: 'Honda' };`],
  [FILE, `const drives = ['AWD', '4x4', 'FWD'];`],
  [FILE, `const types = ['Trailer', 'Light commercial vehicle'];`],
  ['service/src/decode/page.ts', `const example = 'BMW';`],
])('%s may contain %s', (file, code) => {
  expect(makeFaults(file, code)).toEqual([]);
});
