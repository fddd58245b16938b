import { join } from 'node:path';

import { openCatalog } from '@marque/decoder';
import { expect, test } from 'vitest';

import { catalogFile, CATALOG_ROOT } from '../root.ts';
import { FIELDS, judge } from '../labels/judge.ts';
import { readLabelled } from '../labels/labelled.ts';

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

test.each(readLabelled(join(CATALOG_ROOT, 'facts', 'labelled', 'golden.jsonl')))('$vin: $reason', (labelled) => {
  const report = decoder.decode(labelled.vin);
  const verdicts = FIELDS.map((field) => [field, judge(field, labelled, report)]);
  expect(verdicts.filter(([, verdict]) => verdict === 'wrong' || verdict === 'unanswered')).toEqual([]);
});
