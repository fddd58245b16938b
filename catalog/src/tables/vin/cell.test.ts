import { array, assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, test, vi } from 'vitest';

import { readVinAlone, readVinCell, vinWithin } from './cell.ts';

const VIN = '1HGCM82633A004352';
const OTHER = 'WVWZZZ1KZCW000001';
const HEX = '31 48 47 43 4D 38 32 36 33 33 41 30 30 34 33 35 32';

const vinIn = (text: string) => {
  const form = readVinCell(text);
  return form.kind === 'vin' ? form.vin : form.message;
};

describe('marks around a VIN are removed', () => {
  test.each([
    ['a formula of text', `="${VIN}"`],
    ['the apostrophe of a spreadsheet', `'${VIN}`],
    ['quotes of print', `“${VIN}”`],
    ['marks without width', `\u200B${VIN.slice(0, 8)}\u200E${VIN.slice(8)}\uFEFF`],
    ['a no-break space', `${VIN}\u00A0`],
    ['NUL padding', `${VIN}\0\0\0`],
    ['0xFF padding', `${VIN}\u00FF\u00FF`],
    ['Code 39', `*${VIN}*`],
    ['the end of SAE J1939-71, PGN 65260', `${VIN}*`],
    ['the symbology of ISO/IEC 15424', `]A0${VIN}`],
    ['a check character of Code 39 that the reader says it left', `]A1${VIN}S`],
    ['the data identifier of ANSI MH10.8.2', `I${VIN}`],
    ['ISO/IEC 15434', `[)>\u001E06\u001DI${VIN}\u001E\u0004`],
    ['the data element of AAMVA', `VAD${VIN}`],
    ['a whole registration of AAMVA', `@\n\u001E\rAAMVA636000090002RG00410278RGVAD${VIN}\nVAK2003\r`],
    ['signs of multiplication', `×${VIN}×`],
    ['a label', `VIN: ${VIN}`],
    ['a label with groups', 'VIN: 1HG-CM8-2633A004352'],
    ['an address', `https://example.com/car?vin=${VIN}&page=1`],
    ['an address with percent signs', `https://example.com/?q=vin%3D${VIN}`],
    ['JSON', `{"vin":"${VIN}","make":"Honda"}`],
    ['a note', `${VIN} (sold)`],
    ['the same VIN twice', `${VIN} / ${VIN.toLowerCase()}`],
    ['full-width letters', '１ＨＧＣＭ８２６３３Ａ００４３５２'],
  ])('%s', (_, text) => expect(vinIn(text)).toBe(VIN));
});

describe('the answer of a vehicle as hexadecimal digits is read', () => {
  test.each([
    ['its bytes alone', HEX],
    ['without blanks', HEX.replaceAll(' ', '')],
    ['SAE J1979 mode 09', `49 02 01 ${HEX}`],
    ['UDS data identifier F190', `62 F1 90 ${HEX}`],
    [
      'ISO 15765-2 with 11 bits',
      '7E8 10 14 49 02 01 31 48 47\r7E8 21 43 4D 38 32 36 33 33\r7E8 22 41 30 30 34 33 35 32',
    ],
    [
      'its frames in another order',
      '7E8 10 14 49 02 01 31 48 47\n7E8 22 41 30 30 34 33 35 32\n7E8 21 43 4D 38 32 36 33 33',
    ],
    [
      'ISO 15765-2 with 29 bits',
      '18 DA F1 10 10 14 49 02 01 31 48 47\n18 DA F1 10 21 43 4D 38 32 36 33 33\n18 DA F1 10 22 41 30 30 34 33 35 32',
    ],
    ['without blanks and with headers', '7E81014490201314847\n7E821434D3832363333\n7E82241303034333532'],
    ['lines of ELM327', '014\r0: 49 02 01 31 48 47\r1: 43 4D 38 32 36 33 33\r2: 41 30 30 34 33 35 32\r\r>'],
    ['lines of ELM327 with padding', '014\r0:490201314847\r1:434D3832363333\r2:41303034333532\r3:55555555555555'],
    [
      'ISO 9141-2 with headers',
      ['00 00 00 31', '48 47 43 4D', '38 32 36 33', '33 41 30 30', '34 33 35 32']
        .map((data, index) => `48 6B 10 49 02 0${index + 1} ${data} 0F`)
        .join('\n'),
    ],
    ['SAE J1939-21 packets', '01 31 48 47 43 4D 38 32\n02 36 33 33 41 30 30 34\n03 33 35 32 2A FF FF FF'],
    [
      'candump',
      'can0 7E8 [8] 10 14 62 F1 90 31 48 47\ncan0 7E8 [8] 21 43 4D 38 32 36 33 33\ncan0 7E8 [8] 22 41 30 30 34 33 35 32',
    ],
    [
      'candump with the bytes as text',
      [
        "10 14 62 F1 90 31 48 47   '..b..1HG'",
        "21 43 4D 38 32 36 33 33   '!CM82633'",
        `22 41 30 30 34 33 35 32   '"A004352'`,
      ]
        .map((data) => `can0  7E8   [8]  ${data}`)
        .join('\n'),
    ],
    [
      'bytes as text with what ends a line in other alphabets',
      "7E8 10 14 49 02 01 31 48 47 '..I..1HG\u2028x'\n7E8 21 43 4D 38 32 36 33 33 '\u2029'\n7E8 22 41 30 30 34 33 35 32",
    ],
    [
      'a recording that tells the direction',
      [
        '7DF#0209020000000000 T',
        '7E8#1014490201314847 R',
        '7E0#3000000000000000 T',
        '7E8#21434D3832363333 R',
        '7E8#2241303034333532 R',
      ]
        .map((data, index) => `(1700000000.${index}00000) can0 ${data}`)
        .join('\n'),
    ],
  ])('%s', (_, text) => expect(vinIn(text)).toBe(VIN));

  test('a frame alone is not a VIN, although it has 17 digits', () => {
    expect(vinIn('7E8 10 14 49 02 01 31 44')).toMatch(/no whole VIN/);
  });
});

