import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { testService, type TestService } from '../testing/service.ts';
import { anyCharacter } from '../testing/any-character.ts';

const BODY = {
  vin: '1HGCM82633A004352',
  expectedManufacturer: 'Honda',
  expectedModel: 'Accord',
  expectedBodyStyle: 'Coupe',
  expectedModelYear: '2003',
  note: 'The registration says so.',
};
const LIMITS = {
  vin: 64,
  expectedManufacturer: 120,
  expectedModel: 160,
  expectedBodyStyle: 120,
  expectedModelYear: 32,
  note: 2000,
};

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await testService();
  key = await service.keyFor('starter');
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

const send = (payload: object | string, headers: Record<string, string> = { 'x-api-key': key }) =>
  service.app.inject({ method: 'POST', url: '/api/report-decode-issue', headers, payload });

/** An object of so many bytes of JSON. */
const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });

/** A report with so many names. */
const reportOf = (names: number) => Object.fromEntries(Array.from({ length: names }, (_, name) => [name, '']));

/** A report that has the serial number of a partial VIN in several fields. */
const partialWith = (serial: string) => ({
  ...BODY,
  vin: `1HG CM8*633A ${serial}`,
  note: `The title of 1hg-cm8 633a ${serial.toLowerCase()} says 2003.`,
  expectedFields: { trim: `EX 1HGCM8*633A${serial}` },
  actualReport: { serialNumber: serial },
});

const stored = () => service.database.kysely.selectFrom('correction_reports').selectAll().orderBy('id').execute();
const latest = async () => (await stored()).at(-1);

