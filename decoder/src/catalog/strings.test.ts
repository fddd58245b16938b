import { expect, test } from 'vitest';

import { Container, writeContainer } from './container.ts';
import { Strings } from './strings.ts';

const TEXTS = ['', 'A4', 'Škoda', 'x'.repeat(64), 'x'.repeat(65), `${'x'.repeat(300)}é`, '三菱', 'Coupé'];

test('a string of any length and characters is read back as it was written', () => {
  const encoded = TEXTS.map((text) => new TextEncoder().encode(text));
  const lengths = encoded.flatMap(({ length }) => [...Array<number>(Math.floor(length / 255)).fill(255), length % 255]);
  const sections = new Map([
    ['strings.bytes', Uint8Array.from(encoded.flatMap((bytes) => Array.from(bytes)))],
    ['strings.lengths', Uint8Array.from(lengths)],
  ]);
  const strings = new Strings(new Container(writeContainer({}, sections)));
  expect(TEXTS.map((_, id) => strings.get(id))).toEqual(TEXTS);
});
