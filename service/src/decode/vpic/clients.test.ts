import { createRequire } from 'node:module';

import {
  DecodeVin,
  DecodeVinExtended,
  DecodeVinValues,
  DecodeVinValuesBatch,
  DecodeVinValuesExtended,
  DecodeWMI,
  GetAllMakes,
  GetAllManufacturers,
  GetCanadianVehicleSpecifications,
  GetEquipmentPlantCodes,
  GetMakeForManufacturer,
  GetMakesForManufacturerAndYear,
  GetMakesForVehicleType,
  GetManufacturerDetails,
  GetModelsForMake,
  GetModelsForMakeId,
  GetModelsForMakeIdYear,
  GetModelsForMakeYear,
  GetParts,
  GetVehicleTypesForMake,
  GetVehicleTypesForMakeId,
  GetVehicleVariableList,
  GetVehicleVariableValuesList,
  GetWMIsForManufacturer,
} from '@shaggytools/nhtsa-api-wrapper';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { testService, type TestService } from '../../testing/service.ts';

const ACCORD = '1HGCM82633A004352';
const X3 = '5UXWX7C55BL730001';

interface Body {
  Count: number;
  Message: string;
  SearchCriteria?: string | null;
  Results: Record<string, unknown>[];
}

let service: TestService;
let origin: string;
let key: string;

