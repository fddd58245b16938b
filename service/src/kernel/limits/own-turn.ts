import { setImmediate as nextTurn } from 'node:timers/promises';

let last: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of the event loop that no other who waits here gets: pieces of the work of many files, each of a
 * millisecond, would make a long turn together. Who waits longest is first, so that all of them get on alike.
 */
export function ownTurn(): Promise<void> {
  last = last.then(() => nextTurn());
  return last;
}
