import { matchesPattern, SQUISH_POSITIONS, type SharedReport } from '@marque/decoder';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { mergeFields } from './apply.ts';
import { OverrideIndex, trialOf } from './override-index.ts';
import { faultsInScope, positionsOf, scopeText, withinYears } from './scope.ts';
import type { OverrideFields, PatternScope, Scope } from './types.ts';

const VIN = 'WVWZZZ1KZ5W123456';
const own = (vin = VIN): Scope => ({ kind: 'vin', vin });
const pattern = (text: string, years: PatternScope['years'] = [null, null], wmi = 'WVW'): PatternScope => ({
  kind: 'pattern',
  wmi,
  pattern: text,
  years,
});

function indexOf(...overrides: readonly (readonly [Scope, OverrideFields])[]): OverrideIndex {
  const index = new OverrideIndex();
  for (const [order, [scope, fields]] of overrides.entries()) {
    index.add({ id: String(order), scope, fields: JSON.stringify(fields), order });
  }
  return index;
}

const winning = (index: OverrideIndex, vin = VIN, year: string | undefined = '2005') =>
  mergeFields(index.covering(vin, year).map(({ fields }) => fields));

describe('precedence of overrides', () => {
  // Oldest first. Each field is decided by itself.
  test.each<[string, (readonly [Scope, OverrideFields])[], OverrideFields]>([
    [
      'newer beats older for one VIN',
      [
        [own(), { model: 'Old' }],
        [own(), { model: 'New' }],
      ],
      { model: 'New' },
    ],
    [
      'newer beats older for a pattern',
      [
        [pattern('ZZZ1K'), { model: 'Old' }],
        [pattern('ZZZ1K'), { model: 'New' }],
      ],
      { model: 'New' },
    ],
    [
      'the VIN beats a newer pattern',
      [
        [own(), { model: 'VIN' }],
        [pattern('ZZZ1K'), { model: 'Pattern' }],
      ],
      { model: 'VIN' },
    ],
    [
      'a newer pattern beats an older one that fixes more',
      [
        [pattern('ZZZ1KZ5'), { model: 'Narrow' }],
        [pattern(''), { model: 'Wide' }],
      ],
      { model: 'Wide' },
    ],
    [
      'fields that do not meet come from both',
      [
        [own(), { model: 'VIN' }],
        [pattern('ZZZ1K'), { model: 'Pattern', trim: 'GT' }],
      ],
      { model: 'VIN', trim: 'GT' },
    ],
    [
      'leaving a field out beats an older value',
      [
        [own(), { model: 'VIN' }],
        [own(), { model: null }],
      ],
      { model: null },
    ],
    ['another VIN has none of it', [[own('WVWZZZ1KZ5W123457'), { model: 'X' }]], {}],
    ['another WMI has none of it', [[pattern('ZZZ1K', [null, null], 'WV1'), { model: 'X' }]], {}],
    ['years hold at both ends', [[pattern('', [2005, 2005]), { model: 'X' }]], { model: 'X' }],
    ['years before', [[pattern('', [null, 2004]), { model: 'X' }]], {}],
    ['years after', [[pattern('', [2006, null]), { model: 'X' }]], {}],
    [
      "patterns go by the model year that the VIN's own override sets",
      [
        [own(), { modelYear: '2010' }],
        [pattern('', [2010, 2010]), { model: 'X' }],
        [pattern('', [2005, 2005]), { model: 'Y' }],
      ],
      { modelYear: '2010', model: 'X' },
    ],
  ])('%s', (_rule, overrides, expected) => {
    expect(winning(indexOf(...overrides))).toEqual(expected);
  });

  test('an unknown model year is in open ranges only', () => {
    const index = indexOf([pattern('', [2000, null]), { model: 'X' }], [pattern(''), { trim: 'Y' }]);
    expect(index.covering(VIN, undefined).map(({ fields }) => fields)).toEqual([{ trim: 'Y' }]);
  });

  test('a small maker is known by positions 12-14, too', () => {
    const small = pattern('ABC', [null, null], 'SA9123');
    const index = indexOf([small, { model: 'X' }]);
    expect(winning(index, 'SA9ABC00000123001')).toEqual({ model: 'X' });
    expect(winning(index, 'SA9ABC00000124001')).toEqual({});
  });

  test('a proposal counts as the newest of its kind', () => {
    const index = indexOf([own(), { model: 'VIN' }], [pattern('ZZZ1K'), { trim: 'Old' }]);
    const after = (scope: Scope) =>
      mergeFields(
        index.covering(VIN, '2005', trialOf({ scope, fields: { model: 'C', trim: 'C' } })).map(({ fields }) => fields),
      );
    expect(after(own())).toEqual({ model: 'C', trim: 'C' });
    expect(after(pattern('ZZZ1K'))).toEqual({ model: 'VIN', trim: 'C' });
    expect(after(pattern('ZZZ1K', [1990, 1999]))).toEqual({ model: 'VIN', trim: 'Old' });
  });
});

const vinCharacter = fc.constantFrom(...'AB12');
const vins = fc.array(vinCharacter, { minLength: 14, maxLength: 14 }).map((rest) => `WVW${rest.join('')}`);
const places = fc.array(
  fc.oneof(fc.constant('.'), vinCharacter, fc.constant('[AB]'), fc.constant('[0-9A-Z]'.replace('I', ''))),
  { maxLength: 14 },
);
const year = fc.option(fc.integer({ min: 2000, max: 2004 }));
const scopes: fc.Arbitrary<Scope> = fc.oneof(
  vins.map(own),
  fc
    .tuple(places, year, year)
    .map(([text, from, to]) => pattern(text.join('').replaceAll('[0-9A-Z]', '[0-9A-H]'), [from, to])),
);