beforeAll(async () => {
  service = await testService();
  origin = await service.app.listen({ host: '127.0.0.1', port: 0 });
  key = await service.keyFor('business');
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

describe('the npm client @shaggytools/nhtsa-api-wrapper, unmodified but for the address', () => {
  beforeAll(() => {
    const real = globalThis.fetch;
    // The client has NHTSA's address built in: its requests are redirected to the service.
    vi.stubGlobal('fetch', (url: string, options: RequestInit) => {
      const headers = new Headers(options.headers);
      headers.set('x-api-key', key);
      return real(url.replace('https://vpic.nhtsa.dot.gov', origin), { ...options, headers });
    });
  });

  afterAll(() => {
    vi.unstubAllGlobals();
  });

  test('decodes', async () => {
    const before = await service.charged();
    const listed: Body = await DecodeVin(ACCORD, { modelYear: 2003 });
    expect(listed.Results.find(({ Variable }) => Variable === 'Make')?.['Value']).toBe('HONDA');
    // It writes the year in letters of its own: another year than the VIN's is answered with NHTSA's warning.
    const contradicted: Body = await DecodeVinValues(ACCORD, { modelYear: 2004 });
    expect(contradicted.Results[0]).toMatchObject({ ModelYear: '2004', ErrorCode: expect.stringContaining('12') });
    const flat: Body = await DecodeVinValues(ACCORD);
    expect(flat.Results[0]).toMatchObject({ Make: 'HONDA', Model: 'Accord', ModelYear: '2003', MakeID: '474' });
    const extended: Body = await DecodeVinValuesExtended(ACCORD);
    expect(extended.Results[0]).toMatchObject({ Make: 'HONDA', NCSAMake: '' });
    const listedExtended: Body = await DecodeVinExtended(ACCORD);
    expect(listedExtended.Results.map(({ Variable }) => Variable)).toContain('NCSA Make');
    const batch: Body = await DecodeVinValuesBatch(`${ACCORD}, 2003; ${X3}`);
    expect(batch.Results.map(({ Make }) => Make)).toEqual(['HONDA', 'BMW']);
    expect(await service.charged()).toBe(before + 7);
  });

  test('lists makes, models, types and variables', async () => {
    const before = await service.charged();
    const named = (body: Body, name: string) => body.Results.map((result) => result[name]);
    expect((await GetAllMakes()).Results.length).toBeGreaterThan(5000);
    expect(named(await GetModelsForMake('Honda'), 'Model_Name')).toContain('Accord');
    expect(named(await GetModelsForMakeId(474), 'Model_Name')).toContain('Accord');
    expect(
      named(await GetModelsForMakeYear({ make: 'Tesla', modelYear: 2020, vehicleType: 'car' }), 'Model_Name'),
    ).toContain('Model 3');
    expect(named(await GetModelsForMakeIdYear({ makeId: 441, modelYear: 2020 }), 'Model_ID')).toEqual([
      1685, 10_199, 17_834, 27_027,
    ]);
    expect((await GetVehicleTypesForMakeId(474)).Results).toContainEqual({
      VehicleTypeId: 2,
      VehicleTypeName: 'Passenger Car',
    });
    expect(named(await GetVehicleTypesForMake('kia'), 'MakeName')).toContain('KIA');
    expect(named(await GetMakesForVehicleType('motorcycle'), 'MakeName')).toContain('DUCATI');
    const variables: Body = await GetVehicleVariableList();
    expect(variables.Results.find(({ ID }) => ID === 26)).toMatchObject({ Name: 'Make', DataType: 'lookup' });
    expect(named(await GetVehicleVariableValuesList('Drive Type'), 'Name')).toContain('AWD/All-Wheel Drive');
    expect(named(await GetVehicleVariableValuesList(39), 'Id')).toContain(13);
    expect(await service.charged()).toBe(before);
  });

  test("lists manufacturers, and the catalog's data for Canada", async () => {
    const wmi: Body = await DecodeWMI('1HG');
    expect(wmi.Results[0]).toMatchObject({ Make: 'HONDA', VehicleType: 'Passenger Car' });
    const numbers = async (asked: Parameters<typeof GetWMIsForManufacturer>[0]) => {
      const body: Body = await GetWMIsForManufacturer(asked);
      return body.Results.map(({ WMI }) => WMI);
    };
    expect(await numbers({ manufacturer: 988 })).toEqual(expect.arrayContaining(['1HG', '5J8']));
    expect(await numbers({ manufacturer: 988, vehicleType: 'mpv' })).not.toContain('1HG');
    expect(await numbers({ vehicleType: 7 })).toContain('2HK');
    const [first, second]: Body[] = [await GetAllManufacturers(), await GetAllManufacturers({ page: 2 })];
    expect([first?.Count, second?.Count]).toEqual([100, 100]);
    expect(first?.Results[0]).toMatchObject({ Mfr_ID: 955, Mfr_Name: 'TESLA, INC.' });
    expect(first?.Results).not.toContainEqual(second?.Results[0]);
    const typed: Body = await GetAllManufacturers({ manufacturerType: 'Intermediate' });
    expect([typed.Count, typed.Message]).toEqual([0, expect.stringContaining('does not hold the types')]);
    expect((await GetManufacturerDetails(988)).Results[0]).toMatchObject({ Mfr_ID: 988, City: null });
    expect((await GetMakeForManufacturer(988)).Results).toHaveLength(2);
    expect((await GetMakesForManufacturerAndYear(988, { year: 1985 })).Results).toMatchObject([{ MakeName: 'HONDA' }]);
    const specs = await GetCanadianVehicleSpecifications({ year: 2011, make: 'Acura', units: 'US' });
    expect(specs.Results[0]?.Specs[0]).toEqual({ Name: 'Make', Value: 'ACURA' });
    const parts: Body = await GetParts({ type: 565, fromDate: '1/1/2015', toDate: '5/5/2015' });
    const plants: Body = await GetEquipmentPlantCodes({ year: 2016, equipmentType: 1, reportType: 'All' });
    for (const body of [parts, plants]) {
      expect([body.Count, body.Message]).toEqual([0, expect.stringContaining('does not hold')]);
    }
  });
});

/** The client nhtsa, as far as it is used here; it has no types of its own. */
interface OldClient {
  decodeVin: (vin: string, format?: string, year?: number) => Promise<{ data: Body }>;
  decodeVinFlatFormat: (vin: string, format?: string, year?: number) => Promise<{ data: Body }>;
  getWmisForManufacturer: (manufacturer: string) => Promise<{ data: Body }>;
  getAllMakes: (format?: string) => Promise<{ data: string }>;
  getAllManufacturers: (page?: number) => Promise<{ data: Body }>;
  getMakesForManufacturer: (manufacturer: string) => Promise<{ data: Body }>;
}

describe('the npm client nhtsa, which can set no header, unmodified but for the address with a key in it', () => {
  const require = createRequire(import.meta.url);
  const client: OldClient = require('nhtsa');

  beforeAll(() => {
    const address = origin.replace('http://', `http://anybody:${key}@`);
    Object.defineProperty(client, 'URL_BASE', { value: `${address}/api/vehicles`, configurable: true });
  });

  test('decodes, in the model year that it sends in letters of its own', async () => {
    const flat = await client.decodeVinFlatFormat(ACCORD, 'JSON', 2004);
    expect(flat.data.Results[0]).toMatchObject({
      Make: 'HONDA',
      ModelYear: '2004',
      EngineModel: expect.stringMatching(/./),
    });
    const listed = await client.decodeVin(ACCORD);
    expect(listed.data.Results.find(({ Variable }) => Variable === 'Model')?.['Value']).toBe('Accord');
  });

  test('lists', async () => {
    const wmis = await client.getWmisForManufacturer('hon');
    expect(wmis.data.Results.map(({ WMI }) => WMI)).toContain('JHM');
    expect((await client.getAllMakes('CSV')).data).toMatch(/^make_id,make_name\r\n/);
    expect((await client.getAllManufacturers(2)).data.Count).toBe(100);
    expect((await client.getMakesForManufacturer('metro')).data.SearchCriteria).toBe('Manufacturer:metro');
  });
});
