import { expect, test } from 'vitest';

import { startProvider } from '../testing/provider.ts';
import { readSources } from './source-file.ts';

const VIN = 'WVWZZZ1JZ3W386752';

const example = (url: string) => `
sources:
  - name: acme
    format: json
    url: ${url}/v1/{vin}?depth=full
    headers: { Authorization: 'Bearer \${ACME_TOKEN}' }
    requestsPerMinute: 30
    covers: [WVW, TMB]
    vin: /vehicle/vin
    fields:
      make: /vehicle/names/0
      model: /vehicle/names/1
      body: { at: /vehicle/body, words: { Kombi: Wagon } }
      powerKw: { at: /vehicle/engine/hp, times: 0.7457 }
`;

test('a provider plugged in by a file is asked with its headers, and its words are read', async () => {
  await using provider = await startProvider();
  let authorization: string | undefined;
  provider.treat((response, request) => {
    authorization = request.headers.authorization;
    const engine = { hp: 100 };
    response.end(JSON.stringify({ vehicle: { vin: VIN, names: ['SKODA', 'Octavia'], body: 'Kombi', engine } }));
  });
  const reading = readSources(example(provider.url), { ACME_TOKEN: 's3cret' });
  const [source] = reading.kind === 'sources' ? reading.sources : [];
  expect(source?.rateLimit).toEqual({ perMinute: 30, concurrent: 2 });
  expect(await source?.lookUp(VIN, AbortSignal.timeout(5_000))).toEqual({
    kind: 'found',
    answer: { make: 'SKODA', model: 'Octavia', body: 'Wagon', powerKw: '74.570' },
  });
  expect(authorization).toBe('Bearer s3cret');
  provider.treat((response) => void response.writeHead(404).end('{}'));
  expect(await source?.lookUp(VIN, AbortSignal.timeout(5_000))).toEqual({ kind: 'nothing' });
  provider.treat((response) => void response.end('{"vehicle":{"vin":"X","names":["SKODA","Octavia"]}}'));
  expect(await source?.lookUp(VIN, AbortSignal.timeout(5_000))).toEqual({ kind: 'failed', reason: 'another VIN' });
  // Such as a quota that is used up: nothing is known of the VIN, and it is asked for again.
  provider.treat((response) => void response.end('{"error":"quota exceeded"}'));
  expect(await source?.lookUp(VIN, AbortSignal.timeout(5_000))).toEqual({ kind: 'failed', reason: 'not understood' });
  await source?.close();
});

test('a source covers the beginnings of VINs that its file lists', () => {
  const reading = readSources(example('https://api.example.com'), { ACME_TOKEN: 'x' });
  const [source] = reading.kind === 'sources' ? reading.sources : [];
  expect(source?.covers(VIN)).toBe(true);
  expect(source?.covers('1HGCM82633A004352')).toBe(false);
});

test('JSON is read as well as YAML, and vPIC can be named in the file', () => {
  const text = JSON.stringify({
    sources: [{ name: 'mirror', format: 'vpic', url: 'https://vpic.example/api', requestsPerMinute: 60 }],
  });
  const reading = readSources(text, {});
  expect(reading).toMatchObject({ kind: 'sources', sources: [{ name: 'mirror', timeoutMs: 15_000 }] });
});

test('every fault of a file is reported in a sentence that names its position', () => {
  const text = `
sources:
  - name: Acme Corp
    format: xml
    url: https://api.{vin}.example/
    requestsPerMinute: 0
    colour: red
    fields: { make: make, model: { at: /model, times: -1 }, seats: /seats }
  - { name: b, format: json, url: https://b.example, headers: { X-Key: '\${B_KEY}' }, requestsPerMinute: fast }`;
  expect(readSources(text, {})).toEqual({
    kind: 'faulty',
    faults: [
      'sources[0].colour is not known here.',
      'sources[0].name must be up to 32 lower-case letters, digits, and hyphens.',
      'sources[0].format must be json or vpic.',
      'sources[0].url must be a URL like https://api.example.com/vin/{vin}.',
      'sources[0].requestsPerMinute must be a whole number from 1 to 60000.',
      'sources[0].fields.seats is not known here.',
      'sources[0].fields.make.at must be a JSON Pointer like /vehicle/make.',
      'sources[0].fields.model.times must be a number above 0.',
      'sources[1].requestsPerMinute must be a whole number from 1 to 60000.',
    ],
  });
});

test.each([
  ['{', /./],
  ['', /The file must be an object with the list "sources"/],
  ['sources: 5', /sources must be a list/],
  ['sources: [5]', /sources\[0\] must be a source/],
  ['sources: [{}]', /sources\[0\]\.name is missing/],
  ['sources: *none', /An alias, such as \*name, stands for nothing or is used too often\./],
  [`a: &a [b]\nsources: [${'*a, '.repeat(101)}]`, /An alias/],
])('%j is answered with what is wrong', (text, says) => {
  const reading = readSources(text, {});
  expect(reading.kind === 'faulty' ? reading.faults.join(' ') : '').toMatch(says);
});

test('faults between entries are reported, too', () => {
  const one = "{ name: a, format: json, url: https://a.example, headers: { X-Key: '${A_KEY}' }, requestsPerMinute: 1 }";
  expect(readSources(`sources: [${one}, ${one}]`, {})).toMatchObject({
    faults: [
      'sources[0].url must hold {vin}, where the VIN goes.',
      'sources[0].fields.make is missing.',
      'sources[0].fields.model is missing.',
      'sources[0].headers.X-Key needs the environment variable A_KEY, which is not set.',
      expect.any(String),
      expect.any(String),
      expect.any(String),
      expect.any(String),
      'Two sources have the same name.',
    ],
  });
});
