import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { testService, type TestService } from '../../testing/service.ts';

const ACCORD = '1HGCM82633A004352';
const X3 = '5UXWX7C5*BA';

let service: TestService;
let key: string;

beforeEach(async () => {
  service = await testService();
  key = await service.keyFor('starter');
});

afterEach(async () => {
  await service[Symbol.asyncDispose]();
});

type Flat = Record<string, string>;

async function flat(path: string): Promise<Flat> {
  const url = `/api/vehicles/DecodeVinValues/${path}`;
  const response = await service.app.inject({ method: 'GET', url, headers: { 'x-api-key': key } });
  return response.json<{ Results: [Flat] }>().Results[0];
}

async function text(path: string): Promise<string> {
  const url = `/api/vehicles/${path}`;
  return (await service.app.inject({ method: 'GET', url, headers: { 'x-api-key': key } })).body;
}

describe('a part of a VIN', () => {
  test('is read as far as it goes, as NHTSA answered on record', async () => {
    expect(await flat(`${X3}?format=json&modelyear=2011`)).toMatchObject({
      VIN: X3,
      ErrorCode: '6',
      ErrorText: '6 - Incomplete VIN',
      AdditionalErrorText: '',
      SuggestedVIN: '',
      Make: 'BMW',
      MakeID: '452',
      Manufacturer: 'BMW MANUFACTURER CORPORATION / BMW NORTH AMERICA',
      ManufacturerId: '968',
      Model: 'X3',
      ModelID: '1719',
      ModelYear: '2011',
      Trim: 'xDrive35i',
      Doors: '4',
      PlantCity: 'MUNICH',
      VehicleType: 'MULTIPURPOSE PASSENGER VEHICLE (MPV)',
    });
  });

  test('is charged like a VIN, and stored', async () => {
    const url = `/api/vehicles/DecodeVin/${X3}?format=json`;
    const { headers } = await service.app.inject({ method: 'GET', url, headers: { 'x-api-key': key } });
    expect(await service.charged()).toBe(1);
    const row = await service.database.kysely
      .selectFrom('decodes')
      .select(['vin', 'charged', 'outcome', 'report'])
      .where('id', '=', String(headers['x-request-id']))
      .executeTakeFirstOrThrow();
    expect({ ...row, report: JSON.parse(row.report) }).toMatchObject({
      vin: X3,
      charged: 1,
      outcome: 'identified',
      report: { manufacturer: 'BMW', model: 'X3', modelYear: '2011', validFormat: false },
    });
  });

  test('is stored without its serial number', async () => {
    await flat('1HGCM82633A00435?format=json');
    await flat('1HGCM82633AO04352?format=json');
    const rows = await service.database.kysely.selectFrom('decodes').select(['vin', 'report']).execute();
    expect(rows.map(({ vin }) => vin)).toEqual(['1HGCM82633A******', '1HGCM82633A******']);
    expect(rows.map(({ report }) => report).join()).not.toMatch(/0435|O04352/);
  });

  test('without a maker is refused with the fault, and not charged', async () => {
    for (const [part, code] of [
      ['***WX7C5*BA', '6,7'],
      ['QQQ', '6,7,11,400'],
    ] as const) {
      expect(await flat(`${part}?format=json`)).toMatchObject({ ErrorCode: code, Make: '', VehicleDescriptor: '' });
    }
    expect(await service.charged()).toBe(0);
  });

  test('with letters that no VIN has is read around them', async () => {
    expect(await flat('1HGCM82633AO04352?format=json')).toMatchObject({
      ErrorCode: '1,400',
      Make: 'HONDA',
      Model: 'Accord',
    });
    expect(await service.charged()).toBe(1);
  });

  test('with gaps leaves out the fields that depend on them', async () => {
    const whole = await flat(`${ACCORD}?format=json`);
    expect(whole).toMatchObject({ Model: 'Accord', EngineModel: 'J30A4', PlantCity: 'MARYSVILLE', ModelYear: '2003' });
    // This maker's rows of model and engine look at position 8, those of the plant at position 11.
    const gaps = await flat('1HGCM82**3A******?format=json');
    expect(gaps).toMatchObject({ Model: '', EngineModel: '', PlantCity: 'MARYSVILLE', ModelYear: '2003' });
    expect(await flat('1HGCM826?format=json')).toMatchObject({ Model: 'Accord', PlantCity: '', ModelYear: '' });
  });
});

