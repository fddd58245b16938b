import { afterEach, beforeEach, expect, test } from 'vitest';

import { maskVin } from '../../kernel/mask-vin.ts';
import { signUp } from '../../people/testing/people.ts';
import type { Reader } from '../../testing/reader.ts';
import { type TestService, testService } from '../../testing/service.ts';

const VIN = '1HGCM82633A004352';

let service: TestService;
let ada: Reader;
let path: string;

beforeEach(async () => {
  service = await testService();
  ada = await signUp(service, 'ada@example.com', 'ada-motors');
  const answer = await ada.post('/portal/ada-motors/try', { vin: VIN });
  path = String(answer.headers['location']).split(/[?#]/)[0] ?? '';
});

afterEach(() => service[Symbol.asyncDispose]());

test.each([
  ['erased', maskVin(VIN)],
  ['masked', '1HGCM826*3A******'],
  ['partial', '1HGCM82633A'],
])('a stored VIN that is %s opens its page and its files', async (_what, vin) => {
  const report = JSON.stringify({ vin });
  await service.database.kysely.updateTable('decodes').set({ vin, report }).execute();
  for (const form of ['', '/csv', '/json']) {
    const answer = await ada.get(`${path}${form}`);
    expect({ form, status: answer.statusCode }).toEqual({ form, status: 200 });
    expect(answer.body).toContain(form === '' ? vin.slice(0, 11) : vin);
  }
});
