import { expect, test } from 'vitest';

import type { LimitChoice } from '../workspaces/index.ts';
import { limitAfter, planAfter } from './subscriptions.ts';

test.each([
  [{ current: 'free', before: undefined, after: 'starter' }, 'starter'],
  [{ current: 'starter', before: 'starter', after: undefined }, 'free'],
  [{ current: 'business', before: 'business', after: 'starter' }, 'starter'],
  [{ current: 'business', before: 'business', after: 'business' }, 'business'],
  [{ current: 'enterprise', before: 'starter', after: undefined }, 'enterprise'],
  [{ current: 'enterprise', before: 'starter', after: 'starter' }, 'enterprise'],
  [{ current: 'starter', before: undefined, after: 'business' }, 'business'],
] as const)('after %o the plan is %s', (change, plan) => {
  expect(planAfter(change)).toBe(plan);
});

const choice = (limit: number | null | undefined): LimitChoice =>
  limit === undefined ? { kind: 'plan' } : limit === null ? { kind: 'none' } : { kind: 'fixed', limit };

test.each([
  [20_000, 'starter', 'business', 20_000],
  [3_000, 'starter', 'business', undefined],
  [3_000, 'business', 'enterprise', undefined],
  [20_000, 'business', 'starter', undefined],
  [500, 'business', 'starter', 500],
  [500, 'business', 'free', undefined],
  [null, 'starter', 'business', null],
  [null, 'business', 'starter', undefined],
  [undefined, 'business', 'starter', undefined],
] as const)(
  'a limit of %s is, after a change from %s to %s, %s (undefined: that of the plan)',
  (own, from, to, kept) => {
    const limits = { free: 100, starter: 1_000, business: 5_000, enterprise: null };
    expect(limitAfter(choice(own), { from, to }, limits)).toEqual(choice(kept));
  },
);
