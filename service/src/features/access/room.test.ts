import { array, assert, integer, nat, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';

import { Room } from './room.ts';

const look = (room: Room, times: number, lateMs: number, underWay: number): void => {
  for (let time = 0; time < times; time += 1) room.look(lateMs, underWay);
};

test('while the event loop is late the room shrinks below what is under way, and grows back to all of it after', () => {
  const room = new Room(4_000);
  look(room, 3, 200, 1_500);
  expect(room.size).toBe(1_350);
  look(room, 1, 200, 1_000);
  expect(room.size).toBe(900);
  look(room, 100, 40, 900);
  expect(room.size).toBe(900);
  look(room, 100, 0, 900);
  expect(room.size).toBe(4_000);
});

test('one pause, however long, shrinks nothing', () => {
  const room = new Room(4_000);
  look(room, 2, 10_000, 100);
  look(room, 1, 0, 100);
  look(room, 2, 10_000, 100);
  expect(room.size).toBe(4_000);
});

test('whatever happens, the room stays between its bounds', () => {
  const looks = array(tuple(nat(1_000), nat(5_000)), { maxLength: 200 });
  assert(
    property(integer({ min: 1, max: 5_000 }), looks, (most, seen) => {
      const room = new Room(most);
      for (const [lateMs, underWay] of seen) room.look(lateMs, underWay);
      expect(room.size).toBeLessThanOrEqual(most);
      expect(room.size).toBeGreaterThanOrEqual(Math.min(most, 200));
    }),
  );
});
