import { type Hints, openCatalog, type VehicleReport } from '@marque/decoder';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { readLabeled } from './labels/labeled.ts';
import { catalogFile } from './root.ts';
import { CATALOG_ROOT } from './root.ts';

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });
const VINS = readLabeled(`${CATALOG_ROOT}/facts/labelled/golden.jsonl`).map(({ vin }) => vin);
const vin = fc.constantFrom(...VINS);
const hints: fc.Arbitrary<Hints> = fc.record(
  {
    modelYear: fc.integer({ min: 1980, max: 2027 }),
    registrationYear: fc.integer({ min: 1980, max: 2027 }),
    fuelType: fc.constantFrom('Gasoline', 'Diesel', 'Electric', 'Hybrid'),
    displacementCc: fc.integer({ min: 600, max: 6000 }),
    powerKw: fc.integer({ min: 30, max: 500 }),
    bodyStyleNormalized: fc.constantFrom('sedan', 'wagon', 'hatchback', 'suv', 'van'),
    driveType: fc.constantFrom('Front-wheel drive', 'Rear-wheel drive', 'All-wheel drive'),
    transmission: fc.constantFrom('Manual', 'Automatic'),
  },
  { requiredKeys: [] },
);

/** Texts that say more when more is known: the engine's line, and the bodies that remain. */
const GROWING: ReadonlySet<string> = new Set(['engine', 'possibleBodyStyles', 'bodyStyleNormalized']);

function leaves(report: VehicleReport): [name: string, value: unknown][] {
  const { specs = {}, technicalSpecs = {}, ...flat } = report;
  return [...Object.entries(flat), ...Object.entries(specs), ...Object.entries(technicalSpecs)].filter(
    ([name]) => !GROWING.has(name),
  );
}

test('values decoded from the VIN stay, for any hints', () => {
  fc.assert(
    fc.property(vin, hints, (known, given) => {
      const settled = leaves(decoder.decode(known));
      const hinted = new Map(leaves(decoder.candidates(known, given).report));
      for (const [name, value] of settled) expect([name, hinted.get(name)]).toEqual([name, value]);
    }),
  );
});

test('without hints the report is that of a decode, and open fields have no value in it', () => {
  for (const known of VINS) {
    const { report, open, conflicts } = decoder.candidates(known);
    expect(report).toEqual(decoder.decode(known));
    expect(conflicts).toEqual([]);
    for (const { field, candidates, settledBy } of open) {
      const [first = '', second] = field.split('.');
      const value: unknown =
        second === undefined ? Reflect.get(report, first) : Reflect.get(report.specs ?? {}, second);
      expect(value === undefined || value === 'unknown').toBe(true);
      expect(candidates.length).toBeGreaterThan(0);
      expect(new Set(candidates).size).toBe(candidates.length);
      expect(settledBy.length).toBeGreaterThan(0);
    }
  }
});

test('a hint that contradicts the VIN is named and ignored', () => {
  const { report, conflicts } = decoder.candidates('1HGCM82633A004352', { modelYear: 1995, fuelType: 'Diesel' });
  expect(conflicts).toEqual(['modelYear', 'fuelType']);
  expect(report).toEqual(decoder.decode('1HGCM82633A004352'));
});

test('a hint against what a VIN with one unreadable character settles is named and ignored', () => {
  const known = VINS.flatMap((whole) =>
    [3, 4, 5, 6, 7, 8, 9, 10].map((at) => `${whole.slice(0, at)}*${whole.slice(at + 1)}`),
  ).flatMap((masked) => {
    const { report } = decoder.candidates(masked);
    const { fuelType } = report.specs ?? {};
    return fuelType === 'Gasoline' || fuelType === 'Diesel' ? [{ masked, report, fuelType }] : [];
  });
  expect(known.length).toBeGreaterThan(20);
  for (const { masked, report, fuelType } of known) {
    const hinted = decoder.candidates(masked, { fuelType: fuelType === 'Diesel' ? 'Gasoline' : 'Diesel' });
    expect([masked, hinted.conflicts, hinted.report]).toEqual([masked, ['fuelType'], report]);
  }
});

test.each([{ modelYear: 2060 }, { modelYear: 1950 }, { registrationYear: 2060 }])(
  'a year that no vehicle of a VIN has is a contradiction: %j',
  (given) => {
    const known = 'UU1DBG005RU000001';
    const { report, conflicts } = decoder.candidates(known, given);
    expect([report, conflicts]).toEqual([decoder.decode(known), Object.keys(given)]);
  },
);

