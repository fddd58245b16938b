import { Hash } from 'node:crypto';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { turnsDuring } from '../../testing/loop-turns.ts';
import { testService, type TestService } from '../../testing/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await testService();
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

const get = (path: string) => service.app.inject({ method: 'GET', url: `/api/vehicles/${path}` });

interface Body {
  Count: number;
  Message: string;
  SearchCriteria: string | null;
  Results: Record<string, string | number | null>[];
}

const list = async (path: string): Promise<Body> =>
  (await get(`${path}${path.includes('?') ? '&' : '?'}format=json`)).json<Body>();

test('lists are free and may be kept', async () => {
  const { headers } = await get('GetAllMakes?format=json');
  expect(headers['cache-control']).toBe('public, max-age=3600');
  expect(await service.charged()).toBe(0);
});

test('lists of makes and models come in three formats, in the order of their numbers', async () => {
  expect((await list('GetAllMakes')).Results).toContainEqual({ Make_ID: 441, Make_Name: 'TESLA' });
  expect((await get('GetModelsForMake/tesla?format=csv')).body).toMatch(
    /^make_id,make_name,model_id,model_name\r\n441,TESLA,1685,Model S\r\n441,TESLA,2071,Roadster\r\n/,
  );
  expect((await get('GetModelsForMake/tesla')).body).toMatch(
    /<Results><MakeModels><Make_ID>441<\/Make_ID><Make_Name>TESLA<\/Make_Name><Model_ID>1685<\/Model_ID>/,
  );
  expect((await list('GetModelsForMake/no%20such%20make')).Count).toBe(0);
  expect(await list('GetModelsForMakeId/441')).toMatchObject({
    SearchCriteria: 'Make:441',
    Message: 'Response returned successfully',
  });
});

test('the models of a year and of a type of vehicle are those that NHTSA lists', async () => {
  // NHTSA's own answer on record.
  const tesla2020 = [
    { Make_ID: 441, Make_Name: 'TESLA', Model_ID: 1685, Model_Name: 'Model S' },
    { Make_ID: 441, Make_Name: 'TESLA', Model_ID: 10199, Model_Name: 'Model X' },
    { Make_ID: 441, Make_Name: 'TESLA', Model_ID: 17834, Model_Name: 'Model 3' },
    { Make_ID: 441, Make_Name: 'TESLA', Model_ID: 27027, Model_Name: 'Model Y' },
  ];
  expect(await list('GetModelsForMakeYear/make/TESLA/modelyear/2020')).toEqual({
    Count: 4,
    Message: 'Results returned successfully',
    SearchCriteria: 'Make:TESLA | ModelYear:2020',
    Results: tesla2020,
  });
  const cars = await list('getmodelsformakeidyear/MAKEID/441/ModelYear/2020/vehicletype/car/');
  expect(cars.SearchCriteria).toBe('Make ID:441 | ModelYear:2020 | VehicleType:car');
  expect(cars.Results[0]).toEqual({ ...tesla2020[0], VehicleTypeId: 2, VehicleTypeName: 'Passenger Car' });
  const roadster = await list('GetModelsForMakeYear/make/tesla/modelyear/2010');
  expect(roadster.Results.map(({ Model_Name }) => Model_Name)).toEqual(['Roadster']);
  expect((await list('GetModelsForMakeYear/make/tesla/vehicleType/motorcycle')).Count).toBe(0);
});

test('types of vehicles and their makes are found by parts of names', async () => {
  expect(await list('GetVehicleTypesForMakeId/474')).toMatchObject({
    SearchCriteria: 'Make ID: 474',
    Results: expect.arrayContaining([
      { VehicleTypeId: 1, VehicleTypeName: 'Motorcycle' },
      { VehicleTypeId: 2, VehicleTypeName: 'Passenger Car' },
    ]),
  });
  const kia = (await list('GetVehicleTypesForMake/kia')).Results;
  expect(kia[0]).toEqual({ MakeId: 499, MakeName: 'KIA', VehicleTypeId: 2, VehicleTypeName: 'Passenger Car' });
  const cars = await list('GetMakesForVehicleType/car');
  expect(cars.SearchCriteria).toBe('Vehicle Type: car');
  expect(cars.Results.slice(0, 3).map(({ MakeName }) => MakeName)).toEqual(['ASTON MARTIN', 'TESLA', 'JAGUAR']);
  expect((await get('GetVehicleTypesForMakeId/474')).body).toContain(
    '<VehicleTypesForMakeIds><VehicleTypeId>1</VehicleTypeId><VehicleTypeName>Motorcycle</VehicleTypeName>',
  );
});

test('a WMI has its manufacturer, its dates and its type; one that NHTSA has not published has nothing', async () => {
  expect(await list('DecodeWMI/1ft')).toMatchObject({
    Count: 1,
    SearchCriteria: 'WMI:1ft',
    Results: [
      {
        Make: 'FORD',
        CreatedOn: '2015-03-23',
        DateAvailableToPublic: '2015-01-01',
        UpdatedOn: null,
        VehicleType: 'Truck',
      },
    ],
  });
  expect((await list('DecodeWMI/ZZZ')).Count).toBe(0);
  expect((await list('DecodeWMI/ABT')).Count).toBe(0);
  const honda = (await list('GetWMIsForManufacturer/988')).Results;
  expect(honda).toContainEqual(
    expect.objectContaining({ WMI: '1HG', Id: 988, Country: 'UNITED STATES (USA)', CreatedOn: '2015-03-26' }),
  );
  expect((await list('GetWMIsForManufacturer/moto%20honda')).Results.map(({ WMI }) => WMI)).toContain('9C2');
});

