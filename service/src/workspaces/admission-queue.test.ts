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
  expect([queue.size, queue.passing]).toEqual([1, 1]);
  expect(queue.expired(0)).toEqual(['other']);
  expect([queue.size, queue.passing]).toEqual([0, 0]);
});

test('while other plans have all of their places, what passes is taken in the same order, one of sixteen of the next kind', () => {
  const queue = new AdmissionQueue<string>();
  for (let count = 0; count < 20; count++) {
    queue.add({ kind: 'paid', passes: true }, 'paid', 0);
    queue.add({ kind: 'free', passes: false }, 'free', 0);
  }
  queue.add({ kind: 'free', passes: true }, 'new', 0);
  const taken = Array.from({ length: 21 }, () => queue.next(-1, true));
  expect(taken.indexOf('new')).toBe(15);
  expect(new Set(taken)).toEqual(new Set(['paid', 'new']));
  expect([queue.next(-1, true), queue.size, queue.passing]).toEqual([undefined, 20, 0]);
});
