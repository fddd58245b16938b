import { expect, test, vi } from 'vitest';

import { decodeText, encodingOf, unusualLines } from './encoding.ts';

/** Returns the bytes of a text in an encoding that Node only reads: each byte, or pair of bytes, is looked up. */
function encoded(text: string, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding);
  const table = new Map<string, number[]>();
  for (let first = 0; first < 256; first++) {
    table.set(decoder.decode(Uint8Array.of(first)), [first]);
    if (first < 0x81) continue;
    for (let second = 0x40; second < 256; second++) {
      const pair = decoder.decode(Uint8Array.of(first, second));
      if ([...pair].length === 1 && !table.has(pair)) table.set(pair, [first, second]);
    }
  }
  return Uint8Array.from([...text].flatMap((letter) => table.get(letter) ?? [0x3f]));
}

const VIN = '1HGCM82633A004352';

test.each([
  ['windows-1252', 'Größe;VIN;Würzburg'],
  ['windows-1252', 'Modèle;Année;Propriétaire'],
  ['windows-1252', 'Año;Matrícula;Dueño'],
  ['windows-1252', 'Preço;Descrição'],
  ['windows-1252', 'Kühlfahrzeug – 3,5 t;€'],
  ['windows-1252', 'Citroën'],
  ['windows-1250', 'Číslo;Značka;Poznámka;Škoda'],
  ['windows-1250', 'Właściciel;Łódź'],
  ['windows-1250', 'Tulajdonos;Győr;Székesfehérvár'],
  ['windows-1251', 'Владелец;Москва'],
  ['windows-1251', 'Власник;Київ'],
  ['windows-1253', 'Ιδιοκτήτης;Αθήνα'],
  ['windows-1254', 'Şasi numarası;İstanbul'],
  ['windows-1257', 'Kėbulo numeris;Šiauliai'],
  ['koi8-r', 'Владелец;Москва'],
  ['shift_jis', '車台番号;所有者;東京'],
  ['gbk', '车架号;车主;北京'],
  ['big5', '車身號碼;車主;台北'],
  ['euc-kr', '차대번호;소유자;서울'],
])('%s is recognized, letter for letter: %s', (encoding, heading) => {
  const text = `${heading}\n1;${VIN}\n`;
  const found = encodingOf(encoded(text, encoding));
  const read = found.kind === 'known' ? decodeText(encoded(text, encoding), found.encoding) : found.message;
  expect(read).toBe(text);
});

test('marks, zero bytes and UTF-8 identify an encoding', () => {
  const utf16 = Buffer.from(`vin\tGerät\r\n${VIN}\tx`, 'utf16le');
  expect(encodingOf(Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]))).toEqual({
    kind: 'known',
    encoding: 'utf-16le',
  });
  expect(encodingOf(utf16)).toEqual({ kind: 'known', encoding: 'utf-16le' });
  expect(encodingOf(Buffer.from(utf16).swap16())).toEqual({ kind: 'known', encoding: 'utf-16be' });
  expect(encodingOf(Buffer.from('Größe'))).toEqual({ kind: 'known', encoding: 'utf-8' });
});

test('a named encoding is used if it is possible, and refused if it is not', () => {
  expect(encodingOf(encoded('Größe', 'windows-1252'), 'latin1')).toMatchObject({
    kind: 'known',
    encoding: 'windows-1252',
  });
  expect(encodingOf(encoded('Größe', 'windows-1252'), 'utf-8')).toMatchObject({ kind: 'unclear' });
  expect(encodingOf(Buffer.from('x'), 'utf-99')).toMatchObject({ kind: 'unclear' });
});

test('an unclear encoding is asked for, with both ways to read the text', () => {
  const found = encodingOf(encoded('Þór;Garðabær', 'windows-1252'));
  expect(found).toMatchObject({ kind: 'unclear', message: expect.stringMatching(/windows-1252.*Name its encoding/) });
});

test('to show where two readings differ, each is looked at once', () => {
  const bytes = encoded(`${'a'.repeat(2_000)}ö\n${'b'.repeat(2_000)}Þór;`, 'windows-1252');
  const letters = vi.spyOn(String.prototype, Symbol.iterator);
  const found = encodingOf(bytes);
  const looks = letters.mock.contexts.filter((text) => String(text).length > 2_000).length;
  letters.mockRestore();
  expect(found.kind).toBe('unclear');
  expect(looks).toBeLessThanOrEqual(2);
});

test('lines of ASCII are passed over together, however many there are', () => {
  const bytes = new Uint8Array(500_000).fill(0x0a);
  const unusual = encoded('Größe;Würzburg', 'windows-1252');
  bytes.set(unusual, 100_000);
  bytes.set(unusual, 499_900);
  const looks = vi.spyOn(Uint8Array.prototype, 'indexOf');
  const found = unusualLines(bytes);
  const count = looks.mock.calls.length;
  looks.mockRestore();
  expect(Buffer.from(found).toString('latin1')).toBe('Größe;Würzburg\n'.repeat(2));
  expect(count).toBe(2);
});

test('a text whose sender names its encoding is decoded once', () => {
  const decoding = vi.spyOn(TextDecoder.prototype, 'decode');
  const bytes = encoded(`所有者;${VIN}`, 'gbk');
  decoding.mockClear();
  expect(encodingOf(bytes, 'gbk')).toEqual({ kind: 'known', encoding: 'gbk', text: `所有者;${VIN}` });
  expect(decoding).toHaveBeenCalledOnce();
  decoding.mockRestore();
});