test('a hint that contradicts the VIN leaves the others as they were without it', () => {
  const known = '1GKS*CKJ2GR000001';
  const right = decoder.candidates(known, { driveType: 'Rear-wheel drive' });
  const { conflicts, ...rest } = decoder.candidates(known, { driveType: 'Rear-wheel drive', modelYear: 2060 });
  expect([right.conflicts, conflicts]).toEqual([[], ['modelYear']]);
  expect({ ...rest, conflicts: [] }).toEqual(right);
});

test('no year is answered that a hint says it is not, where characters are unreadable', () => {
  const { report, conflicts } = decoder.candidates('TMBJ*8*Z3SC000001', { modelYear: 2012 });
  expect([report.modelYear, conflicts]).toEqual([undefined, ['modelYear']]);
});

test.each([
  ['KM8K23A*3KU000001', { displacementCc: 8000 }],
  ['5UXWX9C*XH0W00001', { displacementCc: 2993 }],
] as const)('a hint that every VIN behind the mask of %s contradicts is named, and changes nothing', (known, given) => {
  const { conflicts, ...rest } = decoder.candidates(known, given);
  expect(conflicts).toEqual(['displacementCc']);
  expect({ ...rest, conflicts: [] }).toEqual(decoder.candidates(known));
});

test('a hint that a contradiction alone brings into question is none', () => {
  const { conflicts } = decoder.candidates('MMBJNK*30GH******', { modelYear: 2009, registrationYear: 2008 });
  expect(conflicts).toEqual(['modelYear']);
});

test('a market of which no known vehicle behind a mask is leaves the model as it is', () => {
  const known = 'KM8K23A*3KU000001';
  const { report, conflicts } = decoder.candidates(known, { market: 'Europe' });
  expect(report.model).toBe('Kona');
  expect([report, conflicts]).toEqual([decoder.candidates(known).report, ['market']]);
});

test('a vehicle whose displacement is known is offered no electric motor alone', () => {
  const known = '9BD2651JHM9000001';
  const { report, open } = decoder.candidates(known);
  expect(report.specs?.displacementCc).toBe(1368);
  expect(open.find(({ field }) => field === 'specs.fuelType')?.candidates).toEqual(['Gasoline', 'Diesel']);
  expect(decoder.candidates(known, { fuelType: 'Electric' })).toMatchObject({ report, conflicts: ['fuelType'] });
});

test('fields that hints decide are answered with the specifications of the remaining variant', () => {
  const golf = 'WVWZZZ1KZCA123456';
  const open = decoder.candidates(golf);
  const bodies = open.open.find(({ field }) => field === 'bodyStyleNormalized')?.candidates ?? [];
  expect(new Set(bodies)).toEqual(new Set(['hatchback', 'wagon']));
  expect(open.report.technicalSpecs?.lengthMm).toBeUndefined();
  const hinted = decoder.candidates(golf, { bodyStyleNormalized: 'hatchback', fuelType: 'Diesel', powerKw: 77 });
  expect(hinted.report).toMatchObject({
    bodyStyleNormalized: 'hatchback',
    // Among the diesels of a Golf VI only the 1.6 had 77 kW.
    specs: { fuelType: 'Diesel', powerKw: 77, displacementCc: 1598 },
    technicalSpecs: { lengthMm: 4199, heightMm: 1480 },
  });
});

test('a power that only one engine of the model has gives its size, and the weight of the car', () => {
  const { report, engines } = decoder.candidates('WVWZZZ1KZCW123456', {
    modelYear: 2012,
    fuelType: 'Diesel',
    powerKw: 77,
  });
  expect(report.specs).toMatchObject({ fuelType: 'Diesel', displacementCc: 1598, powerKw: 77 });
  expect(report.technicalSpecs).toMatchObject({ lengthMm: 4199, wheelbaseMm: 2578, curbWeightKg: 1239 });
  expect(engines).toEqual([]);
  const hinted = (vin: string, powerKw: number): unknown => {
    const driveType = 'Front-wheel drive';
    return decoder.candidates(vin, { bodyStyleNormalized: 'wagon', fuelType: 'Diesel', powerKw, driveType }).report
      .technicalSpecs;
  };
  expect(hinted('WVWZZZ1KZCM123456', 77)).toMatchObject({ curbWeightKg: 1345 });
  expect(hinted('WVWZZZ3CZCE123456', 103)).toMatchObject({ curbWeightKg: 1496 });
});

