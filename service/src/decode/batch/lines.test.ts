import { expect, test } from 'vitest';

import { turnsDuring } from '../../testing/loop-turns.ts';
import { batchRequest } from './lines.ts';

test.each([
  ['VINs', '1HGCM82633A004352', 8],
  ['long texts', ' x'.repeat(2_048), 400],
])('others get their turn while %s of a batch are read', async (_, text, least) => {
  const texts = Array.from({ length: 1_000 }, () => text);
  const { result, turns } = await turnsDuring(() => batchRequest(texts, () => 'id', undefined));
  expect(result.forms.length).toBe(1_000);
  expect(turns).toBeGreaterThanOrEqual(least);
});
