import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { generate, GENERATED } from '../generate.ts';
import { startService } from './real-service.ts';

test('the committed types are those of the description that the service serves', async () => {
  await using service = await startService();
  const description = await (await fetch(`${service.url}/openapi.json`)).text();
  // If they differ: npm run openapi, then npm run generate --workspace client.
  expect(await generate(description)).toBe(readFileSync(GENERATED, 'utf8'));
});
