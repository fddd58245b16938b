import { fastify } from 'fastify';
import { expect, test } from 'vitest';

import { ErrorResponse } from './schemas.ts';
import { reportHealth, SILENT } from './health.ts';

test('/readyz names the reason why the service cannot decode, and /healthz is not affected', async () => {
  let fault: string | undefined;
  let isStopping = false;
  await using app = fastify();
  app.addSchema(ErrorResponse);
  reportHealth(
    app,
    async () => {
      if (fault === 'throws') throw new Error('a password');
      return fault;
    },
    () => isStopping,
  );
  const ready = async () => {
    const { statusCode, body } = await app.inject('/readyz');
    return `${statusCode} ${body}`;
  };
  expect(await ready()).toBe('200 {"status":"ready"}');
  fault = 'The clocks differ.';
  expect(await ready()).toBe('503 {"error":"The clocks differ."}');
  fault = 'throws';
  expect(await ready()).toBe(`503 {"error":"${SILENT}"}`);
  expect((await app.inject('/healthz')).statusCode).toBe(200);
  isStopping = true;
  expect(await ready()).toBe('503 {"error":"The service is stopping."}');
});
