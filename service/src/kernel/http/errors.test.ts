import { pino } from 'pino';
import { expect, test } from 'vitest';

import { DatabaseUnavailableError } from '../db/index.ts';
import { refusalOf } from '../../decode/usage-answer.ts';
import { answerTo, logFault } from './errors.ts';
import { HttpError } from './http-error.ts';

const withStatus = (statusCode: number, code = '') =>
  Object.assign(new Error('secret internal detail'), { statusCode, code });

test.each([
  ['a bug', new TypeError("cannot read properties of undefined (reading 'secret')"), 500],
  ['an error that claims success', withStatus(200), 500],
  ['a gateway error of a library', withStatus(502), 500],
  ['a database that does not answer', new DatabaseUnavailableError('connection to secret-host refused'), 503],
  ['an overloaded library', withStatus(503), 503],
  ['a bad request of a library', withStatus(400, 'FST_ERR_SOMETHING_NEW'), 400],
  ['an unexpected status', withStatus(418, 'FST_ERR_SOMETHING_NEW'), 418],
  ['what a party outside answered to us', withStatus(401, 'api_key_invalid'), 500],
])('%s is answered in fixed words, never its own', (_, error, status) => {
  const answer = answerTo(error);
  expect(answer.status).toBe(status);
  expect(answer.text).not.toMatch(/secret/);
  expect(answer.text.length).toBeGreaterThan(10);
  expect('retry-after' in answer.headers).toBe(status === 503);
});

test('a character that PostgreSQL cannot store is a fault of the sender', () => {
  const error = Object.assign(new Error('invalid byte sequence for encoding "UTF8": 0x00'), { code: '22021' });
  expect(answerTo(error)).toMatchObject({ status: 400, text: expect.not.stringContaining('UTF8') });
});

test('a reader that leaves an answer is no error of the service', () => {
  const written: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void written.push(line) });
  logFault(Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }), 500, log);
  logFault(new Error('bug'), 500, log);
  expect(written.map((line): unknown => JSON.parse(line))).toMatchObject([{ level: 30 }, { level: 50 }]);
});

test('a refusal contains its own message', () => {
  const refusal = new HttpError(409, 'Not now.', { 'retry-after': '1' });
  expect(answerTo(refusal)).toEqual({ status: 409, text: 'Not now.', headers: { 'retry-after': '1' } });
});

test('an overloaded meter is answered as 503 with the time to wait', () => {
  expect(answerTo(refusalOf({ kind: 'overloaded', retryAfterSeconds: 7 }))).toEqual({
    status: 503,
    text: 'The service is busy. Try again in a moment.',
    headers: { 'retry-after': '7' },
  });
});
