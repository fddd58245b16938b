import { checkDigitOf, openCatalog, VIN_CHARACTERS } from '@marque/decoder';
import { beforeAll, describe, expect, test } from 'vitest';

import { catalogFile } from '../../root.ts';
import { type FiledVin, filedVins } from '../../testing/filed-vins.ts';
import { packagedTables } from '../../testing/packaged-tables.ts';
import { randomFrom } from '../../testing/random.ts';

const CYCLE = 30;
/** A VIN may be of a model year two years ahead. */
const LATEST = 2028;

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

function withCheckDigit(vin: string): string {
  return vin.slice(0, 8) + checkDigitOf(vin) + vin.slice(9);
}

let filed: readonly FiledVin[];
beforeAll(() => {
  const tables = packagedTables();
  filed = [...filedVins(tables, LATEST, randomFrom(20_261_128))].filter(({ vin }) => !/[IOQ]/.test(vin));
}, 300_000);

test('no motorcycle, heavy truck, bus or trailer of North America is dated 30 years off', { timeout: 300_000 }, () => {
  const wrong: string[] = [];
  let [right, open] = [0, 0];
  for (const { vin, year } of filed) {
    if (!/^[1-57]/.test(vin)) continue;
    const { modelYear, manufacturer } = decoder.decode(vin);
    if (modelYear === undefined) open++;
    else if (Number(modelYear) === year) right++;
    else if (Math.abs(Number(modelYear) - year) === CYCLE)
      wrong.push(`${vin} ${manufacturer} of ${year}: ${modelYear}`);
  }
  expect(wrong).toEqual([]);
  // Both years fit where one schema is used for decades; most WMIs were in use in one of the two.
  expect(right / (right + open)).toBeGreaterThan(0.7);
});

describe('a vehicle whose two years both fit', () => {
  const TRACTOR = '1XPBD49X1RD612345';

  test('has no year, and no model or engine that depends on it', () => {
    const { manufacturer, model, modelYear, specs } = decoder.decode(TRACTOR);
    expect([manufacturer, model, modelYear, specs?.fuelType, specs?.displacementCc]).toEqual([
      'Peterbilt',
      undefined,
      undefined,
      'Diesel',
      undefined,
    ]);
  });

  test('has both years and both models as candidates, and one of each where the caller knows the year', () => {
    const { open } = decoder.candidates(TRACTOR);
    const candidates = (field: string) => open.find((one) => one.field === field)?.candidates;
    expect([candidates('modelYear'), candidates('model')]).toEqual([
      [2024, 1994],
      ['579', '375'],
    ]);
    const known = decoder.candidates(TRACTOR, { modelYear: 1994 });
    expect([known.report.modelYear, known.report.model, known.conflicts]).toEqual(['1994', '375', []]);
    expect(decoder.candidates(TRACTOR, { registrationYear: 2025 }).report.model).toBe('579');
  });

  test('is explained by that, and not by position 7', () => {
    const notes = ['1XPBD49X1RD612345', '1HGCM82633A004352', '1FTEW1EG4JFB35559', '1XKYD49X7CJ123456'].map(
      (vin) => decoder.explain(vin).fields.find(({ field }) => field === 'modelYear')?.note,
    );
    expect(notes).toEqual([
      expect.stringMatching(/^position 10 is R: 1994 or 2024; .*nothing else tells it$/),
      'position 10 is 3; position 7 is 2, a digit: up to 2009, under 49 CFR 565',
      expect.stringContaining('position 7 is E, a letter: from 2010'),
      expect.stringMatching(/^position 10 is C; the maker filed .* for 2012/),
    ]);
  });

  test('is in the vPIC view of the year that the caller knows', () => {
    const trailer = '1GRAA0621KB112345';
    const year = (known: number) => decoder.vpic(trailer, known).find(([element]) => element === 29)?.[1];
    expect([year(2019), year(1989)]).toEqual(['2019', '1989']);
    expect(decoder.decode(trailer).modelYear).toBeUndefined();
  });
});

test('series of heavy vehicles that were dated 30 years off are right or open in every plant and year', () => {
  const plants = VIN_CHARACTERS;
  const wrong: string[] = [];
  // Prefixes of vehicles built since 2011, with the codes of years in which they were.
  for (const [start, codes] of SERIES) {
    for (const code of codes) {
      for (const plant of plants) {
        const vin = withCheckDigit(`${start}0${code}${plant}612345`);
        const { modelYear } = decoder.decode(vin);
        if (modelYear !== undefined && Number(modelYear) < 2010) wrong.push(`${vin}: ${modelYear}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

/**
 * Heavy vehicles that are on the road, with the codes of the years in which their WMI and description were used: 2011
 * to 2026.
 */
const SERIES: readonly (readonly [start: string, codes: string])[] = [
  ['2NKHHM6X', 'BCDEFGHJKLMNPR'],
  ['3BKHHM7X', 'BCDEFGHJKLMNPRS'],
  ['1XKWD49X', 'PR'],
  ['2NP2HM6X', 'BCDEG'],
  ['1XPBD49X', 'EFGHJKLMNPRS'],
  ['1XPCD49X', 'RS'],
  ['2NPNHM7X', 'PR'],
  ['3HAMMAAL', 'DEFGHJ'],
  ['1HTWGAZT', 'F'],
  ['4DRBUC8N', 'ST'],
  ['1BABNBPA', 'S'],
  ['1GRAP062', 'JKLMNPRST'],
  ['3H3V532C', 'NPRST'],
  ['1TTF4830', 'GN'],
  ['1PMS3432', 'LMNPRS'],
  ['1UJCJ0BS', 'PRST'],
  ['4S7AT2D9', 'RST'],
];

test('a VIN whose first character was cut off is proposed with it, even where its check digit is wrong', () => {
  expect(decoder.suggest('C4HJXFG5KW612345')[0]?.vin).toBe('1C4HJXFG5KW612345');
});

test(
  'a year that the vPIC view doubts is in the report only for a reason beside position 10',
  { timeout: 300_000 },
  () => {
    const pick = randomFrom(20_261_129);
    const stated: string[] = [];
    const unfounded: string[] = [];
    for (const { vin } of filed) {
      if (pick(EXPLAINED) > 0) continue;
      if (!decoder.vpic(vin).some(([, text]) => text.includes(DOUBT))) continue;
      const { report, fields } = decoder.explain(vin);
      if (report.modelYear === undefined) continue;
      stated.push(vin);
      const note = fields.find(({ field }) => field === 'modelYear')?.note ?? '';
      if (!REASON.test(note)) unfounded.push(`${vin} of ${report.modelYear}: ${note}`);
    }
    expect(unfounded).toEqual([]);
    expect(stated.length).toBeGreaterThan(1_000);
  },
);

/** Of so many VINs one is explained. */
const EXPLAINED = 40;

/** The words with which NHTSA's procedures doubt a year. */
const DOUBT = 'may be incorrect';

/**
 * Reasons for one of the two years: the WMI's years, the maker's keys, a light truck's position 7, rows of a layout or
 * its years.
 */
const REASON =
  /was in use|filed characters|under 49 CFR 565|still to come|according to the rows|layout of the maker was in use/;
