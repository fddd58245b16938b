import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { testService, type TestService } from '../../testing/service.ts';

// These clients are not on npm: their requests, and the answers that their code needs, were read from their sources.

const ACCORD = '1HGCM82633A004352';
const X3 = '5UXWX7C55BL730001';

type Row = Record<string, unknown>;

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await testService();
  key = await service.keyFor('business');
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

async function resultsOf(path: string, form?: Record<string, string>): Promise<Row[]> {
  const answer = await service.app.inject({
    method: form === undefined ? 'GET' : 'POST',
    url: `/api/vehicles/${path}`,
    headers: { 'x-api-key': key, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
    ...(form && { payload: new URLSearchParams(form).toString() }),
  });
  expect(answer.statusCode).toBe(200);
  return answer.json<{ Results: Row[] }>().Results;
}

const typesOf = (row: Row | undefined, name: string): string => typeof row?.[name];

describe('vpic-api (Python)', () => {
  test('sends a batch as DATA with the format in the address, and years after commas', async () => {
    const results = await resultsOf('DecodeVINValuesBatch?format=json', { DATA: `${ACCORD}, 2003;5UXWX7C5*BA` });
    expect(results.map(({ Make, ModelYear }) => [Make, ModelYear])).toEqual([
      ['HONDA', '2003'],
      ['BMW', '2011'],
    ]);
  });

  test('takes the first result of a WMI, and leaves out parameters that it was not given', async () => {
    const [wmi] = await resultsOf('DecodeWMI/1HG?format=json');
    expect(wmi).toMatchObject({ Make: 'HONDA', VehicleType: 'Passenger Car' });
    expect(await resultsOf('GetAllManufacturers?page=1&format=json')).toHaveLength(100);
    expect(await resultsOf('GetParts?type=565&fromDate=2015-01-01&toDate=2015-05-05&page=1&format=json')).toEqual([]);
  });
});

test('pyvin (Python) sends a form to an address with a slash at its end, and makes attributes of the first result', async () => {
  const results = await resultsOf('DecodeVINValuesBatch/', { format: 'json', data: `${ACCORD};${X3}` });
  expect(results.map(({ VIN, Model }) => [VIN, Model])).toEqual([
    [ACCORD, 'Accord'],
    [X3, 'X3'],
  ]);
  for (const name of Object.keys(results[0] ?? {})) expect(name).toMatch(/^[A-Za-z_]\w*$/);
});

test('nhtsa_vin (Ruby) finds a row for each of its variables, the error code by its id, and a text for the make', async () => {
  const rows = await resultsOf(`decodevin/${ACCORD}?format=json`);
  const rowOf = (name: string) => rows.find(({ Variable }) => Variable === name);
  for (const name of ['Model', 'Trim', 'Model Year', 'Body Class', 'Doors']) expect(rowOf(name)).toBeDefined();
  expect(Number(rowOf('Error Code')?.['ValueId'])).toBe(0);
  expect(rowOf('Make')?.['Value']).toBe('HONDA');
  expect(rowOf('Vehicle Type')?.['Value']).toBe('PASSENGER CAR');
  const wrong = await resultsOf('decodevin/1HGCM82633A00435?format=json');
  expect(Number(wrong.find(({ Variable }) => Variable === 'Error Code')?.['ValueId'])).toBe(6);
});

describe('go-nhtsa (Go), which refuses a value of another type', () => {
  test('gets texts for all flat values, and sends an empty year', async () => {
    for (const method of ['decodevinvalues', 'decodevinvaluesextended']) {
      const [flat = {}] = await resultsOf(`${method}/${ACCORD}?format=json&modelyear=`);
      expect(flat['ModelYear']).toBe('2003');
      expect(new Set(Object.values(flat).map((value) => typeof value))).toEqual(new Set(['string']));
    }
  });

  test('gets a number for each variable, and texts or nothing for its value', async () => {
    const rows = await resultsOf(`decodevin/${ACCORD}?format=json&modelyear=`);
    expect(rows.length).toBeGreaterThan(100);
    for (const row of rows) {
      expect(typesOf(row, 'VariableId')).toBe('number');
      for (const name of ['Value', 'ValueId']) expect(row[name] === null || typeof row[name] === 'string').toBe(true);
    }
  });

  test.each([
    ['GetModelsForMakeYear/make/honda/modelyear/2003/vehicletype/car', { Make_ID: 'number', Model_ID: 'number' }],
    ['GetModelsForMakeIdYear/makeId/474/modelyear/2003', { Make_Name: 'string', Model_Name: 'string' }],
    ['GetAllManufacturers', { Mfr_ID: 'number', Mfr_Name: 'string' }],
    ['GetManufacturerDetails/988', { Mfr_ID: 'number', Mfr_Name: 'string' }],
    ['GetMakeForManufacturer/988', { Make_ID: 'number', Make_Name: 'string', Mfr_Name: 'string' }],
    ['GetVehicleTypesForMake/honda', { MakeId: 'number', VehicleTypeId: 'number', VehicleTypeName: 'string' }],
    ['GetWMIsForManufacturer/988', { Id: 'number', CreatedOn: 'string', WMI: 'string' }],
    ['GetAllMakes', { Make_ID: 'number', Make_Name: 'string' }],
  ])('gets the types that it knows from %s', async (path, wanted) => {
    const [first] = await resultsOf(`${path}?format=json`);
    for (const [name, type] of Object.entries(wanted)) {
      expect({ name, type: typesOf(first, name) }).toEqual({ name, type });
    }
  });

  test('writes the names of parameters with a capital letter', async () => {
    const path = 'GetCanadianVehicleSpecifications?Year=2011&Make=Acura&Units=US&format=json';
    expect((await resultsOf(path)).length).toBeGreaterThan(0);
    expect(await resultsOf('GetParts?Type=565&FromDate=1%2F1%2F2015&ToDate=5%2F5%2F2015&format=json')).toEqual([]);
  });
});
