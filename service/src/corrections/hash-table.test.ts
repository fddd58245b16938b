import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { HashTable } from './hash-table.ts';

const hash = fc.integer({ min: 0, max: 0x3f_ff_ff_ff });

test('finds by hash the items that were added and not removed, however many there are', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.oneof(hash, fc.integer({ min: 0, max: 9 })), fc.boolean())), (acts) => {
      const table = new HashTable<{ id: number }>();
      for (const [id, [at]] of acts.entries()) table.add(at, { id });
      for (const [id, [at]] of [...acts.entries()].filter(([, [, isKept]]) => !isKept)) {
        expect(table.remove(at, (item) => item.id === id)).toBe(true);
      }
      for (const [at] of acts) {
        const left = [...acts.entries()].flatMap(([id, [other, isKept]]) => (isKept && other === at ? [{ id }] : []));
        expect(table.at(at)).toEqual(left);
        expect(table.has(at)).toBe(left.length > 0);
      }
    }),
  );
});
