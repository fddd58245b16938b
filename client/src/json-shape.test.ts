import { expect, test } from 'vitest';

import { JsonShape } from './json-shape.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  ['[[1,2],{"a":[3]}]', 3, 6],
  ['{"a":"[[[[[[ \\" [,,[[[","b":"\\\\"}', 1, 2],
  ['[[[]],[[]],[[]]]', 3, 9],
  ['[{},{},{},{}]', 2, 8],
])('%s nests %i levels and contains %i values, however it arrives', (text, levels, values) => {
  for (const size of [1, 3, 100]) {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      text.slice(at * size, (at + 1) * size),
    );
    const isWithin = (most: { levels: number; values: number }): boolean => {
      const shape = new JsonShape();
      return pieces.every((piece) => shape.isWithin(most, bytes(piece)));
    };
    expect(isWithin({ levels, values })).toBe(true);
    expect(isWithin({ levels: levels - 1, values })).toBe(false);
    expect(isWithin({ levels, values: values - 1 })).toBe(false);
  }
});
