import { execFile } from 'node:child_process';
import { dirname, delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

beforeAll(async () => {
  await run(process.execPath, [pathOf('../../../scripts/python.ts')]);
});

test('the Python package keeps its promises', async () => {
  const env = {
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const { stderr } = await run('python3', [pathOf('../tests/test_decoder.py')], { env });
  expect(stderr).toMatch(/\nRan 21 tests in .*\n\nOK\n$/);
});
