import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { decoder } from '../../testing/decoder.ts';
import { testService, type TestService } from '../../testing/service.ts';

const ACCORD = '1HGCM82633A004352';
const X3 = '5UXWX7C55BL730001';

let service: TestService;

beforeEach(async () => {
  service = await testService({ PUBLIC_MONTHLY_LIMIT: '5' });
});

afterEach(async () => {
  await service[Symbol.asyncDispose]();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  service.app.inject({ method: 'GET', url: `/api/vehicles/${path}`, headers });

const post = (payload: string, headers: Record<string, string> = {}) =>
  service.app.inject({
    method: 'POST',
    url: '/api/vehicles/DecodeVINValuesBatch/',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload,
  });

interface Body {
  Count: number;
  Message: string;
  SearchCriteria: string | null;
  Results: Record<string, string | number | null>[];
}

describe('a decode in the shape of vPIC', () => {
  test('is never charged to HEAD, which gets no answer', async () => {
    const methods = ['DecodeVin', 'DecodeVinExtended', 'DecodeVinValues', 'DecodeVinValuesExtended'];
    for (const method of methods) {
      const url = `/api/vehicles/${method}/${ACCORD}?format=json`;
      expect((await service.app.inject({ method: 'HEAD', url })).statusCode).toBe(405);
    }
    expect(await service.charged()).toBe(0);
  });

  test('lists every variable with the value that NHTSA has', async () => {
    const response = await get(`DecodeVin/${ACCORD}?format=json`, { 'x-api-key': await service.keyFor('starter') });
    const { Count, Results, SearchCriteria, Message } = response.json<Body>();
    expect({ Count, SearchCriteria }).toEqual({ Count: Results.length, SearchCriteria: `VIN:${ACCORD}` });
    expect(Message).toMatch(/^Results returned successfully/);
    const values = new Map(Results.map(({ VariableId, Value }) => [VariableId, Value]));
    for (const [id, value] of decoder.vpic(ACCORD)) expect(values.get(id) ?? '', `variable ${id}`).toBe(value);
    expect(Results[0]).toEqual({ Value: '', ValueId: '', Variable: 'Suggested VIN', VariableId: 142 });
    expect(Results).toContainEqual({ Value: '0', ValueId: '0', Variable: 'Error Code', VariableId: 143 });
    expect(Results).toContainEqual({ Value: null, ValueId: '', Variable: 'Other Bus Info', VariableId: 150 });
  });

  test('is charged once, whichever the method and format, and stored', async () => {
    const headers = { 'x-api-key': await service.keyFor('starter') };
    for (const method of ['DecodeVin', 'DecodeVinValues', 'DecodeVinValuesExtended']) {
      for (const format of ['json', 'xml', 'csv']) {
        const { statusCode, headers: answered } = await get(`${method}/${ACCORD}?format=${format}`, headers);
        expect([statusCode, answered['x-service-client']]).toEqual([200, 'starter']);
      }
    }
    expect(await service.charged()).toBe(9);
    const last = await get(`DecodeVin/${ACCORD}?format=json`, headers);
    const row = await service.database.kysely
      .selectFrom('decodes')
      .select(['vin', 'charged'])
      .where('id', '=', String(last.headers['x-request-id']))
      .executeTakeFirst();
    expect(row).toEqual({ vin: ACCORD, charged: 1 });
  });

  test('of an invalid VIN has the error code of NHTSA, nothing of a vehicle, and is not charged', async () => {
    for (const [text, shown, code, said] of [
      ['1H', '1H', '6', '6 - Incomplete VIN'],
      ['1HGCM82633_004352', '1HGCM82633004352', '400', '400 - Invalid Characters Present'],
      [`${ACCORD}0`, `${ACCORD}0`, '400', '400 - Invalid Characters Present'],
    ] as const) {
      const [result] = (await get(`DecodeVinValues/${text}?format=json`)).json<Body>().Results;
      expect(result).toMatchObject({ VIN: shown, ErrorCode: code, ErrorText: said, Make: '', VehicleDescriptor: '' });
    }
    expect(await service.charged()).toBe(0);
  });

  test('without a key or on the plan free has no value that a report of this depth lacks', async () => {
    const free = { 'x-api-key': await service.keyFor('free') };
    for (const headers of [{}, free]) {
      const [result] = (await get(`DecodeVinValuesExtended/${ACCORD}?format=json`, headers)).json<Body>().Results;
      const filled = Object.entries(result ?? {}).filter(([, value]) => value !== '');
      expect(new Set(filled.map(([name]) => name))).toEqual(
        new Set(
          ['ErrorCode', 'ErrorText', 'VehicleDescriptor', 'BodyClass', 'Make', 'Manufacturer', 'Model'].concat([
            'ModelYear',
            'VIN',
            'MakeID',
            'ManufacturerId',
            'ModelID',
          ]),
        ),
      );
    }
  });

  test('is refused when the month is used up, with the words of every decode', async () => {
    for (let count = 0; count < 5; count++) await get(`DecodeVin/${ACCORD}?format=json`);
    const refused = await get(`DecodeVin/${ACCORD}?format=xml`);
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({ error: expect.any(String), limit: 5, remaining: 0 });
  });

  test('is not charged in a format that there is not', async () => {
    const refused = await get(`DecodeVin/${ACCORD}?format=yaml`);
    expect([refused.statusCode, refused.json()]).toEqual([400, { error: 'format must be json, xml, or csv.' }]);
    expect(await service.charged()).toBe(0);
  });

  test('is refused with a bad key, before anything else', async () => {
    expect((await get('DecodeVin/x?format=yaml', { 'x-api-key': 'mq_live_x' })).statusCode).toBe(401);
  });

  test('is found in any case of letters', async () => {
    expect((await get(`decodevinvalues/${ACCORD}/?format=JSON`)).json<Body>().Results[0]).toMatchObject({
      Make: 'HONDA',
    });
    expect((await get(`DecodeNothing/${ACCORD}`)).statusCode).toBe(404);
  });
});

describe('a batch in the shape of vPIC', () => {
  test('is answered in order and charged for its decodes', async () => {
    const response = await post(`DATA=${ACCORD},2003; short ;${X3};&format=json`);
    const { Results } = response.json<Body>();
    expect(Results.map(({ VIN, ErrorCode, Make }) => [VIN, ErrorCode, Make])).toMatchObject([
      [ACCORD, '0', 'HONDA'],
      ['SHORT', '6,7,11,400', ''],
      [X3, expect.any(String), 'BMW'],
    ]);
    expect(await service.charged()).toBe(2);
  });

  test('is cut at the limit, and VINs not served are marked', async () => {
    const { Results } = (
      await post(`data=${Array.from({ length: 7 }, () => ACCORD).join(';')}&format=json`)
    ).json<Body>();
    expect(Results.map(({ ErrorCode, Make }) => [ErrorCode, Make])).toEqual([
      ...Array.from({ length: 5 }, () => ['0', 'HONDA']),
      ...Array.from({ length: 2 }, () => ['429', '']),
    ]);
    expect(await service.charged()).toBe(5);
  });

  test('accepts 1 to 50 VINs, and a form', async () => {
    expect((await post('DATA=;;&format=json')).statusCode).toBe(400);
    expect((await post(`DATA=${Array.from({ length: 51 }, () => ACCORD).join(';')}`)).json()).toEqual({
      error: 'DATA contains 51 VINs; at most 50 can be decoded at once.',
    });
    expect((await post('format=json')).json()).toEqual({ error: 'DATA is missing.' });
    const elsewhere = await service.app.inject({
      method: 'POST',
      url: '/api/decode',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `vin=${ACCORD}`,
    });
    expect(elsewhere.statusCode).toBe(400);
    expect(await service.charged()).toBe(0);
  });
});
