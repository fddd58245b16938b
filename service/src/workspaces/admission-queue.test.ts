import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { AdmissionQueue } from './admission-queue.ts';
import type { Place } from './tenant-turns.ts';

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

const paid = { kind: 'paid', passes: true } as const;

test('tenants of a kind take turns, however many requests one of them has', () => {
  const queue = new AdmissionQueue<string>();
  for (let count = 0; count < 1_500; count++) queue.add({ ...paid, tenant: 'many' }, `many ${count}`, 0);
  for (let count = 0; count < 3; count++) queue.add({ ...paid, tenant: 'few' }, 'few', 1);
  const taken = Array.from({ length: 7 }, () => queue.next(-1));
  expect(taken).toEqual(['many 0', 'few', 'many 1', 'few', 'many 2', 'few', 'many 3']);
});

test('once requests have waited for long, the newest comes first, of the tenants and of those of each', () => {
  const queue = new AdmissionQueue<string>();
  for (const item of ['many 1', 'many 2', 'many 3']) queue.add({ ...paid, tenant: 'many' }, item, 0);
  expect(queue.next(-1)).toBe('many 1');
  for (const tenant of ['one', 'two', 'three']) queue.add({ ...paid, tenant }, tenant, 5);
  expect(Array.from({ length: 6 }, () => queue.next(2))).toEqual([
    'three',
    'two',
    'one',
    'many 3',
    'many 2',
    undefined,
  ]);
});

test('a tenant that asks again and again has its turn after those that wait, also when they have waited for long', () => {
  const queue = new AdmissionQueue<string>();
  for (let count = 0; count < 10; count++) queue.add({ ...paid, tenant: `${count}` }, 'other', 0);
  const taken: (string | undefined)[] = [];
  for (let count = 0; count < 12; count++) {
    queue.add({ ...paid, tenant: 'again' }, 'again', 5);
    taken.push(queue.next(2));
  }
  expect(taken.filter((item) => item === 'other')).toHaveLength(10);
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

/** One step of the life of a queue, which returns what leaves it. */
type Step = (queue: AdmissionQueue<Item>, places: Place<Item>[], nowMs: number) => Item[];
interface Item {
  sinceMs: number;
  passes: boolean;
}

const listOf = (item: Item | undefined): Item[] => (item === undefined ? [] : [item]);

const STEPS: fc.Arbitrary<Step>[] = [
  fc
    .tuple(fc.constantFrom('paid', 'page'), fc.nat(5), fc.boolean())
    .map(([kind, tenant, passes]) => (queue, places, nowMs) => {
      places.push(queue.add({ kind, tenant: `${tenant}`, passes }, { sinceMs: nowMs, passes }, nowMs));
      return [];
    }),
  fc.nat(40).map((ms) => (queue, _places, nowMs) => listOf(queue.next(nowMs - ms))),
  fc.nat(40).map((ms) => (queue, _places, nowMs) => listOf(queue.next(nowMs - ms, true))),
  fc.nat(100).map((index) => (queue, places) => {
    const place = places[index];
    const left = listOf(place?.item);
    if (place !== undefined) queue.drop(place);
    return left;
  }),
  fc.nat(30).map((ms) => (queue, _places, nowMs) => queue.expired(nowMs - ms)),
  fc.constant((queue) => listOf(queue.last())),
];

test('whatever happens, each request leaves once, and the counts are those of the ones that are left', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(...STEPS), { maxLength: 200 }), (steps) => {
      const queue = new AdmissionQueue<Item>();
      const places: Place<Item>[] = [];
      const gone: Item[] = [];
      const counts = steps.map((step, nowMs) => {
        gone.push(...step(queue, places, nowMs));
        const left = places.flatMap(({ item }) => listOf(item));
        return [queue.size - left.length, queue.passing - left.filter(({ passes }) => passes).length];
      });
      expect(counts.flat().every((difference) => difference === 0)).toBe(true);
      while (queue.size > 0) gone.push(...listOf(queue.next(-1)));
      expect(gone).toHaveLength(places.length);
      expect(new Set(gone).size).toBe(places.length);
    }),
  );
});