const unused = (): never => expect.fail('The index reads no report.');

/** Returns one object for all VINs that may share a report. */
function sharedReports(): (vin: string) => SharedReport {
  const reports = new Map<string, SharedReport>();
  return (vin) => {
    const key = SQUISH_POSITIONS.map((position) => vin.charAt(position)).join('');
    const report = reports.get(key) ?? { for: unused, jsonFor: unused };
    reports.set(key, report);
    return report;
  };
}

test('no override is missed through a report that VINs share, in any order of questions and additions', () => {
  fc.assert(
    fc.property(fc.array(scopes, { maxLength: 10 }), fc.array(vins, { minLength: 1 }), (added, others) => {
      const index = new OverrideIndex();
      const reportOf = sharedReports();
      const asked = [...others, ...added.flatMap((scope) => (scope.kind === 'vin' ? [scope.vin] : []))];
      for (const [order, scope] of added.entries()) {
        index.add({ id: String(order), scope, fields: '{"model":"X"}', order });
        for (const vin of asked) {
          const isCovered = index.covering(vin, '2002').length > 0;
          expect(index.mayCoverShared(reportOf(vin), vin) || !isCovered).toBe(true);
        }
      }
    }),
  );
});

test('a report without an override is recognized, and an override for one VIN affects few', () => {
  const index = indexOf([own(), { model: 'X' }], [pattern('ZZZ1K'), { model: 'Y' }]);
  const reportOf = sharedReports();
  const mayCover = (vin: string): boolean => index.mayCoverShared(reportOf(vin), vin);
  expect(mayCover(VIN)).toBe(true);
  expect(mayCover('WVWZZZ1KZ5W000000')).toBe(true);
  expect(mayCover('WVWZZZ3CZ5W123456')).toBe(false);
  index.remove('1', pattern('ZZZ1K'));
  expect(mayCover(VIN)).toBe(true);
  expect(mayCover('WVWZZZ1KZ5W000000')).toBe(false);
});

test('the index finds the same as reading every override, after any additions and removals', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(scopes, fc.boolean()), { maxLength: 20 }),
      fc.array(vins, { minLength: 1, maxLength: 10 }),
      (overrides, asked) => {
        const index = indexOf(...overrides.map(([scope]) => [scope, { model: 'X' }] as const));
        for (const [order, [scope, isKept]] of overrides.entries()) if (!isKept) index.remove(String(order), scope);
        const kept = overrides.flatMap(([scope, isKept], order) => (isKept ? [{ scope, order }] : []));
        expect(index.size).toBe(kept.length);
        const own = kept.flatMap(({ scope }) => (scope.kind === 'vin' ? [scope.vin] : []));
        for (const vin of [...asked, ...own]) {
          const expected = kept.filter(({ scope }) =>
            scope.kind === 'vin'
              ? scope.vin === vin
              : matchesPattern(positionsOf(scope), vin) && withinYears(scope.years[0], scope.years[1], '2002'),
          );
          const strongest = expected.toSorted(
            (a, b) => Number(b.scope.kind === 'vin') - Number(a.scope.kind === 'vin') || b.order - a.order,
          );
          expect(index.covering(vin, '2002').map(({ id }) => id)).toEqual(strongest.map(({ order }) => String(order)));
          expect(index.mayCover(vin) || strongest.length === 0).toBe(true);
        }
      },
    ),
  );
});

describe('a scope', () => {
  test.each<[Scope, string]>([
    [own('WVW'), 'The VIN of the override is not a VIN.'],
    [own('wvwzzz1kz5w123456'), 'The VIN of the override is not a VIN.'],
    [pattern('Z', [null, null], 'WV'), 'A WMI has three characters'],
    [pattern('Z', [null, null], 'SA9'), 'A WMI has three characters'],
    [pattern('I'), '"I" is neither a character of a VIN'],
    [pattern('[A'), 'never closes it'],
    [pattern('[]'), 'is empty'],
    [pattern('[C-A]'), '"C-A" is neither'],
    [pattern('...............'), 'at most 14 characters'],
    [pattern('........A', [null, null], 'SA9123'), 'Position 12 belongs to the WMI'],
    [pattern('Z', [2010, 2000]), 'The first year is after the last.'],
    [pattern('ZZZ1KZ5W123456'), 'fewer than 10 serial numbers'],
    [pattern('........123[45][1-4]6'), 'fewer than 10 serial numbers'],
    [pattern('...........456', [null, null], 'SA9123'), 'fewer than 10 serial numbers'],
    [pattern('Z', [20, null]), 'Years go from 1900 to 2100.'],
  ])('%j is refused: %s', (scope, fault) => {
    expect(faultsInScope(scope).join(' ')).toContain(fault);
  });

  test('is described in words', () => {
    expect([own(), pattern('ZZZ[1-3]K', [2003, 2008]), pattern('')].map(scopeText)).toEqual([
      `VIN ${VIN}`,
      'WVW 4-8=ZZZ[1-3]K 2003-2008',
      'WVW every VIN',
    ]);
  });
});