describe('the model year that a client knows', () => {
  test('decides where the VIN leaves two open', async () => {
    // A heavy truck: position 7 does not decide which thirty years position 10 means.
    const truck = '1XKWD40X*BJ';
    const [open, known] = [await flat(`${truck}?format=json`), await flat(`${truck}?format=json&modelyear=1981`)];
    expect([open['ModelYear'], known['ModelYear']]).toEqual(['2011', '1981']);
    expect([open['AdditionalErrorText'], known['AdditionalErrorText']]).toEqual([
      expect.stringContaining('may be incorrect'),
      expect.not.stringContaining('may be incorrect'),
    ]);
  });

  test('that the VIN contradicts is used for the answer, which reports it', async () => {
    const asked = await flat(`${ACCORD}?format=json&modelyear=2004`);
    expect(asked).toMatchObject({ ModelYear: '2004', Make: 'HONDA', ErrorCode: expect.stringMatching(/(^|,)12(,|$)/) });
    expect(asked['ErrorText']).toContain('12 - Model Year Warning');
  });

  test("changes nothing if it is the VIN's own, out of range or not a year", async () => {
    const plain = await flat(`${ACCORD}?format=json`);
    for (const year of ['2003', '1899', '9999', '', 'soon', '20033']) {
      expect(await flat(`${ACCORD}?format=json&modelyear=${year}`)).toEqual(plain);
    }
  });

  test('is read in batches, after a comma', async () => {
    const response = await service.app.inject({
      method: 'POST',
      url: '/api/vehicles/DecodeVINValuesBatch/',
      headers: { 'x-api-key': key, 'content-type': 'application/x-www-form-urlencoded' },
      payload: `DATA=${encodeURIComponent(`${X3}, 2011; ${ACCORD},2004;${ACCORD}`)}&format=json`,
    });
    const body = response.json<{ SearchCriteria: string; Results: Flat[] }>();
    expect(body.SearchCriteria).toBe('');
    expect(body.Results.map(({ VIN, ModelYear }) => [VIN, ModelYear])).toEqual([
      [X3, '2011'],
      [ACCORD, '2004'],
      [ACCORD, '2003'],
    ]);
    expect(await service.charged()).toBe(3);
  });
});

describe("NHTSA's shapes", () => {
  test('a list has variables in the order of their groups, and numbers where values are looked up', async () => {
    const { Results }: { Results: Record<string, string | number | null>[] } = JSON.parse(
      await text(`DecodeVin/${ACCORD}?format=json`),
    );
    expect(Results.slice(0, 10).map(({ VariableId }) => VariableId)).toEqual([
      142, 143, 144, 156, 191, 196, 10, 26, 27, 28,
    ]);
    const of = (id: number) => Results.find(({ VariableId }) => VariableId === id);
    expect(of(26)).toEqual({ Value: 'HONDA', ValueId: '474', Variable: 'Make', VariableId: 26 });
    expect(of(5)).toMatchObject({ Value: 'Coupe', ValueId: '3' });
    expect(of(29)).toMatchObject({ Value: '2003', ValueId: '' });
    expect(of(10)).toMatchObject({ Value: null, ValueId: null });
    expect(of(150)).toMatchObject({ Value: null, ValueId: '' });
    expect(of(156)).toMatchObject({ Value: null, ValueId: '' });
    expect(of(116)).toMatchObject({ Value: 'Not Applicable', ValueId: '0' });
  });

  test('XML and CSV name the variable first; XML leaves null values out', async () => {
    const xml = await text(`DecodeVin/${ACCORD}`);
    expect(xml).toContain(
      '<DecodedVariable><VariableId>142</VariableId><Variable>Suggested VIN</Variable><ValueId /><Value /></DecodedVariable>',
    );
    expect(xml).toContain(
      '<DecodedVariable><VariableId>10</VariableId><Variable>Destination Market</Variable></DecodedVariable>',
    );
    expect(await text(`DecodeVin/${ACCORD}?format=csv`)).toMatch(
      /^variableid,variable,valueid,value\r\n142,Suggested VIN,,\r\n/,
    );
  });

  test('a flat result has its fields in the order of their names, those of crash statistics too', async () => {
    const result = await flat(`${ACCORD}?format=json`);
    const names = Object.keys(result);
    expect(names).toEqual(names.toSorted());
    expect(names).toEqual(
      expect.arrayContaining([
        'CashForClunkers',
        'NCSAMapExcApprovedBy',
        'NCSAMake',
        'AdaptiveHeadlights',
        'ManufacturerId',
      ]),
    );
  });
});