describe('a report', () => {
  test('with a key is stored for the workspace, beside the answer and its evidence', async () => {
    // No other test reports this VIN: the answer beside a report is stored once.
    const body = { ...BODY, vin: '1HGCM82633A004777' };
    const response = await send(body);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ saved: true, source: 'subscriber' });
    const row = await latest();
    expect(row).toMatchObject({ vin: body.vin, state: 'queued', source: 'subscriber', actual_report: null });
    expect(row?.subject).toMatch(/^workspace:/);
    expect(JSON.parse(row?.claim ?? '')).toEqual(body);
    expect(JSON.parse(row?.answered ?? '')).toMatchObject({
      report: { vin: body.vin, manufacturer: 'Honda' },
      fields: expect.arrayContaining([expect.objectContaining({ field: 'model' })]),
    });
  });

  test('may claim any other field by its path, and gives it back', async () => {
    const expectedFields = { 'specs.powerKw': 177, 'technicalSpecs.lengthMm': '4,815 mm', generation: 'VII' };
    expect((await send({ ...BODY, expectedFields })).statusCode).toBe(200);
    expect(JSON.parse((await latest())?.claim ?? '')).toEqual({ ...BODY, expectedFields });
    const listed = await service.app.inject({ url: '/api/reports', headers: { 'x-api-key': key } });
    expect(listed.json<{ reports: object[] }>().reports[0]).toMatchObject({ expectedFields });
    const refusals: [object, string][] = [
      [{ colour: 'red' }, 'expectedFields has no field colour.'],
      [{ manufacturer: 'Honda' }, 'expectedFields has no field manufacturer.'],
      [{ 'specs.powerKw': 'strong' }, 'specs.powerKw must be a number.'],
      [{ 'specs.powerKw': -3 }, 'specs.powerKw must be above 0.'],
      [{ 'specs.engine': 'x'.repeat(201) }, 'longer than 200'],
      [{ 'specs.engine': ['V6'] }, 'expectedFields'],
    ];
    for (const [fields, said] of refusals) {
      const refused = await send({ ...BODY, expectedFields: fields });
      expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([
        400,
        expect.stringContaining(said),
      ]);
    }
  });

  test('without a key is accepted, too, and keeps no address', async () => {
    const response = await send(BODY, {});
    expect(response.json()).toEqual({ saved: true, source: 'public' });
    expect((await latest())?.subject).toMatch(/^public:[0-9a-f]{32}$/);
  });

  test('names no other VIN in what it expects: accepted, that becomes the answer about other vehicles', async () => {
    const note = 'As on WDB2030461A389710.';
    const claim = { ...BODY, expectedModel: 'as WDB2030461A389710', note };
    expect((await send({ ...claim, expectedFields: { trim: 'wdb2030461a389710 Sport' } })).statusCode).toBe(200);
    expect(JSON.parse((await latest())?.claim ?? '')).toEqual({
      ...claim,
      expectedModel: 'as WDB2030461A******',
      expectedFields: { trim: 'wdb2030461a****** Sport' },
    });
  });

  test('costs nothing', async () => {
    const before = await service.charged();
    await send(BODY);
    expect(await service.charged()).toBe(before);
  });

  test('on an invalid VIN is stored, without a decode beside it', async () => {
    expect((await send({ ...BODY, vin: 'no VIN' })).statusCode).toBe(200);
    expect(await latest()).toMatchObject({ vin: null, answered: null });
  });

  test('on a VIN with a wrong or missing character is stored without its serial number, wherever it is written', async () => {
    expect((await send(partialWith('OO4352'))).statusCode).toBe(200);
    const row = await latest();
    expect(JSON.parse(row?.claim ?? '')).toMatchObject({
      vin: '1HG CM8*633A ******',
      note: 'The title of 1hg-cm8 633a o****** says 2003.',
      expectedFields: { trim: 'EX 1HGCM8*633A******' },
    });
    expect(JSON.stringify(row)).not.toMatch(/OO4352/i);
    // Another serial number gives the same hash, so none can be found by trying.
    await send(partialWith('OO4353'));
    expect((await latest())?.claim_hash).toBe(row?.claim_hash);
    for (const serial of ['OO4352', 'OO4353']) await send(partialWith(serial), { 'idempotency-key': serial });
    const requests = await service.database.kysely.selectFrom('idempotency').select('body_hash').execute();
    expect(new Set(requests.map(({ body_hash: of }) => of)).size).toBe(1);
    expect(requests).toHaveLength(2);
  });

  test('keeps the report that the client got, and ignores fields it does not know', async () => {
    const actualReport = { report: { vin: BODY.vin, model: 'Civic' }, list: [1, null, { a: 'ü' }] };
    expect((await send({ ...BODY, expectedModel: 'Civic', actualReport, colour: 'red' })).statusCode).toBe(200);
    expect(JSON.parse((await latest())?.actual_report ?? '')).toEqual(actualReport);
    expect((await send({ ...BODY, actualReport: null })).statusCode).toBe(200);
  });

  test.each(['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}', '{"a":{"__proto__":null}}'])(
    'keeps %s as plain data, which changes no object',
    async (actualReport) => {
      const body = `{"actualReport":${actualReport},${JSON.stringify({ ...BODY, expectedModel: actualReport }).slice(1)}`;
      expect((await send(body, { 'content-type': 'application/json' })).statusCode).toBe(200);
      const row = await latest();
      expect(row?.actual_report).toBe(actualReport);
      expect(Object.prototype).not.toHaveProperty('a');
    },
  );

  test('with a bad key is refused before its body is read', async () => {
    const response = await send('{', { 'x-api-key': 'mq_live_x', 'content-type': 'application/json' });
    expect(response.statusCode).toBe(401);
  });
});

const sendNested = (levels: number) =>
  send(JSON.stringify({ ...BODY, actualReport: 0 }).replace(':0', `:${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`), {
    'x-api-key': key,
    'content-type': 'application/json',
  });

