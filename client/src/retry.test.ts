import { expect, test } from 'vitest';

import { retryAfterSeconds } from './errors.ts';
import { pauseAfter, type Attempt } from './retry.ts';

const OPTIONS = { retries: 3, longestPauseSeconds: 30, timeoutSeconds: 30 };

const answered = (status: number, retryAfter?: string): Attempt => ({
  kind: 'answered',
  response: new Response(null, { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } }),
});

test.each([
  ['an answer is final', answered(200), 1, undefined],
  ['a wrong request stays wrong', answered(400), 1, undefined],
  ["the month's limit stays reached", answered(429), 1, undefined],
  ['a burst limit says when', answered(429, '2'), 1, 2_000],
  ['a busy service says when', answered(503, '7'), 1, 7_000],
  ['longer than the longest pause is too long', answered(503, '31'), 1, undefined],
  ['without a time the pause doubles', answered(502), 3, 1_000],
  ['a lost connection is tried again', { kind: 'failed', error: 0 }, 1, 250],
  ['after the last try there is none', { kind: 'failed', error: 0 }, 4, undefined],
] as const)('%s', (_promise, attempt, tried, expected) => {
  expect(pauseAfter(attempt, tried, OPTIONS, 1)).toBe(expected);
});

test('Retry-After may be a date', () => {
  const response = new Response(null, { headers: { 'retry-after': 'Fri, 20 Nov 2026 11:00:05 GMT' } });
  expect(retryAfterSeconds(response, Date.parse('2026-11-20T11:00:00Z'))).toBe(5);
  expect(retryAfterSeconds(response, Date.parse('2026-11-20T12:00:00Z'))).toBe(0);
  for (const neither of ['soon', 'soon, 5', '1.5', '-1']) {
    expect(retryAfterSeconds(new Response(null, { headers: { 'retry-after': neither } }))).toBeUndefined();
  }
});
