import { readFileSync } from 'node:fs';

import { expect, test, vi } from 'vitest';

import { Container } from '../catalog/container.ts';
import { Strings } from '../catalog/strings.ts';
import { VinReader } from '../decode/reader.ts';
import { Scratch } from '../decode/reading.ts';
import { CandidateFinder } from './find.ts';
import { LayoutModels } from './layout-models.ts';

const YEAR = 2026;
/** BMW's layouts have most facts. */
const MASKED = 'WBAK*61RY0XN4**00';

test('each model of a layout is weighed once, in one pass over its facts for a search with hints', () => {
  const container = new Container(readFileSync(new URL('../../../catalog/build/marque.catalog', import.meta.url)));
  const strings = new Strings(container);
  const reader = new VinReader(container, strings);
  const weigh = vi.spyOn(LayoutModels.prototype, 'weigh');
  new CandidateFinder(reader, strings).find(MASKED, { powerKw: 150, displacementCc: 3000 }, YEAR, new Scratch());
  expect(weigh).toHaveBeenCalledOnce();
  const [layout = -1, , codes = new Uint8Array()] = weigh.mock.calls[0] ?? [];
  const weighed: number[] = [];
  new LayoutModels(reader.world).weigh(layout, 0, codes, (model) => weighed.push(model));
  expect(weighed.length).toBeGreaterThan(10);
  expect(new Set(weighed).size).toBe(weighed.length);
});
