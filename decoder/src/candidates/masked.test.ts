import { readFileSync } from 'node:fs';

import * as fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';

import { Container } from '../catalog/container.ts';
import { Strings } from '../catalog/strings.ts';
import { VinReader } from '../decode/reader.ts';
import { Scratch } from '../decode/reading.ts';
import { CandidateFinder } from './find.ts';
import type { Hints } from './hints.ts';

const YEAR = 2026;

/** BMW's layouts have most rows, and most ranges of serial numbers. */
const VINS = ['WBA3A5C50DF358000', 'WBS8M9C55J5K98000', '5UXFE83518L162000', 'WDDWJ6EB3KF800000', 'WVWZZZ1KZCW001000'];
/** VINs of makes with many models, of NHTSA's keys, and of a WMI that several makes share. */
const OTHERS = [
  '5YJSA1E26HF176000',
  '1FTFW1ED1MFA99000',
  'JM3KEBCE4D0122000',
  'WF0SXXGCDS9A10000',
  'Y6D11183070170000',
];

const container = new Container(readFileSync(new URL('../../../catalog/build/marque.catalog', import.meta.url)));
const strings = new Strings(container);
const reader = new VinReader(container, strings);
const finder = new CandidateFinder(reader, strings);
const scratch = new Scratch();

/** Positions from 4 on, up to all of them: a WMI is asked for. */
const masked = fc
  .tuple(fc.constantFrom(...VINS, ...OTHERS), fc.uniqueArray(fc.integer({ min: 3, max: 16 }), { maxLength: 14 }))
  .map(([vin, positions]) => Array.from(vin, (character, at) => (positions.includes(at) ? '*' : character)).join(''));

const hints: fc.Arbitrary<Hints> = fc.record(
  {
    modelYear: fc.integer({ min: 1980, max: 2027 }),
    fuelType: fc.constantFrom('Gasoline', 'Diesel', 'Electric'),
    displacementCc: fc.integer({ min: 600, max: 6000 }),
    powerKw: fc.integer({ min: 30, max: 500 }),
    bodyStyleNormalized: fc.constantFrom('sedan', 'wagon', 'suv'),
    market: fc.constantFrom('Europe', 'North America'),
  },
  { requiredKeys: [] },
);

afterEach(() => {
  vi.restoreAllMocks();
});

function makeOf(vin: string): string | undefined {
  return finder.find(vin, {}, YEAR, scratch).report.manufacturer;
}

/** Counts for one answer the VINs that are read, and the drafts that are completed by tables of specifications. */
function workFor(vin: string, given: Hints): { read: number; completed: number } {
  const read = vi.spyOn(reader, 'read').mockClear();
  const completed = vi.spyOn(reader, 'complete').mockClear();
  finder.find(vin, given, YEAR, scratch);
  return { read: read.mock.calls.length, completed: completed.mock.calls.length };
}

test('reads at most so many VINs, for any mask and hints', () => {
  const examples = VINS.map((vin): [string, Hints] => [vin.slice(0, 3).padEnd(17, '*'), {}]);
  fc.assert(
    fc.property(masked, hints, (vin, given) => {
      const { read, completed } = workFor(vin, given);
      expect(read).toBeLessThanOrEqual(403);
      expect(completed).toBeLessThanOrEqual(43);
    }),
    { examples, numRuns: 400 },
  );
});

test('for any mask, the characters that facts name are few enough to compare, or are not compared', () => {
  const examples = [...VINS, ...OTHERS].map((vin): [string] => [vin.slice(0, 3).padEnd(17, '*')]);
  fc.assert(
    fc.property(masked, (vin) => {
      scratch.codes.read(vin);
      expect(reader.fillingsOf(scratch.codes)?.length ?? 0).toBeLessThanOrEqual(120);
    }),
    { examples, numRuns: 400 },
  );
});

test('leaves the year open that a character of the serial number tells, though the model hangs on another', () => {
  // Ford's position 12 is the month: from September on the cars are of the next year.
  const years = ['A', 'Y'].map((month) => finder.find(`WF0VXXBDFV4${month}12345`, {}, YEAR, scratch).report.modelYear);
  expect(years).toEqual(['2004', '2005']);
  const { report, open } = finder.find('WF0VXXBD*V4******', {}, YEAR, scratch);
  expect(report.modelYear).toBeUndefined();
  expect(open.find(({ field }) => field === 'modelYear')?.candidates).toEqual([2004, 2005]);
});

test('answers no more of a VIN whose serial number is masked than of the whole VIN with a right check digit', () => {
  const vin = 'YV1LFL1V8P1990000';
  const whole = finder.find(vin, {}, YEAR, scratch).report;
  const part = finder.find(`${vin.slice(0, 11)}******`, {}, YEAR, scratch).report;
  expect(Object.keys(whole.specs ?? {})).toEqual(expect.arrayContaining(Object.keys(part.specs ?? {})));
});

test('offers no wheels and gearboxes of cars for a truck', () => {
  const { report, open } = finder.find('WMAN05ZZ5HY123456', {}, YEAR, scratch);
  expect(report.bodyStyleNormalized).toBe('truck');
  expect(open.map(({ field }) => field)).not.toEqual(expect.arrayContaining(['specs.driveType']));
  expect(open.map(({ field }) => field)).not.toEqual(expect.arrayContaining(['specs.transmission']));
});

test('a masked VIN with too many completions to compare gives its make, and only if no other is possible', () => {
  expect(makeOf('WVW**************')).toBe('Volkswagen');
  // The plant in Zaporizhzhia has put its WMI on cars of several makes.
  expect(makeOf('Y6D**************')).toBeUndefined();
  // Dacias carry Renault's WMI, too.
  expect(makeOf('VF1**************')).toBeUndefined();
});
