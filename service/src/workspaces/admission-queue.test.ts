import { expect, test } from 'vitest';

import { AdmissionQueue } from './admission-queue.ts';

test('what is dropped takes no turn, and leaves the others in their order', () => {
  const queue = new AdmissionQueue<string>();
  const places = ['a', 'b', 'c', 'd', 'e', 'f'].map((item) => queue.add({ kind: 'public', passes: false }, item, 0));
  for (const index of [0, 1, 3, 5]) {
    const place = places[index];
    if (place !== undefined) queue.drop(place);
  }
  expect(queue.size).toBe(2);
  expect([queue.next(-1), queue.next(-1), queue.next(-1)]).toEqual(['c', 'e', undefined]);
  expect(queue.size).toBe(0);
});

test('one that was taken is not dropped once more', () => {
  const queue = new AdmissionQueue<string>();
  const place = queue.add({ kind: 'paid', passes: true }, 'taken', 0);
  queue.add({ kind: 'paid', passes: true }, 'other', 0);
  expect(queue.next(-1)).toBe('taken');
  queue.drop(place);
  expect(queue.size).toBe(1);
  expect(queue.expired(0)).toEqual(['other']);
});