describe('a VIN changed by a spreadsheet is reported, and never decoded', () => {
  test.each([
    ['1.0E+14', /took the VIN for a number/],
    ['1,23457E+16', /took the VIN for a number/],
    ['1.2345678901234E16', /took the VIN for a number/],
    ['1234567890123456.0', /took the VIN for a number/],
    ['12345678901234500', /15 digits/],
    ['Infinity', /too large/],
    ['inf', /too large/],
    ['NaN', /is empty/],
    ['NA', /is empty/],
    ['#NAME?', /an error of a spreadsheet/],
    ['#ИМЯ?', /an error of a spreadsheet/],
    ['#N/A', /is empty/],
    ['#REF!', /an error of a spreadsheet/],
    ['###########', /an error of a spreadsheet/],
    ['Err:508', /an error of a spreadsheet/],
    ['FAHRGESTELLNUMMER', /has digits/],
    [`${VIN} ${OTHER}`, /more than one VIN/],
    ['order 20240501123045123', /Position 1/],
  ])('%s', (text, says) => {
    expect(readVinCell(text)).toMatchObject({ kind: 'malformed', message: expect.stringMatching(says) });
  });

  test('a VIN of digits, and one with E among them, are VINs', () => {
    for (const vin of ['11111111111111111', '12345678901234567', '1234567E901234567']) expect(vinIn(vin)).toBe(vin);
  });
});

test('a text with one VIN names it, where the VIN is asked for alone', () => {
  expect(vinWithin(`VIN: ${VIN}`)).toBe(VIN);
  expect(vinWithin(VIN)).toBeUndefined();
  expect(vinWithin(`${VIN} ${OTHER}`)).toBeUndefined();
  expect(vinWithin('nothing')).toBeUndefined();
});

test('a recording with more lines than an answer has around it is not searched', () => {
  const answer = '7E8 10 14 49 02 01 31 48 47\n7E8 21 43 4D 38 32 36 33 33\n7E8 22 41 30 30 34 33 35 32';
  expect(vinIn(`${'0\n'.repeat(90)}${answer}`)).toBe(VIN);
  expect(readVinCell(`${'0\n'.repeat(100)}${answer}`).kind).toBe('malformed');
});

test('a long text that was sent for a VIN is not searched for one', () => {
  expect(vinWithin(`${VIN}${' '.repeat(496)}`)).toBeUndefined();
  expect(vinWithin(`${'x '.repeat(247)} ${VIN}`)).toBe(VIN);
  expect(vinWithin(`${'x '.repeat(248)} ${VIN}`)).toBeUndefined();
  expect(readVinAlone(`${'x '.repeat(248)} ${VIN}`)).toMatchObject({ message: expect.not.stringContaining(VIN) });
});

test('only wide characters are normalized, and no marks between them', () => {
  using normalized = vi.spyOn(String.prototype, 'normalize');
  readVinCell(`\uFF11${'\u0345\u0334'.repeat(1_000)}\uFF12`);
  expect(normalized.mock.contexts.map(String)).toEqual(['\uFF11', '\uFF12']);
});

test('any text is read within a bounded time, and the VIN read is in it', () => {
  const piece = constantFrom(VIN, '7E8 10 14', '0: 49 02', 'VAD', '%3D', '\0', '"', '×', '-', '1.0E+14', '\n', 'x');
  assert(
    property(array(piece, { maxLength: 12 }), string(), (pieces, rest) => {
      const form = readVinCell(pieces.join('') + rest);
      const isFit = form.kind === 'vin' ? /^[A-HJ-NPR-Z0-9]{17}$/.test(form.vin) : form.message.length < 600;
      expect(isFit).toBe(true);
    }),
  );
});
