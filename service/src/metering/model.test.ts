import { asyncModelRun, asyncProperty, assert, commands, constantFrom, integer, type AsyncCommand } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { monthOf } from '../kernel/db/month.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { chargeOne, type OneOutcome, decodeAt, subscriber } from './testing/usage.ts';
import { DEFAULT_BOUNDS } from './bounds.ts';
import { openMeter, verifyUsage, type IdempotentCharge, type Meter } from './index.ts';

const START = Date.UTC(2026, 4, 20, 12);
const DAY_MS = 24 * 3_600_000;

/** A model of usage, as simple as possible. */
interface Model {
  now: number;
  limit: number | null;
  /** Charges by the start of their month. */
  used: Map<number, number>;
}

/** The real thing: instances that come and go on one database. */
interface Real {
  fresh: TestDatabase;
  workspace: string;
  now: () => number;
  setNow: (to: number) => void;
  meter: Meter;
  keys: number;
}

type Command = AsyncCommand<Model, Real>;

const windowOf = (model: Model): number => monthOf(model.now).startMs;
const usedIn = (model: Model): number => model.used.get(windowOf(model)) ?? 0;

/** Returns how many of `wanted` decodes the model grants now, and counts them. */
function grantInModel(model: Model, wanted: number): number {
  const used = usedIn(model);
  const granted = model.limit === null ? wanted : Math.min(wanted, Math.max(0, model.limit - used));
  model.used.set(windowOf(model), used + granted);
  return granted;
}

const callerOf = (model: Model, real: Real) => subscriber(real.workspace, model.limit);
const grantedOf = (outcomes: readonly OneOutcome[]): number => outcomes.filter(({ kind }) => kind === 'granted').length;

function remainingIn(model: Model): number | null {
  return model.limit === null ? null : Math.max(0, model.limit - usedIn(model));
}

/** Several requests at once. */
const charge = (count: number): Command => ({
  check: () => true,
  toString: () => `charge(${count})`,
  run: async (model, real) => {
    const calls = Array.from({ length: count }, () =>
      chargeOne(real.meter, callerOf(model, real), decodeAt(real.now())),
    );
    expect(grantedOf(await Promise.all(calls))).toBe(grantInModel(model, count));
    expect(await real.meter.peek(callerOf(model, real))).toMatchObject({ remaining: remainingIn(model) });
  },
});

/** One request with several decodes. */
const chargeMany = (count: number): Command => ({
  check: () => true,
  toString: () => `chargeMany(${count})`,
  run: async (model, real) => {
    const decodes = Array.from({ length: count }, () => decodeAt(real.now()));
    const outcome = await real.meter.charge(callerOf(model, real), decodes);
    const granted = grantInModel(model, count);
    expect(outcome).toMatchObject({ kind: 'settled', granted, usage: { remaining: remainingIn(model) } });
  },
});

const changeLimit = (limit: number | null): Command => ({
  check: () => true,
  toString: () => `changeLimit(${limit})`,
  run: async (model) => {
    model.limit = limit;
  },
});

/** Time goes on, or the clock is set back. */
const passDays = (days: number): Command => ({
  check: () => true,
  toString: () => `passDays(${days})`,
  run: async (model, real) => {
    model.now += days * DAY_MS;
    real.setNow(model.now);
  },
});

/**
 * Loses the database during requests; the clients send them again, with the same idempotency keys, to another instance.
 * Each is charged once in the end, whether its first try was committed or not.
 */
const crashAndRetry = (count: number): Command => ({
  check: () => true,
  toString: () => `crashAndRetry(${count})`,
  run: async (model, real) => {
    const records = Array.from({ length: count }, (): IdempotentCharge => {
      real.keys += 1;
      return {
        key: `k${real.keys}`,
        bodyHash: 'b',
        outcome: 'o',
        sentAtMs: real.now(),
        expiresAtMs: real.now() + DAY_MS,
      };
    });
    const doomed = await real.fresh.open();
    const dying = openMeter(doomed, real.now, {
      bounds: { ...DEFAULT_BOUNDS, batch: 3, commitMs: 0 },
    });
    const caller = callerOf(model, real);
    const first = records.map((idempotency) => chargeOne(dying, caller, decodeAt(real.now()), idempotency));
    const settled = Promise.allSettled(first);
    await new Promise((resolve) => setImmediate(resolve));
    await doomed.close();
    await settled;
    await dying.close();
    const again = await Promise.all(
      records.map((idempotency) => chargeOne(real.meter, caller, decodeAt(real.now()), idempotency)),
    );
    const charged = again.filter(({ kind }) => kind === 'granted' || kind === 'conflict').length;
    expect(charged).toBe(grantInModel(model, count));
  },
});

const steps = [
  integer({ min: 1, max: 8 }).map(charge),
  integer({ min: 1, max: 5 }).map(chargeMany),
  constantFrom(0, 1, 5, 20, null).map(changeLimit),
  integer({ min: -20, max: 40 }).map(passDays),
  integer({ min: 1, max: 6 }).map(crashAndRetry),
];

describe.each(ENGINES)('on %s', (engine) => {
  test("usage equals the simplest model's after any commands in any order", async () => {
    const fresh = await freshDatabase(engine);
    const database = await fresh.open();
    let runs = 0;
    let now = START;
    const meter = openMeter(database, () => now);
    const property = asyncProperty(commands(steps, { maxCommands: 25 }), async (run) => {
      const model: Model = { now: START, limit: 5, used: new Map() };
      now = START;
      const setNow = (to: number): void => {
        now = to;
      };
      const real: Real = { fresh, workspace: `run-${++runs}`, now: () => now, setNow, keys: 0, meter };
      await asyncModelRun(() => ({ model, real }), run);
      const rows = await database.kysely
        .selectFrom('usage_counters')
        .select(['window_start', 'used'])
        .where('subject', '=', `workspace:${real.workspace}`)
        .execute();
      const counted = new Map(rows.map(({ window_start: start, used }) => [start, used]));
      for (const [start, used] of model.used) expect(counted.get(start) ?? 0).toBe(used);
    });
    await assert(property, { numRuns: 20 });
    expect((await verifyUsage(database)).disagreements).toEqual([]);
    await meter.close();
    await fresh.remove();
  });
});
