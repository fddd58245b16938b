import { expect, test } from 'vitest';

import { AdmissionQueue } from './admission-queue.ts';

test('what is dropped takes no turn, and leaves the others in their order', () => {
  const queue = new AdmissionQueue<string>();
  const places = ['a', 'b', 'c', 'd', 'e', 'f'].map((item) =>
    queue.add({ kind: 'public', tenant: 'a', passes: false }, item, 0),
  );
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
  const place = queue.add({ kind: 'paid', tenant: 'a', passes: true }, 'taken', 0);
  queue.add({ kind: 'paid', tenant: 'a', passes: true }, 'other', 0);
  expect(queue.next(-1)).toBe('taken');
  queue.drop(place);
  expect([queue.size, queue.passing]).toEqual([1, 1]);
  expect(queue.expired(0)).toEqual(['other']);
  expect([queue.size, queue.passing]).toEqual([0, 0]);
});

test('while other plans have all of their places, what passes is taken in the same order, one of sixteen of the next kind', () => {
  const queue = new AdmissionQueue<string>();
  for (let count = 0; count < 20; count++) {
    queue.add({ kind: 'paid', tenant: 'a', passes: true }, 'paid', 0);
    queue.add({ kind: 'free', tenant: 'b', passes: false }, 'free', 0);
  }
  queue.add({ kind: 'free', tenant: 'c', passes: true }, 'new', 0);
  const taken = Array.from({ length: 21 }, () => queue.next(-1, true));
  expect(taken.indexOf('new')).toBe(15);
  expect(new Set(taken)).toEqual(new Set(['paid', 'new']));
  expect([queue.next(-1, true), queue.size, queue.passing]).toEqual([undefined, 20, 0]);
});

test('tenants of a kind take turns, however many requests one of them has', () => {
  const queue = new AdmissionQueue<string>();
  const paid = { kind: 'paid', passes: true } as const;
  for (let count = 0; count < 1_500; count++) queue.add({ ...paid, tenant: 'many' }, 'many', 0);
  for (let count = 0; count < 3; count++) queue.add({ ...paid, tenant: 'few' }, 'few', 1);
  expect(Array.from({ length: 7 }, () => queue.next(-1))).toEqual([
    'many',
    'few',
    'many',
    'few',
    'many',
    'few',
    'many',
  ]);
  // Nor does a tenant that comes later wait for more than one of theirs, though they have waited for too long.
  queue.add({ ...paid, tenant: 'late' }, 'late', 5);
  expect([queue.next(2), queue.next(2)]).toEqual(['many', 'late']);
});

test('one too many is taken from the tenant with most of the lowest kind, whatever else was dropped', () => {
  const queue = new AdmissionQueue<string>();
  const page = { kind: 'page', passes: true } as const;
  const gone = Array.from({ length: 9 }, () => queue.add({ ...page, tenant: 'gone' }, 'gone', 0));
  queue.add({ ...page, tenant: 'few' }, 'few', 0);
  for (const item of ['first', 'second']) queue.add({ ...page, tenant: 'many' }, item, 0);
  queue.add({ kind: 'public', tenant: 'one', passes: true }, 'higher', 0);
  for (const place of gone) queue.drop(place);
  expect([queue.last(), queue.size]).toEqual(['first', 3]);
});
