import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { badLineTo } from './bad-line.ts';
import { startService } from './real-service.ts';

test('the Python client keeps its promises on the real service', async () => {
  await using service = await startService();
  await using line = await badLineTo(service.url, ['answer lost', { status: 503, retryAfter: '0' }]);
  const env = {
    PATH: process.env['PATH'],
    MARQUE_URL: service.url,
    MARQUE_BAD_LINE: line.url,
    MARQUE_KEY: await service.keyFor('python', 1000),
    MARQUE_SMALL_KEY: await service.keyFor('small', 1),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const tests = fileURLToPath(new URL('../python/tests/test_client.py', import.meta.url));
  const { stderr } = await promisify(execFile)('python3', ['-W', 'error', tests], { env });
  expect(stderr).toMatch(/\nRan 19 tests in .*\n\nOK\n$/);
});
