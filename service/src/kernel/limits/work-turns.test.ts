import { expect, test } from 'vitest';

import { LoopTurns } from './loop-turns.ts';
import { WorkTurns } from './work-turns.ts';

const bounds = { share: 0.5, burstMs: 10, waiting: 2, waitingPerTenant: 2 };

test('lists take no more than their share of the time, after a first burst', async () => {
  const began = performance.now();
  let spent = 0;
  const turns = new WorkTurns(
    new LoopTurns(),
    { ...bounds, waiting: 20, waitingPerTenant: 20 },
    () => performance.now() + spent,
  );
  // Each list seems to take 20 milliseconds.
  const list = (): string => {
    spent += 20;
    return 'list';
  };
  await Promise.all(Array.from({ length: 5 }, () => turns.run('network', list)));
  // 80 milliseconds of the last four, less the burst, at half of the time; the clock of this test goes on while a list
  // is written.
  expect(performance.now() - began).toBeGreaterThanOrEqual(50);
});

test('decodes come between two lists', async () => {
  const turns = new WorkTurns(new LoopTurns(), bounds);
  const order: string[] = [];
  const lists = ['one', 'two', 'three'].map((name) =>
    turns.run('network', () => {
      order.push(name);
      setImmediate(() => order.push('decode'));
      return name;
    }),
  );
  expect(await Promise.all(lists)).toMatchObject(['one', 'two', 'three'].map((result) => ({ result })));
  expect(order.slice(0, 4)).toEqual(['one', 'decode', 'two', 'decode']);
});

test('too many that wait are refused, and a list that fails is followed by the next', async () => {
  const turns = new WorkTurns(new LoopTurns(), bounds);
  const asked = await Promise.allSettled(
    [0, 1, 2, 3].map((number) =>
      turns.run('network', () => {
        if (number === 0) throw new Error('broken');
        return String(number);
      }),
    ),
  );
  expect(asked).toMatchObject([
    { reason: { message: 'broken' } },
    { value: { kind: 'done', result: '1' } },
    { value: { kind: 'done', result: '2' } },
    { value: { kind: 'refused' } },
  ]);
  expect(await turns.run('network', () => 'again')).toEqual({ kind: 'done', result: 'again' });
});
