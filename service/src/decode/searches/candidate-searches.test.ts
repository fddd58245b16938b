import type { CandidatesAnswer } from '@marque/decoder';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, test, vi } from 'vitest';

import { decoder as decoderOfTests } from '../../testing/decoder.ts';
import { CandidateSearches } from './candidate-searches.ts';
import { LoopTurns } from '../../kernel/limits/loop-turns.ts';
import { localRateLimit } from '../../kernel/limits/token-buckets.ts';

const VIN = 'WVWZZZ1KZCW000001';
const bounds = {
  perWorkspace: { burst: 100, refillMs: 1_000 },
  share: 0.25,
  burstMs: 250,
  waiting: 19,
  waitingPerTenant: 19,
};

/** Turns that are shared with nothing. */
const turns = { next: () => nextTurn() };

const tenant = (id: string) => ({ id, isPaid: false });

/** Returns a decoder that notes in which turn of the event loop it was asked. */
function watched(): { turns: number[]; candidates: () => CandidatesAnswer; end: () => void } {
  const turns: number[] = [];
  let turn = 0;
  let timer = setImmediate(function next() {
    turn += 1;
    timer = setImmediate(next);
  });
  const candidates = (): CandidatesAnswer => {
    turns.push(turn);
    return decoderOfTests.candidates(VIN);
  };
  return { turns, candidates, end: () => clearImmediate(timer) };
}

test('however many searches come at once, one is made in a turn of the event loop', async () => {
  const decoder = watched();
  const searches = new CandidateSearches(
    { decoder, clock: () => 0, rateLimit: localRateLimit, turns: new LoopTurns() },
    bounds,
  );
  await Promise.all(
    Array.from({ length: 20 }, (_, number) => searches.read(tenant(`workspace-${number % 3}`), VIN, {})),
  );
  expect(decoder.turns).toHaveLength(20);
  expect(new Set(decoder.turns).size).toBe(20);
  decoder.end();
});

test('beyond so many that wait, a search is refused, and one that fails gives its place back', async () => {
  const failing = {
    candidates: (): CandidatesAnswer => {
      throw new Error('broken');
    },
  };
  const searches = new CandidateSearches(
    { decoder: failing, clock: () => 0, rateLimit: localRateLimit, turns },
    bounds,
  );
  const asked = await Promise.allSettled(Array.from({ length: 25 }, () => searches.read(tenant('workspace'), VIN, {})));
  expect(asked.filter(({ status }) => status === 'rejected')).toHaveLength(20);
  const refused = asked.filter((each) => each.status === 'fulfilled').map(({ value }) => value);
  expect(refused).toEqual(Array.from({ length: 5 }, () => ({ kind: 'overloaded', retryAfterSeconds: 1 })));
  await expect(searches.read(tenant('workspace'), VIN, {})).rejects.toThrow('broken');
});

test('searches of all workspaces take no more than their share, and that of another one comes before more of the first', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    let nowMs = 0;
    const slow = {
      candidates: (vin: string): CandidatesAnswer => {
        nowMs += 20;
        return decoderOfTests.candidates(vin);
      },
    };
    const deps = { decoder: slow, clock: () => 0, rateLimit: localRateLimit, turns };
    const searches = new CandidateSearches(deps, { ...bounds, burstMs: 25 }, () => nowMs);
    const done: string[] = [];
    const ask = (workspace: string) => searches.read(tenant(workspace), VIN, {}).then(() => done.push(workspace));
    const pass = async (ms: number): Promise<void> => {
      nowMs += ms;
      vi.advanceTimersByTime(ms);
      for (let turn = 0; turn < 20; turn++) await nextTurn();
    };
    const asked = ['a', 'a', 'a', 'b'].map(ask);
    await pass(0);
    // Five milliseconds more than the burst, and what comes in while a search takes 20.
    expect(done).toEqual(['a', 'b']);
    await pass(19);
    expect(done).toHaveLength(2);
    await pass(1);
    expect(done).toHaveLength(3);
    // From here on each search takes a quarter of the time.
    await pass(59);
    expect(done).toHaveLength(3);
    await pass(1);
    expect(done).toHaveLength(4);
    await Promise.all(asked);
  } finally {
    vi.useRealTimers();
  }
});

test('a workspace has its own limit, which fills with time', async () => {
  let now = 0;
  const clock = () => now;
  const few = { ...bounds, perWorkspace: { burst: 2, refillMs: 1_000 } };
  const searches = new CandidateSearches({ decoder: decoderOfTests, clock, rateLimit: localRateLimit, turns }, few);
  const ask = (workspace: string) => searches.read(tenant(workspace), VIN, {});
  const asked = await Promise.all(['a', 'a', 'a', 'b'].map(ask));
  expect(asked.map(({ kind }) => kind)).toEqual(['read', 'read', 'too-often', 'read']);
  now = 1_000;
  expect(await ask('a')).toMatchObject({ kind: 'read' });
  expect(await ask('a')).toEqual({ kind: 'too-often', retryAfterSeconds: 1 });
});

test('searches take the turns of their workspace, which files and pages share, and one of another plan that waits keeps no paid one', async () => {
  const asked: string[] = [];
  const held = Promise.withResolvers<void>();
  const shared = {
    next: async ({ id, isPaid }: { id: string; isPaid: boolean }) => {
      asked.push(id);
      if (!isPaid) await held.promise;
    },
  };
  const deps = { decoder: decoderOfTests, clock: () => 0, rateLimit: localRateLimit, turns: shared };
  const searches = new CandidateSearches(deps, bounds);
  const free = ['a', 'b'].map((id) => searches.read(tenant(id), VIN, {}));
  expect(await searches.read({ id: 'paid', isPaid: true }, VIN, {})).toMatchObject({ kind: 'read' });
  expect(asked).toEqual(['a', 'paid']);
  held.resolve();
  expect((await Promise.all(free)).map(({ kind }) => kind)).toEqual(['read', 'read']);
});
