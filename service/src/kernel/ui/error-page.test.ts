import fastify from 'fastify';
import { expect, test } from 'vitest';

import { HttpError } from '../http/http-error.ts';
import { answerPageErrors } from './error-page.tsx';

test('the log of errors has what is the fault of the service, and no page that was refused', async () => {
  const lines: string[] = [];
  const app = fastify({ logger: { level: 'error', stream: { write: (line: string) => void lines.push(line) } } });
  answerPageErrors(app);
  app.get('/busy', () => {
    throw new HttpError(503, 'The service is busy.');
  });
  app.get('/broken', () => {
    throw new Error('A cable is loose.');
  });
  expect((await app.inject('/busy')).statusCode).toBe(503);
  expect(lines).toEqual([]);
  expect((await app.inject('/broken')).statusCode).toBe(500);
  expect(lines).toEqual([expect.stringContaining('A cable is loose.')]);
  await app.close();
});