test('an engine is chosen as a whole: its fields are hints that contradict nothing, and leave engines like it', () => {
  const withEngines = VINS.filter((known) => decoder.candidates(known).engines.length > 0);
  expect(withEngines.length).toBeGreaterThan(2);
  for (const known of withEngines) {
    for (const engine of decoder.candidates(known).engines.slice(0, 3)) {
      const { engines, conflicts } = decoder.candidates(known, engine);
      const others = engines.filter(
        ({ powerKw, fuelType }) => isFar(engine.powerKw, powerKw) || fuelType !== engine.fuelType,
      );
      expect([known, engine, conflicts, others]).toEqual([known, engine, [], []]);
    }
  }
});

test.each([
  ['the report, which joined specifications settle', '9BFZK03A89B000001', { powerKw: 54 }],
  ['an engine, which other years had', 'WVGZZZ5NZMW000001', { fuelType: 'Diesel', displacementCc: 1968, powerKw: 103 }],
  ['the candidates, which one of the VINs behind a mask has', 'WVWBN7AN9DE******', { powerKw: 149 }],
  [
    'the candidates, which VINs behind a mask have that the hint does not choose',
    'YV4902RK9G2******',
    { powerKw: 180 },
  ],
] as const)('a hint that says the same as %s is no contradiction', (_, known, given) => {
  const said = decoder.candidates(known);
  const isReported = Object.entries(given).every(
    ([name, value]) => Reflect.get(said.report.specs ?? {}, name) === value,
  );
  const isEngine = said.engines.some((engine) =>
    Object.entries(given).every(([name, value]) => Reflect.get(engine, name) === value),
  );
  const powers = said.open.find(({ field }) => field === 'specs.powerKw')?.candidates ?? [];
  expect([isReported, isEngine, powers.includes(given.powerKw)]).toContain(true);
  const { conflicts, report, open } = decoder.candidates(known, given);
  expect(conflicts).toEqual([]);
  const left = open.find(({ field }) => field === 'specs.powerKw')?.candidates ?? [report.specs?.powerKw];
  expect(left).toEqual([given.powerKw]);
});

test('an electric car has no displacement that is open, and a hint of one is a contradiction', () => {
  const known = '5YJ3F7EA2KF000001';
  expect(decoder.candidates(known).open.map(({ field }) => field)).not.toContain('specs.displacementCc');
  const { report, conflicts } = decoder.candidates(known, { displacementCc: 2000 });
  expect([report, conflicts]).toEqual([decoder.decode(known), ['displacementCc']]);
  const hinted = decoder.candidates('WF0NXXGCDNXL00001', { fuelType: 'Electric', displacementCc: 1600 });
  expect([hinted.report.specs?.fuelType, hinted.conflicts]).toEqual(['Electric', ['displacementCc']]);
});

test('a machine is offered no body and no engine that are usual for cars', () => {
  const { report, open } = decoder.candidates('KMTPW032LKU000001', { bodyStyleNormalized: 'sedan' });
  expect([report.vehicleType, report.bodyStyleNormalized, open]).toEqual(['Machine', 'unknown', []]);
});

function isFar(chosenKw: number | undefined, kw: number | undefined): boolean {
  return chosenKw !== undefined && kw !== undefined && Math.abs(chosenKw - kw) > Math.max(2, chosenKw * 0.08);
}

test('an engine is one that the vehicle may have: a Golf with 1.6 liters and a diesel has no power of the 2.0', () => {
  const { engines } = decoder.candidates('WVWZZZ1KZCW123456', { fuelType: 'Diesel', displacementCc: 1600 });
  expect(engines).toContainEqual({ fuelType: 'Diesel', displacementCc: 1598, powerKw: 77 });
  for (const { displacementCc, powerKw = 0 } of engines) {
    expect(displacementCc).toBe(1598);
    expect(powerKw).toBeLessThan(135);
  }
});

test('an engine has the powers of its own generation, the usual one first: a Golf VI has none of the Golf VII', () => {
  const { engines } = decoder.candidates('WVWZZZ1KZCW123456', { fuelType: 'Diesel', displacementCc: 1968 });
  expect(engines.map(({ powerKw }) => powerKw)).toEqual([103, 125, 81]);
  expect(openOf('WVWZZZ1KZCW123456', 'powerKw')).not.toContain(135);
});

function openOf(known: string, field: string): readonly unknown[] {
  return decoder.candidates(known).open.find((one) => one.field === field)?.candidates ?? [];
}

test('the years are those of the generation, and the body that most cars have comes first', () => {
  expect(openOf('WVWZZZ1KZCA123456', 'bodyStyleNormalized')[0]).toBe('hatchback');
  // A BMW of the F11 generation has no year in its VIN.
  const years = openOf('WBAMX11040C883677', 'modelYear').map(Number);
  expect(Math.min(...years)).toBeGreaterThanOrEqual(2009);
  expect(Math.max(...years)).toBeLessThanOrEqual(2017);
});

