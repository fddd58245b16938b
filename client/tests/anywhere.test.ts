import { expect, test } from 'vitest';

import { runAnywhere } from './run-anywhere.ts';

test('what is run in other runtimes holds in this one', async () => {
  expect(await runAnywhere(process.execPath)).toBe('every promise held\n');
});
