import { setImmediate as nextTurn } from 'node:timers/promises';

import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';

import { FairOrder } from './fair-order.ts';
import { FairQueue } from './fair-queue.ts';
import type { SlotOutcome, Tenant } from './slots.ts';

const free = (id: string): Tenant => ({ id, isPaid: false });
const paid = (id: string): Tenant => ({ id, isPaid: true });
const BOUNDS = { all: 2, perTenant: 1, waiting: 4, waitingPerTenant: 3 };

function leaveOf(outcome: SlotOutcome): () => void {
  if (outcome.kind === 'refused') throw new Error(`refused by ${outcome.by}`);
  return outcome.leave;
}

test('a tenant that has had less time goes first, however many tasks of others came before', async () => {
  let now = 0;
  const queue = new FairQueue({ ...BOUNDS, all: 1, waiting: 20, waitingPerTenant: 20 }, () => now);
  const order: string[] = [];
  const run = (id: string, ms: number) =>
    queue.run(free(id), async () => {
      order.push(id);
      await nextTurn();
      now += ms;
    });
  await Promise.all([
    ...Array.from({ length: 4 }, () => run('heavy', 100)),
    ...Array.from({ length: 4 }, () => run('light', 10)),
  ]);
  expect(order).toEqual(['heavy', 'light', 'light', 'light', 'light', 'heavy', 'heavy', 'heavy']);
});

test.each([
  ['that is the only one', { all: 1 }, 1],
  ['beside one that is reserved', { all: 2, reserved: 1 }, 3],
])('a slot that becomes free, %s, is given in few looks at those that wait', async (_, slots, most) => {
  const queue = new FairQueue({ ...slots, perTenant: 1, waiting: Infinity, waitingPerTenant: Infinity });
  const leave = leaveOf(await queue.enter(free('first')));
  const others = Array.from({ length: 100 }, (_other, index) => queue.enter(free(`other ${index}`)));
  const looked = vi.spyOn(FairOrder.prototype, 'first');
  leave();
  expect((await Promise.race(others)).kind).toBe('taken');
  const looks = looked.mock.calls.length;
  looked.mockRestore();
  expect(looks).toBeLessThanOrEqual(most);
});

test('a tenant that was away is owed nothing', async () => {
  let now = 0;
  const queue = new FairQueue({ ...BOUNDS, all: 1, waiting: 20, waitingPerTenant: 20 }, () => now);
  const order: string[] = [];
  const run = (id: string) =>
    queue.run(free(id), async () => {
      order.push(id);
      await nextTurn();
      now += 10;
    });
  for (let count = 0; count < 5; count++) await run('always');
  order.length = 0;
  await Promise.all(['always', 'always', 'always', 'back', 'back', 'back'].map(run));
  expect(order).toEqual(['always', 'back', 'always', 'back', 'always', 'back']);
});

test('reserved slots are for paid plans alone', async () => {
  const queue = new FairQueue({ ...BOUNDS, reserved: 1, waiting: 0 });
  leaveOf(await queue.enter(free('a')));
  expect(await queue.enter(free('b'))).toEqual({ kind: 'refused', by: 'all' });
  leaveOf(await queue.enter(paid('c')));
});

test('nobody fills a queue alone: the latest task of the tenant with the most makes place, and any free one for a paid one', async () => {
  const queue = new FairQueue({ ...BOUNDS, all: 1, waiting: 3 });
  const leave = leaveOf(await queue.enter(free('first')));
  const outcomes: string[] = [];
  const enter = async (name: string, tenant: Tenant): Promise<void> => {
    const outcome = await queue.enter(tenant);
    outcomes.push(`${name} ${outcome.kind}`);
    if (outcome.kind === 'taken') outcome.leave();
  };
  const all = [enter('heavy 1', free('heavy')), enter('heavy 2', free('heavy')), enter('heavy 3', free('heavy'))];
  all.push(enter('heavy 4', free('heavy')), enter('light', free('light')), enter('other', free('other')));
  all.push(enter('paid', paid('paid')));
  await nextTurn();
  expect(outcomes).toEqual(['heavy 4 refused', 'heavy 3 refused', 'heavy 2 refused', 'heavy 1 refused']);
  leave();
  await Promise.all(all);
  expect(outcomes.slice(4).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'light taken',
    'other taken',
    'paid taken',
  ]);
});

test('where all have as many waiting, one that was served makes place for one that never was', async () => {
  let now = 0;
  const queue = new FairQueue({ ...BOUNDS, all: 1, waiting: 2 }, () => now);
  for (const id of ['a', 'b']) {
    await queue.run(free(id), () => {
      now += 10;
    });
  }
  const leave = leaveOf(await queue.enter(free('first')));
  const [a, b] = ['a', 'b'].map((id) => queue.enter(free(id)));
  const news = ['c', 'd', 'e'].map((id) => queue.enter(free(id)));
  expect(await b).toEqual({ kind: 'refused', by: 'all' });
  expect(await a).toEqual({ kind: 'refused', by: 'all' });
  expect(await news[2]).toEqual({ kind: 'refused', by: 'all' });
  expect(await queue.enter(free('a'))).toEqual({ kind: 'refused', by: 'all' });
  leave();
  for (const entered of news.slice(0, 2)) if (entered !== undefined) leaveOf(await entered)();
});