test('a European car of 2001 has most likely a manual gearbox and driven front wheels, and may have others', () => {
  expect(openOf('WVWZZZ1JZ1W290081', 'specs.transmission')).toEqual(['Manual', 'Automatic']);
  expect(openOf('WVWZZZ1JZ1W290081', 'specs.driveType')[0]).toBe('Front-wheel drive');
  // The lists of 2009 name automatic gearboxes only.
  expect(openOf('W0L0AHL3095000089', 'specs.transmission')).toContain('Manual');
});

test('power and body rule out models that never had them', () => {
  expect(modelsOf({ powerKw: 300 })).not.toContain('Fiesta');
  expect(modelsOf({ bodyStyleNormalized: 'cabrio' })).not.toContain('Mondeo');
});

test('engines and driven wheels are those that the model had', () => {
  const { open } = decoder.candidates('WVWZZZ1KZCA123456', { fuelType: 'Diesel' });
  const candidatesOf = (field: string): unknown[] => open.find((known) => known.field === field)?.candidates ?? [];
  expect(candidatesOf('specs.displacementCc')).toEqual(expect.arrayContaining([1598, 1968]));
  expect(new Set(candidatesOf('specs.driveType'))).toEqual(new Set(['All-wheel drive', 'Front-wheel drive']));
});

test('no list of a variant makes the wheels of other models possible', () => {
  const { open } = decoder.candidates('WVWZZZ1KZCW123456', { fuelType: 'Diesel', displacementCc: 1598, powerKw: 77 });
  const drives = open.find(({ field }) => field === 'specs.driveType')?.candidates;
  expect(drives).not.toContain('Rear-wheel drive');
});

function modelsOf(hints: Hints): readonly unknown[] {
  const { open } = decoder.candidates('WF0*XX*****', hints);
  return open.find(({ field }) => field === 'model')?.candidates ?? [];
}

test('models that were never built with an engine like the hints are not candidates', () => {
  expect(modelsOf({})).toEqual(expect.arrayContaining(['Fiesta', 'Transit']));
  const diesels = modelsOf({ fuelType: 'Diesel', displacementCc: 3199 });
  expect(diesels).toContain('Transit');
  expect(diesels).not.toContain('Fiesta');
});

test('a VIN without its serial number gives the values of its first characters', () => {
  const whole = decoder.decode('1HGCM82633A004352');
  for (const masked of ['1HGCM82633A', '1HGCM82633A******']) {
    const { report } = decoder.candidates(masked);
    expect(report).toMatchObject({
      vin: '1HGCM82633A******',
      validFormat: false,
      model: whole.model,
      trim: whole.trim,
    });
    expect(report.specs).toEqual(whole.specs);
  }
  for (const text of ['1HGCM82633', '1H*CM82633A', '1HGCM82633A0043521', '1HGCM8263IA']) {
    expect(() => decoder.candidates(text)).toThrow(RangeError);
  }
});

/** Returns the model year of a VIN; NaN without a VIN, or without a year. */
function yearOf(text: string | undefined): number {
  return Number(text && decoder.decode(text).modelYear);
}

test('hints decide between repairs of a mistyped VIN', () => {
  // Without position 10, the repairs differ in the year.
  const texts = VINS.slice(0, 30).map((known) => known.slice(0, 9) + known.slice(10));
  const ties = texts.flatMap((text) => {
    const [first = 0, second = 0] = decoder.suggest(text).map((suggestion) => yearOf(suggestion.vin));
    return first > 0 && second > 0 && Math.abs(first - second) > 1 ? [{ text, second }] : [];
  });
  expect(ties.length).toBeGreaterThan(0);
  for (const { text, second } of ties) {
    const [best] = decoder.suggest(text, { modelYear: second });
    expect(Math.abs(yearOf(best?.vin) - second)).toBeLessThanOrEqual(1);
  }
});

test('the makes that share a WMI are candidates, and its evidence', () => {
  const vin = 'LSGZZ52H5MD012345';
  const makes = ['Buick', 'Chevrolet', 'Cadillac'];
  expect(decoder.decode(vin).manufacturer).toBeUndefined();
  expect(decoder.candidates(vin).open[0]).toMatchObject({ field: 'manufacturer', candidates: makes });
  const evidence = decoder.explain(vin).fields.find(({ field }) => field === 'manufacturer');
  expect(evidence?.alternatives.map(({ value }) => value)).toEqual(makes);
  expect(evidence?.note).toBe('the WMI is LSG, which several makes share');
  // A make that is known is not open.
  expect(openOf('KNDJT2A2XA7012345', 'manufacturer')).toEqual([]);
});
