import { type VehicleReport, type VpicRow, vpicRowsOf } from '@marque/decoder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { claimOn, correctionsOn, report, type TestCorrections } from '../../corrections/testing/corrections.ts';
import { type TestDatabase, freshDatabase } from '../../testing/databases.ts';
import { decoder } from '../../testing/decoder.ts';
import { testService } from '../../testing/service.ts';
import { completeRows } from './decode-many.ts';

const ACCORD = '1HGCM82633A004352';
const MODEL = 28;
const DRIVE = 15;
const POWER_KW = 21;
const POWER_HP = 71;
const WHEELBASE = 111;

/** A car for which the reduced set has neither drive nor power, and our own tables have. */
const REPORT: VehicleReport = {
  ...decoder.decode(ACCORD),
  specs: { driveType: 'Front-wheel drive', powerKw: 179, transmission: 'Automatic, 5-speed' },
  technicalSpecs: { wheelbaseMm: 2670 },
};

const valueOf = (rows: readonly VpicRow[], element: number) => rows.find(([id]) => id === element)?.slice(1);

describe('fields that the reduced set of NHTSA lacks', () => {
  const rows = decoder.vpic(ACCORD);

  test('is answered from our own specifications, in the words and numbers of NHTSA', () => {
    const completed = completeRows(rows, REPORT, decoder.vpicFacts);
    expect(valueOf(completed, DRIVE)).toEqual(['FWD/Front-Wheel Drive', 1]);
    expect(valueOf(completed, POWER_KW)).toEqual(['179']);
    expect(valueOf(completed, POWER_HP)).toEqual(['240']);
    expect(valueOf(completed, WHEELBASE)).toEqual(['105.1']);
    expect(valueOf(completed, 37)).toEqual(['Automatic', 2]);
    expect(valueOf(completed, 63)).toEqual(['5']);
    for (const row of rows) expect(completed).toContainEqual(row);
  });

  test('stays open if NHTSA has any value for it, if a word is not NHTSA’s, and if it may be another car', () => {
    const complete = (report: VehicleReport, of = rows) => completeRows(of, report, decoder.vpicFacts);
    const held: VpicRow[] = [...rows, [POWER_HP, '200']];
    expect(valueOf(complete(REPORT, held), POWER_KW)).toBeUndefined();
    expect(valueOf(complete({ ...REPORT, specs: { driveType: 'Six-wheel drive' } }), DRIVE)).toBeUndefined();
    expect(valueOf(complete({ ...REPORT, specs: { transmission: 'Automatic' } }), 37)).toBeUndefined();
    expect(complete({ ...REPORT, modelYear: '2004' })).toEqual(rows);
    expect(complete({ ...REPORT, manufacturer: 'Acura' })).toEqual(rows);
    const { model: _model, ...unnamed } = REPORT;
    expect(complete(unnamed)).toEqual(rows);
  });

  test('is named in the message of a decode, as are the fields that the plan hides', async () => {
    await using service = await testService();
    const messageFor = async (headers: Record<string, string>) => {
      const url = `/api/vehicles/DecodeVinValues/${ACCORD}?format=json`;
      return (await service.app.inject({ method: 'GET', url, headers })).json<{ Message: string }>().Message;
    };
    const paid = await messageFor({ 'x-api-key': await service.keyFor('starter') });
    expect(paid).toMatch(/^Results returned successfully\. NOTE: .*reduced set of NHTSA's data/);
    expect(paid).toContain('without Active Safety System; ');
    expect(paid).toContain('; Mechanical / Transmission');
    expect(paid).not.toMatch(/Engine;|Active Safety System \/|your plan/);
    expect(await messageFor({})).toContain('Values that your plan does not include are left empty.');
  });
});

describe('an accepted correction', () => {
  let fresh: TestDatabase;
  let on: TestCorrections;

  beforeAll(async () => {
    fresh = await freshDatabase('sqlite');
    on = await correctionsOn(await fresh.open());
  });

  afterAll(async () => {
    await on.live.close();
    await fresh.remove();
  });

  test('is added in the words and numbers of NHTSA', async () => {
    const by = { by: 'admin:a@example.com', reason: 'The brochure says so.' } as const;
    const fields = {
      manufacturer: 'Acura',
      model: 'TSX',
      modelYear: '2004',
      bodyStyle: 'Sedan',
      bodyStyleNormalized: 'sedan',
      'specs.driveType': 'All-wheel drive',
      'specs.plantCity': null,
    } as const;
    const id = await report(on, claimOn(ACCORD));
    const accepted = await on.corrections.accept(id, { scope: { kind: 'vin', vin: ACCORD }, fields }, by);
    expect(accepted.kind).toBe('accepted');
    const rows = on.corrected.vpic(ACCORD);
    expect(valueOf(rows, 26)).toEqual(['ACURA']);
    expect(valueOf(rows, MODEL)).toEqual(['TSX', expect.any(Number)]);
    expect(valueOf(rows, 29)).toEqual(['2004']);
    expect(valueOf(rows, 5)).toEqual(['Sedan/Saloon', 13]);
    expect(valueOf(rows, DRIVE)).toEqual(['AWD/All-Wheel Drive', 3]);
    expect(valueOf(rows, 31)).toBeUndefined();
    expect(new Set(rows.map(([id]) => id)).size).toBe(rows.length);
    expect(on.corrected.vpic('1HGCM82633A004353')).toEqual(decoder.vpic('1HGCM82633A004353'));
    expect(on.corrected.vpic('1HGCM826*3A')).toEqual(decoder.vpic('1HGCM826*3A'));
  });

  test.each(Object.getOwnPropertyNames(Object.prototype))('may have the word %s, which NHTSA does not have', (word) => {
    const rowsOf = (path: string) => vpicRowsOf(path, word, decoder.vpicFacts);
    expect(rowsOf('specs.driveType')).toEqual([[DRIVE, word]]);
    expect(rowsOf('specs.transmission')).toEqual([[37, word]]);
    expect(rowsOf('specs.fuelType')).toEqual([]);
    expect(vpicRowsOf(word, word, decoder.vpicFacts)).toEqual([]);
  });
});
