import { openCatalog, withOverlay } from '@marque/decoder';
import { expect, test } from 'vitest';

import { ensureCatalog } from '../build.ts';
import type { LabeledVin } from '../labels/labeled.ts';
import { impactOfRegisters } from './impact.ts';
import { patternsText } from './table.ts';
import { overlayOfRegisters } from './teach.ts';

const base = openCatalog(ensureCatalog().file);

/** Its letter means 1991 or 2021. */
const KAMAZ = 'XTC532120M0074000';
const VOLKSWAGEN = 'WVWZZZ1KZ7W000001';
const HONDA = '1HGCM82633A004352';

function impactOn(vins: readonly string[], value: string, pattern = KAMAZ) {
  const mask = `${pattern.slice(0, 8)}.${pattern.slice(9, 11)}......`;
  const fields = new Map([['years', { value, agree: 100, against: 0 }] as const]);
  const patterns = patternsText([{ mask, cars: 100, fields }]);
  const overlay = overlayOfRegisters([{ register: 'czech', imported: '2026-11-24', patterns }]);
  const labeled = vins.map((vin): LabeledVin => ({ vin, expected: {}, yearBasis: 'model-year' }));
  return impactOfRegisters(base, withOverlay(base, overlay.bytes), overlay.merged, labeled);
}

test('answers are counted before and after over all well-formed European VINs', () => {
  const vins = [KAMAZ, KAMAZ.replace('74000', '74001'), VOLKSWAGEN, HONDA, 'WVWZZZ1KZ7W00000O', 'WVW'];
  expect(base.decode(VOLKSWAGEN).modelYear).toBe('2007');
  expect(impactOn(vins, '1989-1993')).toEqual({
    vins: 3,
    gains: [{ field: 'modelYear', before: 1, after: 3 }],
    contradicted: 0,
    contradictions: [],
  });
});

test('nothing is gained if registers repeat the catalog, or describe other cars', () => {
  expect(impactOn([VOLKSWAGEN, HONDA], '2019-2023')).toMatchObject({ vins: 1, gains: [] });
  expect(impactOn([KAMAZ], '1985-2024')).toMatchObject({ vins: 1, gains: [] });
});

test('a contradiction of the catalog is reported with the number of cars', () => {
  expect(impactOn([], '2019-2023', VOLKSWAGEN)).toMatchObject({
    contradicted: 1,
    contradictions: [
      { mask: 'WVWZZZ1K.7W......', field: 'modelYear', catalog: '2007', register: '2019-2023', cars: 100 },
    ],
  });
});
