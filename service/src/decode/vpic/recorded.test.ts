import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { testService, type TestService } from '../../testing/service.ts';

interface Recorded {
  json: {
    source: string;
    path: string;
    message: string;
    searchCriteria?: string | null;
    keys: string[];
    count?: number;
    results?: object[];
  }[];
  canadianSpecs: { names: string[] };
  csv: { source: string; path: string; header: string; line: string }[];
  xml: { source: string; path: string; element: string; fields: string[]; inner?: string }[];
  flat: { keys: string };
  list: {
    path: string;
    order: number[];
    codes: string[];
    values: Record<string, string>;
    valueIds: Record<string, string>;
  };
}

interface Body {
  Count: number;
  Message: string;
  SearchCriteria?: string | null;
  Results: Record<string, unknown>[];
}

const recorded: Recorded = JSON.parse(readFileSync(new URL('./recorded.json', import.meta.url), 'utf8'));

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await testService();
  key = await service.keyFor('starter');
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

async function textOf(path: string, format: string): Promise<string> {
  const url = `/api/vehicles/${path}${path.includes('?') ? '&' : '?'}format=${format}`;
  return (await service.app.inject({ method: 'GET', url, headers: { 'x-api-key': key } })).body;
}

async function bodyOf(path: string): Promise<Body> {
  const body: Body = JSON.parse(await textOf(path, 'json'));
  return body;
}

describe("an answer is as NHTSA's own service was recorded to give it:", () => {
  test.each(recorded.json)(
    '$path in JSON ($source)',
    async ({ path, message, searchCriteria, keys, count, results }) => {
      const body = await bodyOf(path);
      expect(body.Message.replace(/\. NOTE: .*$/, '')).toBe(message);
      expect(body.SearchCriteria).toEqual(searchCriteria);
      expect(Object.keys(body.Results[0] ?? {})).toEqual(keys);
      expect(body.Count).toBe(count ?? body.Results.length);
      for (const result of results ?? []) expect(body.Results).toContainEqual(expect.objectContaining(result));
    },
  );

  test.each(recorded.csv)('$path in CSV ($source)', async ({ path, header, line }) => {
    const [first, ...lines] = (await textOf(path, 'csv')).split('\r\n');
    expect(first).toBe(header);
    expect(lines).toContain(line);
  });

  test.each(recorded.xml)('$path in XML ($source)', async ({ path, element, fields, inner = '' }) => {
    const text = await textOf(path, 'xml');
    const [result = ''] = new RegExp(`<${element}>.*?</${element}>`).exec(text) ?? [];
    const places = fields.map((field) => result.search(`<${field}[ >]`));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(text).toContain(inner);
  });

  test('a flat decode has every field that is on record, and its few others are newer', async () => {
    const [result = {}] = (await bodyOf('DecodeVinValues/1HGCM82633A004352')).Results;
    const known = recorded.flat.keys.split(' ');
    const names = new Set(Object.keys(result));
    expect(known.filter((name) => !names.has(name))).toEqual([]);
    expect([...names].filter((name) => !known.includes(name)).toSorted()).toEqual([
      'CombinedBrakingSystem',
      'FuelTankMaterial',
      'FuelTankType',
      'WheelieMitigation',
    ]);
  });

  test('a decode as a list has its variables in that order, of a VIN with marks for wrong characters too', async () => {
    const { path, order, codes, values, valueIds } = recorded.list;
    const { Results } = await bodyOf(path);
    const held = new Map(Results.map(({ VariableId, Value, ValueId }) => [String(VariableId), { Value, ValueId }]));
    const known = new Set(order);
    expect(Results.map(({ VariableId }) => Number(VariableId)).filter((id) => known.has(id))).toEqual(order);
    expect(String(held.get('143')?.Value).split(',')).toEqual(expect.arrayContaining(codes));
    for (const [id, value] of Object.entries(values)) expect([id, held.get(id)?.Value]).toEqual([id, value]);
    for (const [id, value] of Object.entries(valueIds)) expect([id, held.get(id)?.ValueId]).toEqual([id, value]);
  });

  test('Canadian specifications have their names in that order, and their values in centimeters', async () => {
    const { Results, Message }: { Results: { Specs: { Name: string; Value: string }[] }[]; Message: string } =
      JSON.parse(await textOf('GetCanadianVehicleSpecifications?year=2011&make=acura&model=rdx', 'json'));
    const specs = Results[0]?.Specs ?? [];
    expect(specs.map(({ Name }) => Name)).toEqual(recorded.canadianSpecs.names);
    // Transport Canada lists this car with a wheelbase of 265 cm and a width of 187 cm.
    expect(specs).toContainEqual({ Name: 'WB', Value: '265' });
    expect(specs).toContainEqual({ Name: 'OW', Value: '187' });
    expect(Message).toContain('allcarsdb');
  });
});
