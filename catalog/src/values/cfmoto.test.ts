import { openCatalog } from '@marque/decoder';
import { expect, test } from 'vitest';

import { catalogFile } from '../root.ts';

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

test('a motorcycle of CFMoto has that make, and no class as its model, by either name that NHTSA has for it', () => {
  for (const vin of ['LCETDPL14M6001234', 'LCEPDNL18F6001234']) {
    const { manufacturer, model } = decoder.decode(vin);
    expect([manufacturer, model]).toEqual(['CFMoto', undefined]);
  }
});
