import { expect, test } from 'vitest';

import { withCoverage, withFigures } from './readme.ts';
import type { Scored } from './tally.ts';

const README = 'Before\n\n<!-- Written by `npm run accuracy` -->\n\nold\n\n<!-- End of what it wrote -->\n\nAfter\n';

/** 1,000 Hondas: all get the make, half a model, of which one in ten is wrong; none has a labeled body. */
const cars: Scored[] = Array.from({ length: 1_000 }, (_, index) => {
  const vin = '1HGCM82633A004352';
  const report = { vin, manufacturer: 'Honda', ...(index < 500 ? { model: index < 50 ? 'Civic' : 'Accord' } : {}) };
  return { labeled: { vin, expected: { manufacturer: 'Honda', model: 'Accord' }, yearBasis: 'model-year' }, report };
});

test('the table takes the place of the old one, with the sets that were measured and the fields that have labels', () => {
  expect(withFigures(README, new Map([['brazil', [cars]]]))).toBe(
    [
      'Before\n',
      '<!-- Written by `npm run accuracy` -->\n',
      '| VINs   | how many |      make |       model | year | body | fuel |',
      '| ------ | -------: | --------: | ----------: | ---: | ---: | ---: |',
      '| Brazil |    1,000 | 100 / 100 | 50.0 / 90.0 |      |      |      |\n',
      '<!-- End of what it wrote -->\n',
      'After\n',
    ].join('\n'),
  );
});

test('a README without the place for it is refused', () => {
  expect(() => withFigures('Before\n', new Map([['brazil', [cars]]]))).toThrow('no place for figures');
});

test('of several ways of leaving out, the lower share of each figure is shown', () => {
  const fewer = cars.map((car, index) => (index < 250 ? car : { ...car, report: { ...car.report, model: undefined } }));
  const text = withFigures(README, new Map([['brazil', [cars, fewer as Scored[]]]]));
  expect(text).toContain('| 25.0 / 80.0 |');
});

test('the table of coverage counts the cars whose model is known, by region and years', () => {
  const readme = README.replace('accuracy`', 'accuracy -- --coverage`');
  const known = cars.map(({ labeled, report }): Scored => {
    return { labeled, report: Object.assign({ region: 'Europe', generation: 'VII' }, report) };
  });
  const rows = withCoverage(readme, known).split('\n');
  expect(rows.filter((row) => row.startsWith('| Europe'))).toEqual([
    '| Europe, year unknown |      500 |        100 |      0 |     0 |       0 |     0 |      0 |           0 |',
  ]);
});
