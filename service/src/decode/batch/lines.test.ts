import { expect, test } from 'vitest';

import { anyTurn } from '../../kernel/limits/loop-turns.ts';
import { turnsDuring } from '../../testing/loop-turns.ts';
import { batchRequest } from './lines.ts';

test.each([
  ['VINs', '1HGCM82633A004352', 8],
  ['long texts', ' x'.repeat(2_048), 1_000],
])('others get their turn while %s of a batch are read', async (_, text, least) => {
  const texts = Array.from({ length: 1_000 }, () => text);
  const { result, turns } = await turnsDuring(() => batchRequest(texts, () => 'id', undefined, anyTurn));
  expect(result.forms.length).toBe(1_000);
  expect(turns).toBeGreaterThanOrEqual(least);
});

test('of the texts that are no VIN the first twenty are searched for one', async () => {
  const texts = Array.from({ length: 40 }, () => 'VIN 1HGCM82633A004352, red');
  const { forms } = await batchRequest([...texts, '1HGCM82633A004352'], () => '', undefined, anyTurn);
  const says = forms.map((form) => form.kind === 'malformed' && form.message.includes('Send the VIN alone'));
  expect(says.indexOf(false)).toBe(20);
  expect(says.filter(Boolean)).toHaveLength(20);
  expect(forms.at(-1)).toMatchObject({ kind: 'vin' });
});
