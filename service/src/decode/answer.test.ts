import { CATALOG_ROOT, readLabeled } from '@marque/catalog';
import { describe, expect, test } from 'vitest';

import { decoder, talkativeDecoder } from '../testing/decoder.ts';
import { answerOfReport, answerOfVin } from './answer.ts';
import { premiumFields, project } from './depth.ts';
import { outcomeOf } from './outcome.ts';

const golden = readLabeled(`${CATALOG_ROOT}/facts/labelled/golden.jsonl`).map(({ vin }) => vin);
/** Other cars of the same kinds: most of them share a report. */
const vins = [...golden, ...golden.map((vin) => `${vin.slice(0, 14)}987`), 'ZZZ00000000000000', '1H900000000000000'];

describe('the answer of a shared report', () => {
  test('is, at each depth, the JSON of its own report, projected', () => {
    for (const vin of [...vins, ...vins]) {
      const report = decoder.decode(vin);
      const answer = answerOfVin(decoder.shared(vin), vin);
      for (const depth of ['full', 'basic'] as const) {
        expect(answer.textAt(depth)).toBe(JSON.stringify(project(depth, report)));
      }
      expect(answer.report()).toEqual(report);
      expect(answer).toMatchObject({ vin, premiumFields: premiumFields(report), outcome: outcomeOf(report) });
      expect([answer.manufacturer, answer.model]).toEqual([report.manufacturer, report.model]);
    }
  });

  test('contains nothing that the response schema does not list', () => {
    const vin = '1HGCM82633A004352';
    const answer = answerOfVin(talkativeDecoder.shared(vin), vin);
    expect(answer.textAt('full')).toBe(JSON.stringify(project('full', decoder.decode(vin))));
  });

  test('is kept once for all VINs alike', () => {
    expect(decoder.shared('1HGCM82633A004353')).toBe(decoder.shared('1HGCM82633A004354'));
  });
});

test('the answer of a report alone is its JSON, projected', () => {
  const report = decoder.decode('1HGCM82633A004352');
  const answer = answerOfReport(report);
  for (const depth of ['full', 'basic'] as const) {
    expect(answer.textAt(depth)).toBe(JSON.stringify(project(depth, report)));
  }
});