test('one that was refused keeps its turn, however many others that never were served come meanwhile', async () => {
  let now = 0;
  const queue = new FairQueue({ ...BOUNDS, all: 1, waiting: 20 }, () => now);
  const order: string[] = [];
  const ask = (id: string) =>
    queue.run(free(id), async () => {
      order.push(id);
      now += 10;
      await nextTurn();
    });
  let strangers = 0;
  const flood = (): void => {
    for (let count = 0; count < 30; count++) void ask(`stranger ${(strangers += 1)}`);
  };
  flood();
  const before = strangers;
  while (order.length <= before && !order.includes('honest')) {
    flood();
    void ask('honest');
    now += 8_000;
    await nextTurn();
  }
  expect(order.slice(0, before + 1)).toContain('honest');
});

test('where as many as fill the queue ask again and again, one that comes later is next', async () => {
  let now = 0;
  const queue = new FairQueue({ ...BOUNDS, all: 1, waiting: 20 }, () => now);
  const order: string[] = [];
  const leaves: (() => void)[] = [];
  const enter = async (id: string): Promise<void> => {
    const entered = await queue.enter(free(id));
    if (entered.kind === 'refused') return;
    order.push(id);
    leaves.push(entered.leave);
  };
  for (let round = 0; round < 5; round++) {
    for (let count = 0; count < 30; count++) void enter(`stranger ${count}`);
    await nextTurn();
    now += 1_000;
  }
  void enter('honest');
  await nextTurn();
  leaves.shift()?.();
  await nextTurn();
  expect(order).toEqual(['stranger 0', 'honest']);
});

test('a task waits for so long, or until its signal aborts, and then takes no slot', async () => {
  const queue = new FairQueue({ ...BOUNDS, all: 1, waitMs: 5 });
  const leave = leaveOf(await queue.enter(free('a')));
  expect(await queue.enter(free('b'))).toEqual({ kind: 'refused', by: 'all' });
  const gone = new AbortController();
  const waiting = new FairQueue({ ...BOUNDS, all: 1 });
  const freeIt = leaveOf(await waiting.enter(free('a')));
  const second = waiting.enter(free('b'), gone.signal);
  gone.abort();
  expect(await second).toEqual({ kind: 'refused', by: 'all' });
  freeIt();
  leave();
  leaveOf(await waiting.enter(free('c')));
  leaveOf(await queue.enter(free('c')));
});

test('whatever comes and leaves, no bound is passed, no slot is lost, and everybody is answered', async () => {
  const step = fc.record({ tenant: fc.nat(5), leave: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const bounds = { all: 3, reserved: 1, perTenant: 2, waiting: 5, waitingPerTenant: 2 };
      const queue = new FairQueue(bounds);
      const running: { tenant: number; leave: () => void }[] = [];
      let open = 0;
      const ended: Promise<void>[] = [];
      const enter = async (tenant: number): Promise<void> => {
        const outcome = await queue.enter({ id: String(tenant), isPaid: tenant > 3 });
        open -= 1;
        if (outcome.kind === 'taken') running.push({ tenant, leave: outcome.leave });
      };
      for (const { tenant, leave } of steps) {
        open += 1;
        ended.push(enter(tenant));
        await nextTurn();
        if (leave) running.shift()?.leave();
        await nextTurn();
        expect(open).toBeLessThanOrEqual(bounds.waiting);
        expect(running.length).toBeLessThanOrEqual(bounds.all);
        expect(running.filter((each) => each.tenant <= 3).length).toBeLessThanOrEqual(bounds.all - bounds.reserved);
        for (const { tenant: id } of running) {
          expect(running.filter((each) => each.tenant === id).length).toBeLessThanOrEqual(bounds.perTenant);
        }
      }
      while (running.length > 0) {
        running.shift()?.leave();
        await nextTurn();
      }
      await Promise.all(ended);
      expect(open).toBe(0);
    }),
    { numRuns: 50 },
  );
});

test('tasks of paid plans do not use up the slots of others', async () => {
  const queue = new FairQueue({ ...BOUNDS, all: 2, reserved: 1 });
  const first = leaveOf(await queue.enter(paid('a')));
  leaveOf(await queue.enter(paid('b')));
  const waiting = queue.enter(free('c'));
  first();
  expect((await waiting).kind).toBe('taken');
});

test("a wait that only the tenant's own tasks prolong ends as the tenant's own limit", async () => {
  const queue = new FairQueue({ ...BOUNDS, waitMs: 1 });
  leaveOf(await queue.enter(free('a')));
  expect(await queue.enter(free('a'))).toEqual({ kind: 'refused', by: 'tenant' });
});
