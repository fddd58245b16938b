import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, test, vi } from 'vitest';

import { LoopTurns, withinTime } from './loop-turns.ts';

const here = new AbortController().signal;

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