test('the variables are listed with their types and groups', async () => {
  const { Results, SearchCriteria } = await list('GetVehicleVariableList');
  expect(SearchCriteria).toBeNull();
  expect(Results.find(({ ID }) => ID === 14)).toMatchObject({
    Name: 'Doors',
    DataType: 'int',
    GroupName: 'Exterior / Body',
  });
  expect((await get('GetVehicleVariableList?format=xml')).body).not.toContain('SearchCriteria');
});

test('a text of the address never gets out of its place in XML', async () => {
  const { body } = await get(`GetModelsForMake/${encodeURIComponent('</SearchCriteria><x>&"')}?format=xml`);
  expect(body).toContain('<SearchCriteria>Make:&lt;/SearchCriteria&gt;&lt;x&gt;&amp;&quot;</SearchCriteria>');
});

test("a method of NHTSA's that is missing here is refused with the names of the others", async () => {
  const refused = await get('GetSafetyRatings/988');
  expect(refused.statusCode).toBe(404);
  expect(refused.json<{ error: string }>().error).toMatch(
    /this service has DecodeVin, .*, and GetWMIsForManufacturer\.$/,
  );
  expect((await get('GetWMIsForManufacturer')).statusCode).toBe(400);
  expect((await get('GetMakesForManufacturerAndYear/988')).statusCode).toBe(400);
  expect((await get('GetModelsForMakeId/honda')).statusCode).toBe(400);
  expect((await get('GetModelsForMakeYear/make/honda/modelyear/99')).statusCode).toBe(400);
});

test('the details of many manufacturers come in pages, and those of all pages are those of all', async () => {
  const pages: Body[] = [];
  for (let page = 1; pages.at(-1)?.Count !== 0; page++) {
    pages.push((await get(`GetManufacturerDetails/a?format=json&page=${page}`)).json<Body>());
  }
  expect(pages[0]).toEqual(await list('GetManufacturerDetails/a'));
  expect(pages.slice(0, -2).map(({ Count }) => Count)).toEqual(Array(pages.length - 2).fill(100));
  const ids = pages.flatMap(({ Results }) => Results.map((result) => result['Mfr_ID']));
  expect(ids.length).toBeGreaterThan(5_000);
  expect(new Set(ids).size).toBe(ids.length);
  expect((await get('GetManufacturerDetails/a?page=0')).statusCode).toBe(400);
});

test('a manufacturer is found by its number, with zeros before it or not', async () => {
  const honda = await list('GetManufacturerDetails/988');
  expect(honda.Count).toBe(1);
  expect((await list('GetManufacturerDetails/000000000000988')).Results).toEqual(honda.Results);
  expect((await list('GetManufacturerDetails/9880000000000')).Count).toBe(0);
});

test('a list is cached by its parameters, and by nothing else', async () => {
  const honda = await get('GetManufacturerDetails/honda?format=json');
  expect((await get('GetManufacturerDetails/honda?format=json&nonsense=1')).body).toBe(honda.body);
  expect((await get('GetManufacturerDetails/honda?format=xml')).body).toContain('<Mfr_ID>');
  expect((await get('GetManufacturerDetails/988?format=json')).body).not.toBe(honda.body);
  expect((await get('GetManufacturerDetails/honda?format=json&page=9')).json<Body>().Count).toBe(0);
});

test('a list is hashed for its tag once, however often it is asked for', async () => {
  const url = '/api/vehicles/GetModelsForMake/toyota?format=json';
  const hashed = vi.spyOn(Hash.prototype, 'update');
  const { headers } = await service.app.inject(url);
  const known = { 'if-none-match': String(headers['etag']) };
  for (const method of ['GET', 'HEAD'] as const) {
    expect((await service.app.inject({ method, url })).headers['etag']).toBe(headers['etag']);
    expect((await service.app.inject({ method, url, headers: known })).statusCode).toBe(304);
  }
  expect(hashed.mock.calls.filter(([content]) => Buffer.byteLength(content) > 1_000)).toHaveLength(1);
});

test('a parameter that a list does not have changes nothing, neither for who sends it nor for who comes next', async () => {
  const strange = await list('GetModelsForMake/lotus?modelyear=1950&vehicleType=2&makeId=441');
  expect(strange.Count).toBeGreaterThan(0);
  expect(await list('GetModelsForMake/lotus')).toEqual(strange);
});

test('the longest list is written in many turns of the event loop', async () => {
  const { result, turns } = await turnsDuring(() => get('GetModelsForMake/e'));
  const count = Number(/<Count>(\d+)/.exec(result.body)?.[1]);
  expect(count).toBeGreaterThan(10_000);
  expect(turns).toBeGreaterThan(count / 500);
});
