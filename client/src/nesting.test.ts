import { expect, test } from 'vitest';

import { Nesting } from './nesting.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  ['[[1,2],{"a":[3]}]', 3],
  ['{"a":"[[[[[[ \\" [[[[","b":"\\\\"}', 1],
  ['[[[]],[[]],[[]]]', 3],
])('%s nests %i levels, however it arrives', (text, levels) => {
  for (const size of [1, 3, 100]) {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      text.slice(at * size, (at + 1) * size),
    );
    const isBelow = (most: number): boolean => {
      const nesting = new Nesting();
      return pieces.every((piece) => nesting.isBelow(most, bytes(piece)));
    };
    expect([isBelow(levels), isBelow(levels - 1)]).toEqual([true, false]);
  }
});
