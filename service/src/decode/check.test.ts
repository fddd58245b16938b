import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { testService, type TestService } from '../testing/service.ts';

const VIN = '1HGCM82633A004352';

let service: TestService;

beforeEach(async () => {
  service = await testService();
});

afterEach(async () => {
  await service[Symbol.asyncDispose]();
});

const check = async (text: string) => (await service.app.inject(`/api/vin/${encodeURIComponent(text)}`)).json<object>();

describe('GET /api/vin/{vin}', () => {
  test('reports a right VIN and its check digit', async () => {
    expect(await check(VIN)).toEqual({
      wellFormed: true,
      vin: VIN,
      checkDigit: { expected: '3', found: '3', matches: true, required: true },
      makes: ['Honda'],
      region: 'North America',
      modelYear: '2003',
    });
  });

  test("gives the makes of a VIN's first characters, and from ten characters on the coded year", async () => {
    expect(await check('WV')).not.toHaveProperty('region');
    const wmi = await check('wvw');
    expect(wmi).toMatchObject({ wellFormed: false, makes: ['Volkswagen'], region: 'Europe' });
    expect(wmi).not.toHaveProperty('modelYear');
    expect(await check('WVWZZZ1KZ')).not.toHaveProperty('modelYear');
    expect(await check('WVWZZZ1KZ6')).toMatchObject({ makes: ['Volkswagen'], modelYear: '2006' });
  });

  test('names every make of a WMI that several share, and none if three characters do not decide', async () => {
    expect(await check('1C4')).toMatchObject({ makes: expect.arrayContaining(['Chrysler', 'Jeep', 'Ram']) });
    expect(await check('SA9')).not.toHaveProperty('makes');
  });

  test('leaves out a year that is not coded, or not certain from ten characters', async () => {
    expect(await check('WF0XXXGCDX')).not.toHaveProperty('modelYear');
    expect(await check('VF3XXXXXXX')).not.toHaveProperty('modelYear');
  });

  test('a client that enumerates first characters of VINs gets no more answers', async () => {
    for (let count = 0; count < 60; count++) await check('1HG');
    expect(await check('1HG')).not.toHaveProperty('makes');
    const other = await service.app.inject({ url: '/api/vin/1HG', remoteAddress: '192.0.2.7' });
    expect(other.json()).toHaveProperty('makes');
  });

  test("reports a wrong check digit, and whether it matters for the VIN's origin", async () => {
    expect(await check('1HGCM82643A004352')).toMatchObject({
      checkDigit: { found: '4', matches: false, required: true },
    });
    expect(await check('WVWZZZ1JZ3W386752')).toMatchObject({ checkDigit: { matches: false, required: false } });
    expect(await check('LSVAA4182E2184847')).toMatchObject({ checkDigit: { required: true } });
  });

  test('reports the faults of the form, up to any length', async () => {
    expect(await check('1HGCM82633A0043')).toMatchObject({
      wellFormed: false,
      problem: expect.stringContaining('has 15'),
    });
    expect(await check('A'.repeat(8_000))).toEqual({
      wellFormed: false,
      problem: expect.stringContaining('more than'),
    });
    expect(await check('🚗'.repeat(17))).toMatchObject({ wellFormed: false });
  });

  test('suggests the likely VINs for a mistyped one, and discloses nothing of the vehicle', async () => {
    expect(await check('1HGCM82633AO04352')).toEqual({
      wellFormed: false,
      problem: expect.any(String),
      suggestions: [
        {
          vin: VIN,
          changes: [{ position: 12, from: 'O', to: '0', kind: 'look-alike' }],
          checkDigit: { expected: '3', found: '3', matches: true, required: true },
        },
      ],
    });
    expect(await check('1HGCM82633A004325')).toMatchObject({
      wellFormed: true,
      suggestions: expect.arrayContaining([expect.objectContaining({ vin: VIN })]),
    });
  });

  test('the VIN in a text of a label, a device or an address is checked; of two none is chosen', async () => {
    for (const text of [
      `VIN: ${VIN}`,
      `*${VIN}*`,
      `VAD${VIN}`,
      '49 02 01 31 48 47 43 4D 38 32 36 33 33 41 30 30 34 33 35 32',
    ]) {
      expect(await check(text)).toMatchObject({ wellFormed: true, vin: VIN, makes: ['Honda'] });
    }
    expect(await check(`${VIN} WVWZZZ1KZCW000001`)).toMatchObject({ wellFormed: false });
  });

  test('a decode asks for the VIN alone, and names it', async () => {
    for (const vin of [`VIN: ${VIN}`, `https://vehicles.example/a-long-way/to-the-page?of=a-single-car&vin=${VIN}`]) {
      const answer = await service.app.inject({ method: 'POST', url: '/api/decode', payload: { vin } });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({ error: `The text contains the VIN ${VIN}. Send the VIN alone.` });
    }
    expect(await service.charged()).toBe(0);
  });

  test('a client that asks for many suggestions gets no more of them, and another one does', async () => {
    for (let count = 0; count < 12; count++) await check('1HGCM82633AO04352');
    const late = await check('1HGCM82633AO04352');
    expect(late).toHaveProperty('problem');
    expect(late).not.toHaveProperty('suggestions');
    const other = await service.app.inject({ url: '/api/vin/1HGCM82633AO04352', remoteAddress: '192.0.2.7' });
    expect(other.json()).toHaveProperty('suggestions');
  });

  test('charges nothing and needs no key', async () => {
    await check(VIN);
    expect(await service.charged()).toBe(0);
  });
});
