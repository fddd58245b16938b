import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { VIN_CHARACTERS } from './characters.ts';
import { readVin } from './form.ts';

/** Any character of Unicode. fast-check's own `binary` makes a table of all 1.1 million first. */
const anyCharacter = fc.nat(0x10_ffff).map((point) => String.fromCodePoint(point).toWellFormed());

const VIN = '1HGCM82633A004352';

function messageOf(text: string): string {
  const form = readVin(text);
  return form.kind === 'malformed' ? form.message : `accepted as ${form.vin}`;
}

describe('written forms are read as the VIN that people mean', () => {
  test.each([
    ['as printed', VIN],
    ['in lower case', VIN.toLowerCase()],
    ['with blanks around it', ` \t${VIN}\r\n`],
    ['in groups with blanks', '1HG CM8263 3A004352'],
    ['in groups with hyphens', '1HG-CM8263-3A004352'],
    ['in groups with dots', '1HG.CM8263.3A004352'],
    ['with no-break spaces and a byte order mark', '\uFEFF1HG\u00A0CM8263\u00A03A004352'],
    ['as a scanner sends Code 39', `*${VIN}*`],
    ['as a scanner sends an imported vehicle', `I${VIN}`],
    ['with all that a scanner adds', ` ]A0*i${VIN}*\r\n`],
    ['behind control characters', `\u0000\u0000\u0000${VIN}\u0001`],
    ['as a cell that a spreadsheet keeps as text', `'${VIN}`],
    ['as a formula of a spreadsheet', `="${VIN}"`],
    ['in full-width characters', '１ＨＧＣＭ８２６３３Ａ００４３５２'],
    ['with the dashes of a word processor', '1HG\u2013CM8263\u20143A004352'],
  ])('%s', (_, text) => {
    expect(readVin(text)).toEqual({ kind: 'vin', vin: VIN });
  });
});

describe('the error of a malformed VIN says which character or length is wrong', () => {
  test.each([
    ['', 'The VIN is empty. Send its 17 characters.'],
    [' - . ', 'The VIN is empty. Send its 17 characters.'],
    ['1HGCM82633A00435', 'A VIN has 17 characters; this one has 16.'],
    ['1HGCM82633A0043521', 'A VIN has 17 characters; this one has 18.'],
    [
      'IHGCM82633A004352',
      'Position 1 of the VIN is "I". A VIN never has the letters I, O, or Q. Did you mean the digit 1?',
    ],
    [
      '1HGCM82633AO04352',
      'Position 12 of the VIN is "O". A VIN never has the letters I, O, or Q. Did you mean the digit 0?',
    ],
    [
      '1hgcm82633aq04352',
      'Position 12 of the VIN is "Q". A VIN never has the letters I, O, or Q. Did you mean the digit 0?',
    ],
    [
      '1HGСM82633A004352',
      'Position 4 of the VIN is "С" (U+0421). It only looks like C; use the letters A-Z and the digits 0-9.',
    ],
    [
      '1HG_M82633A004352',
      'Position 4 of the VIN is "_". A VIN has only the letters A-Z without I, O, and Q, and the digits 0-9.',
    ],
    [
      '1HG\u0000M82633A004352',
      'Position 4 of the VIN is the invisible character U+0000. A VIN has only the letters A-Z without I, O, and Q, and the digits 0-9.',
    ],
    [
      '1HG🚗M82633A004352',
      'Position 4 of the VIN is "🚗" (U+1F697). A VIN has only the letters A-Z without I, O, and Q, and the digits 0-9.',
    ],
    [
      '1HG\uD800M82633A004352',
      'Position 4 of the VIN is the invisible character U+D800. A VIN has only the letters A-Z without I, O, and Q, and the digits 0-9.',
    ],
    [
      'IHGCM8263QAO04352',
      'Positions 1, 10 and 12 of the VIN are "I", "Q" and "O". A VIN never has the letters I, O, or Q. Did you mean the digits 1, 0 and 0?',
    ],
    [
      '1HG_M82633AO0435',
      'Positions 4 and 12 of the VIN are "_" and "O". A VIN has only the letters A-Z without I, O, and Q, and the digits 0-9. A VIN has 17 characters; this one has 16.',
    ],
    [
      '1HG____2633A004352',
      'Positions 4, 5 and 6 of the VIN are "_". 1 more character is wrong too. A VIN has only the letters A-Z without I, O, and Q, and the digits 0-9. A VIN has 17 characters; this one has 18.',
    ],
    [
      '1HGCM82633A00435ß',
      'Position 17 of the VIN is "ß" (U+00DF). A VIN has only the letters A-Z without I, O, and Q, and the digits 0-9.',
    ],
  ])('%j', (text, message) => {
    expect(messageOf(text)).toBe(message);
  });

  test('letters that only become Roman letters when upper-cased are not let in', () => {
    // U+017F upper-cases to S and U+0131 to I: neither was sent.
    expect(messageOf('1HGCM82633A00435\u017F')).toContain('Position 17');
    expect(messageOf('1HGCM82633A00435\u0131')).toContain('Position 17');
  });
});

test('a text without any digit is not a VIN: it is the name of a column', () => {
  for (const header of ['Fahrgestellnummer', 'Understellsnummer']) {
    expect(readVin(header)).toEqual({ kind: 'malformed', message: expect.stringContaining('only letters') });
  }
  expect(readVin('LRW3E7ESXPCXXXXXX').kind).toBe('vin');
});

test('a text of a mebibyte of anything is refused at once with a short message', () => {
  for (const filler of [' ', 'A', '-', '\u0000', '🚗', 'І', '\uD800']) {
    const text = filler.repeat(2 ** 20);
    const before = process.threadCpuUsage();
    expect(messageOf(text).length).toBeLessThan(320);
    // Processor time: a busy machine makes the clock run on meanwhile.
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(50);
  }
});

test('the answer is 17 legal characters or one short message, for any text', () => {
  const hostile = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 300 }), fc.string({ maxLength: 40 }));
  fc.assert(
    fc.property(hostile, (text) => {
      const form = readVin(text);
      const kept = form.kind === 'vin' ? /^[A-HJ-NPR-Z0-9]{17}$/.test(form.vin) : form.message.length < 320;
      expect(kept).toBe(true);
    }),
  );
});

test('every VIN is read as itself, however it is spaced and cased', () => {
  const character = fc.constantFrom(...VIN_CHARACTERS);
  const separator = fc.constantFrom('', '', '', ' ', '-', '.', '\u00A0');
  const written = fc
    .array(fc.tuple(character, fc.boolean(), separator), { minLength: 17, maxLength: 17 })
    .filter((parts) => parts.some(([one]) => /\d/.test(one)));
  fc.assert(
    fc.property(written, (parts) => {
      const vin = parts.map(([character]) => character).join('');
      const text = parts.map(([character, lower, after]) => (lower ? character.toLowerCase() : character) + after);
      expect(readVin(text.join(''))).toEqual({ kind: 'vin', vin });
    }),
  );
});

test('a value that is not a string is refused with a sentence', () => {
  for (const value of [undefined, null, 7, {}, ['1HGCM82633A004352']])
    expect(() => Reflect.apply(readVin, undefined, [value])).toThrow(new TypeError('A VIN must be given as text.'));
});
