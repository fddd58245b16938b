import { expect, test } from 'vitest';

import { planAfter } from './subscriptions.ts';

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
