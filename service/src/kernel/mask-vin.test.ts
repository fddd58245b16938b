import { expect, test, vi } from 'vitest';

import { BYTES, ESCAPED, LISTED, MISTYPED, OTHER, STYLED, VIN, WIDE } from '../testing/vin-forms.ts';
import { maskPart, maskPartIn, maskVinIn, maskVinsIn, maskVinsInValue } from './mask-vin.ts';

test('a VIN is masked however it is written, and nothing else is', () => {
  const text = `vin\n${VIN}\n1hg-cm8 2633.A004352,x\n${OTHER}\nVIN${VIN}_2\n1HG / CM8\u00A02633\u2013A_004352\n${WIDE}\n${[...VIN].join(' '.repeat(12))}`;
  const masked = '1HGCM82633A******';
  expect(maskVinIn(text, VIN)).toBe(
    `vin\n${masked}\n${masked},x\n${OTHER}\nVIN${masked}_2\n${masked}\n${masked}\n${masked}`,
  );
  for (const form of [
    MISTYPED,
    STYLED,
    BYTES,
    ESCAPED.slice(1),
    LISTED.slice(2),
    Buffer.from(VIN.toLowerCase()).toString('hex'),
  ]) {
    expect(maskVinIn(`<${form}>`, VIN)).toBe(`<${masked}>`);
  }
  expect(maskVinIn(Buffer.from(OTHER).toString('hex'), VIN)).toBe(Buffer.from(OTHER).toString('hex'));
});

test('whatever has the form of a VIN is masked before it gets into the audit log, and nothing else is', () => {
  const kept =
    '019ab3c2-7d1e-7c3a-9f53-0d8f2f6a1b11 1766000000000 12345678901234567 INTERNATIONALIZED a1HGCM82633A004352';
  expect(maskVinsIn(`${kept} ${VIN} ${VIN.toLowerCase()}`)).toBe(`${kept} 1HGCM82633A****** 1hgcm82633a******`);
  const written = ['1hg-cm8-2633a-004352', '1HG CM826 3 3A 004352', [...VIN].join(' '), '1HG.CM8_2633A/00 4352', WIDE];
  for (const form of written) {
    expect(maskVinsIn(`see ${form}, then`).toUpperCase()).toBe('SEE 1HGCM82633A******, THEN');
  }
  // The last five characters are not all digits: a right check digit, a letter at 13, groups, and single characters.
  const others = [
    '1HG CM826 23A 00435X',
    'WVW-ZZZ1JZ-3WA-B-1234',
    'scf-ab123-4567-89a-bc',
    [...'WVWZZZ1JZ3WABCDEF'].join(' '),
  ];
  for (const form of others) expect(maskVinsIn(`see ${form}, then`)).toMatch(/^see \w{11}\*{6}, then$/);
  expect(maskVinsIn('WVWZZZ-1JZ-3W-2019-12 of 2019-12-31')).toBe('WVWZZZ1JZ3W****** of 2019-12-31');
  const words = 'sent the 17 letters at 2026-11-28T16:05:25.123Z, by the desk 4 the same car; 2026-11-28 1766000000000';
  expect(maskVinsIn(words)).toBe(words);
  const ids = 'key 4 019ab3c2-7d1e-7c3a-9f53-0d8f2f6a1b11 x, the B2 sent a car 2004';
  expect(maskVinsIn(ids)).toBe(ids);
});

test('a VIN that is escaped in JSON is masked, also in JSON within a text of it', () => {
  const vin = 'WVWZZZ1KZ4W087611';
  for (const gap of ['\n', '\t', '\u0001']) {
    let text = JSON.stringify({ text: `FIN: WVWZZZ1KZ${gap}4W087611` });
    for (let depth = 0; depth < 3; depth++) {
      expect(maskVinIn(text, vin)).not.toMatch('087611');
      text = JSON.stringify([text]);
    }
  }
  for (const other of ['{"a": 1}', '[[', '['.repeat(100_000) + ']'.repeat(100_000)]) {
    expect(maskVinIn(other, vin)).toBe(other);
  }
});

test('a malformed VIN in circled letters is masked, too', () => {
  const [circled, squared] = ['\u24B6', '\u{1F130}'];
  expect(maskPart(`${circled.repeat(11)} ${squared}`)).toBe(`${circled.repeat(11)} ******`);
  expect(maskPartIn(`<${circled.repeat(6)}-${squared.repeat(6)}>`, 'A'.repeat(12))).toBe(
    `<${circled.repeat(6)}-${squared.repeat(5)}******>`,
  );
});

test('the patterns of a VIN are made once for all texts', () => {
  const made = vi.spyOn(globalThis, 'RegExp');
  const texts = Array.from({ length: 100 }, (_, index) =>
    maskVinIn(`${index} wvwzzz-1kzcw00001${index % 10}`, 'WVWZZZ1KZCW000017'),
  );
  expect(made.mock.calls.length).toBeLessThanOrEqual(2);
  made.mockRestore();
  expect(texts.filter((text) => text.endsWith('******')).length).toBe(10);
});

test('no pattern is made for a text that somebody sent for a VIN', () => {
  const made = vi.spyOn(globalThis, 'RegExp');
  const part = '1HGCM8263XA0043';
  const texts = Array.from({ length: 100 }, (_, index) => maskPartIn(`of 1hg-cm8263xa0043${index}`, `${part}${index}`));
  // One for all, unless it was made before.
  expect(made.mock.calls.length).toBeLessThanOrEqual(1);
  made.mockRestore();
  expect(new Set(texts)).toEqual(new Set(['of 1hg-cm8263xa******']));
});

test.each([
  ['as xWDB2030461A701291', 'as xWDB2030461******'],
  ['as WDB2030461A\u00AD701291', 'as WDB2030461A******'],
  ['as WDB\u200D2030461A701291', 'as WDB2030461A******'],
  ['ＷＤＢ２０３０４６１Ａ７０１２９１', 'WDB2030461A******'],
  ['as WDB2030461A\u0301701291', 'as WDB2030461A******'],
  ['as WDB-203.046-1A, 701 291!', 'as WDB2030461A******'],
  ['as wdb2O3O461a7O1291', 'as wdb2O3O461a******'],
  ['Škoda Octavia 1.9 TDI', 'Škoda Octavia 1.9 TDI'],
  ['5008 1.6 THP 155ch BVA6 5PL', '5008 1.6 THP 155ch BVA6 5PL'],
  ['M4COMPETITIONMXDRIVECONVERTIBLE', 'M4COMPETITIONMXDRIVECONVERTIBLE'],
  ['R 1100 S / R 1150 R / R 1150 GS', 'R 1100 S / R 1150 R / R 1150 GS'],
])('a value of a report names no VIN, however it is written: %s', (value, left) => {
  expect(maskVinsInValue(value)).toBe(left);
});
