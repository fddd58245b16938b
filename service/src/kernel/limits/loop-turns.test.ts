import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, test, vi } from 'vitest';

import { LoopTurns, withinTime } from './loop-turns.ts';

const here = new AbortController().signal;

const LATE = { ms: 1_000_000, late: () => new Error('late') };

test('in each turn of the event loop one piece of work is done, and those that share it take turns', async () => {
  const turns = new LoopTurns(() => 0);
  const done: { by: string; turn: number }[] = [];
  let turn = 0;
  const over = new AbortController();
  const count = async (): Promise<void> => {
    for (; !over.signal.aborted; turn += 1) await nextTurn();
  };
  const work = async (by: string, pieces: number): Promise<void> => {
    for (let piece = 0; piece < pieces; piece++) {
      await turns.next({ id: by, isPaid: false }, here);
      done.push({ by, turn });
    }
  };
  const counting = count();
  // Of one that has four pieces of work under way, each comes as often as all of another.
  await Promise.all([...Array.from({ length: 4 }, () => work('many', 10)), work('few', 10)]);
  over.abort();
  await counting;
  expect(new Set(done.map((piece) => piece.turn)).size).toBe(done.length);
  expect(done.slice(0, 20).filter(({ by }) => by === 'few').length).toBeGreaterThanOrEqual(9);
});

test('work that nobody waits for gets no further turn, and holds up no other', async () => {
  const turns = new LoopTurns();
  const sender = new AbortController();
  const first = turns.next({ id: 'one', isPaid: false }, here);
  const gone = turns.next({ id: 'gone', isPaid: false }, sender.signal);
  const last = turns.next({ id: 'other', isPaid: false }, here);
  sender.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
  await Promise.all([first, last]);
});

test('a sender that leaves in the moment of its turn takes it from nobody', async () => {
  const turns = new LoopTurns();
  const sender = new AbortController();
  const gone = turns.next({ id: 'gone', isPaid: false }, sender.signal);
  sender.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
  const next = turns.next({ id: 'other', isPaid: false }, here).then(() => 'had its turn');
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  expect(await Promise.race([next, Promise.resolve('waits')])).toBe('had its turn');
});

/** Work for 20 tenants at once, each of some pieces. @returns the work that each had done when the first one ended. */
async function doneWhenFirstEnds(turns: LoopTurns, pieces: number, others: number): Promise<number[]> {
  const done = Array<number>(20).fill(0);
  let whenFirstEnds: number[] = [];
  const work = async (of: number): Promise<void> => {
    const { turn, pause } = turns.work({ id: `${of}`, isPaid: true }, here, LATE);
    const all = of === 0 ? pieces : others;
    for (let piece = 0; piece < all; piece++) {
      await turn();
      done[of] = piece + 1;
    }
    pause();
    if (whenFirstEnds.length === 0) whenFirstEnds = [...done];
  };
  await Promise.all(done.map((_, of) => work(of)));
  return whenFirstEnds;
}

test('long work is done one after the other, so that some of it ends in time, and short work beside it', async () => {
  const equal = await doneWhenFirstEnds(new LoopTurns(() => 0), 400, 400);
  expect(equal.toSorted((a, b) => b - a).slice(0, 2)).toEqual([400, 50]);
  const short = await doneWhenFirstEnds(new LoopTurns(() => 0), 40, 400);
  expect(Math.max(...short)).toBeLessThanOrEqual(51);
});

test('long work lets other long work go before it now and then, and nobody keeps its place after leaving', async () => {
  let nowMs = 0;
  const turns = new LoopTurns(() => nowMs);
  const sender = new AbortController();
  const left = turns.work({ id: 'left', isPaid: false }, sender.signal, LATE);
  for (let piece = 0; piece < 60; piece++) await left.turn();
  const order: string[] = [];
  const work = async (id: string, pieces: number): Promise<void> => {
    const { turn, pause } = turns.work({ id, isPaid: false }, here, LATE);
    for (let piece = 0; piece < pieces; piece++) {
      await turn();
      // In the next turn, so that it is no time of this piece.
      await nextTurn();
      nowMs += 40;
    }
    pause();
    order.push(id);
  };
  const all = [work('longer', 600), work('long', 300)];
  for (let turn = 0; turn < 300; turn++) await nextTurn();
  expect(order).toEqual([]);
  sender.abort(new Error('gone'));
  await expect(left.turn()).rejects.toThrow('gone');
  await Promise.all(all);
  expect(order).toEqual(['long', 'longer']);
});

test('long work that waits too long for other long work is late', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const turns = new LoopTurns(() => 0);
    const [first, second] = ['one', 'two'].map((id) => turns.work({ id, isPaid: false }, here, LATE));
    if (first === undefined || second === undefined) throw new Error('There are two.');
    for (let piece = 0; piece < 60; piece++) await first.turn();
    for (let piece = 0; piece < 50; piece++) await second.turn();
    const late = second.turn().catch(String);
    await vi.advanceTimersByTimeAsync(16_000);
    expect(await late).toBe('Error: late');
    first.pause();
    await second.turn();
  } finally {
    vi.useRealTimers();
  }
});

test('long work does not wait longer for other long work than it may take', async () => {
  // The longest wait never ends.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    let nowMs = 0;
    const turns = new LoopTurns(() => nowMs);
    const bounds = { ms: 10_000, late: () => new Error('late') };
    const [first, second] = ['one', 'two'].map((id) => turns.work({ id, isPaid: false }, here, bounds));
    for (let piece = 0; piece < 60; piece++) await first?.turn();
    for (let piece = 0; piece < 50; piece++) await second?.turn();
    nowMs = 9_990;
    await expect(second?.turn()).rejects.toThrow('late');
  } finally {
    vi.useRealTimers();
  }
});

test('where pieces take long, the next one waits until others have had as much of the time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    let nowMs = 0;
    const turns = new LoopTurns(() => nowMs);
    const tenant = { id: 'one', isPaid: false };
    await turns.next(tenant, here);
    // Longer than pieces may take at once.
    nowMs += 1_000;
    let isNext = false;
    const next = turns.next({ id: 'other', isPaid: false }, here).then(() => (isNext = true));
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(isNext).toBe(false);
    vi.advanceTimersByTime(490);
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(isNext).toBe(false);
    vi.advanceTimersByTime(20);
    await next;
  } finally {
    vi.useRealTimers();
  }
});

test('paid plans have turns and time of their own', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    let nowMs = 0;
    const turns = new LoopTurns(() => nowMs);
    await turns.next({ id: 'one', isPaid: false }, here);
    nowMs += 1_000;
    await nextTurn();
    // No timer goes on: others have to wait.
    for (let piece = 0; piece < 5; piece++) {
      await expect(turns.next({ id: 'paying', isPaid: true }, here)).resolves.toBeUndefined();
    }
  } finally {
    vi.useRealTimers();
  }
});

test('a process that was stopped during a piece makes others wait for a second at most', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    let nowMs = 0;
    const turns = new LoopTurns(() => nowMs);
    await turns.next({ id: 'one', isPaid: false }, here);
    nowMs += 3_600_000;
    const next = turns.next({ id: 'other', isPaid: false }, here);
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    vi.advanceTimersByTime(2_000);
    await expect(next).resolves.toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

test('work that does not end in time is refused', async () => {
  let nowMs = 0;
  const turn = withinTime(
    async () => {},
    25_000,
    () => new Error('late'),
    () => nowMs,
  );
  await turn();
  nowMs = 25_000;
  await turn();
  nowMs = 25_001;
  await expect(turn()).rejects.toThrow('late');
});