describe('faults in a body', () => {
  test('names every faulty field at once: missing, blank, not a text', async () => {
    const response = await send({ vin: BODY.vin, expectedModel: ' \u00a0\t', expectedBodyStyle: '', note: 5 });
    expect(response.statusCode).toBe(400);
    const { error } = response.json<{ error: string }>();
    for (const sentence of [
      'expectedManufacturer is missing.',
      'expectedModel is blank.',
      'expectedBodyStyle is blank.',
      'expectedModelYear is missing.',
      'note must be text.',
    ]) {
      expect(error).toContain(sentence);
    }
    expect(error).not.toContain('vin');
  });

  test.each(Object.entries(LIMITS))('%s may have %i characters and not one more', async (field, limit) => {
    const atLimit = '😀'.repeat(limit);
    expect((await send({ ...BODY, [field]: atLimit })).statusCode).toBe(200);
    expect(JSON.parse((await latest())?.claim ?? '')).toMatchObject({ [field]: atLimit });
    const response = await send({ ...BODY, [field]: `${atLimit}x` });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({ error: `${field} is longer than ${limit} characters.` });
  });

  test('actualReport may have 64 KiB and not one byte more', async () => {
    expect((await send({ ...BODY, actualReport: sized(65_536) })).statusCode).toBe(200);
    const response = await send({ ...BODY, actualReport: sized(65_537) });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({ error: 'actualReport is larger than 65536 bytes of JSON.' });
    expect((await send({ ...BODY, actualReport: sized(200_000) })).statusCode).toBe(413);
  });

  test('a body may have the names that the description grants, and not one more', async () => {
    const described = (await service.app.inject('/openapi.json')).json();
    const { description } = described.components.schemas.ReportDecodeIssueRequest.properties.actualReport;
    const most = Number(/at most ([\d,]+) names/.exec(description)?.[1]?.replace(',', ''));
    const others = Object.keys(BODY).length + 1;
    expect((await send({ ...BODY, actualReport: reportOf(most - others) })).statusCode).toBe(200);
    const response = await send({ ...BODY, actualReport: reportOf(most - others + 1) });
    expect(response.json()).toEqual({ error: 'The body has more than 1,000 names.' });
  });

  test('actualReport must be an object or null, and not a pit', async () => {
    for (const actualReport of ['text', 5, [1]]) {
      const response = await send({ ...BODY, actualReport });
      expect(response.json()).toEqual({ error: 'actualReport must be an object or null.' });
    }
    expect((await sendNested(33)).json()).toEqual({ error: 'actualReport is nested deeper than 32 levels.' });
    expect((await sendNested(9_000)).json()).toEqual({ error: 'The body nests deeper than 64 levels.' });
  });
});

test('any text is stored and returned unchanged', async () => {
  const hostile = fc.oneof(
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 32 }),
    fc.constantFrom(
      '<script>alert(1)</script>',
      '\u202eabc',
      'a\u0000b',
      '𝕏\ud800',
      "'; DROP TABLE x; --",
      '\u2028\r\n',
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      hostile.filter((text) => text.trim() !== ''),
      async (text) => {
        expect((await send({ ...BODY, expectedModelYear: text, note: text })).statusCode).toBe(200);
        const page = await service.app.inject({ url: '/api/reports?limit=1', headers: { 'x-api-key': key } });
        const sent: unknown = JSON.parse(JSON.stringify(text));
        expect(page.json()).toMatchObject({ reports: [{ expectedModelYear: sent, note: sent }] });
      },
    ),
    { numRuns: 60 },
  );
});

describe('with an Idempotency-Key', () => {
  test('a retry is stored once, and another report under the same key is 422', async () => {
    const headers = { 'x-api-key': key, 'idempotency-key': 'once' };
    const before = (await stored()).length;
    for (let tries = 0; tries < 3; tries++) {
      expect((await send(BODY, headers)).json()).toEqual({ saved: true, source: 'subscriber' });
    }
    expect((await stored()).length).toBe(before + 1);
    expect((await send({ ...BODY, note: 'Other' }, headers)).statusCode).toBe(422);
    expect((await send(BODY, { ...headers, 'idempotency-key': 'a b' })).statusCode).toBe(400);
  });

  test('the same key does for a decode, too', async () => {
    const headers = { 'x-api-key': key, 'idempotency-key': 'both' };
    expect((await send(BODY, headers)).statusCode).toBe(200);
    const payload = { vin: BODY.vin };
    expect((await service.app.inject({ method: 'POST', url: '/api/decode', headers, payload })).statusCode).toBe(200);
  });

  test('of many at once one is stored, and the others get its answer or a conflict', async () => {
    const headers = { 'x-api-key': key, 'idempotency-key': 'storm' };
    const before = (await stored()).length;
    const statuses = (await Promise.all(Array.from({ length: 10 }, async () => send(BODY, headers)))).map(
      (response) => response.statusCode,
    );
    expect((await stored()).length).toBe(before + 1);
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(statuses).toContain(200);
  });
});
