import { join } from 'node:path';

import { openCatalog } from '@marque/decoder';
import { expect, test } from 'vitest';

import { catalogFile, CATALOG_ROOT } from '../../root.ts';
import { FIELDS, compareField } from '../../labels/compare.ts';
import { readLabeled } from '../../labels/labeled.ts';

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

test.each(readLabeled(join(CATALOG_ROOT, 'facts', 'labelled', 'golden.jsonl')))('$vin: $reason', (labeled) => {
  const report = decoder.decode(labeled.vin);
  const verdicts = FIELDS.map((field) => [field, compareField(field, labeled, report)]);
  expect(verdicts.filter(([, verdict]) => verdict === 'wrong' || verdict === 'unanswered')).toEqual([]);
});
