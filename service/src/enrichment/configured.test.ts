import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { FIESTA, answers, startProvider } from './testing/provider.ts';
import { testService } from '../testing/service.ts';
import { until } from '../testing/until.ts';
import { unknownVin } from '../testing/vins.ts';
import { ANSWER_FIELDS } from './source.ts';
import { configuredSources } from './configured.ts';

const MANUAL = readFileSync(join(import.meta.dirname, '../../../docs/enrichment.md'), 'utf8');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marque-sources-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function fileWith(text: string): string {
  const file = join(folder, 'sources.yaml');
  writeFileSync(file, text);
  return file;
}

test('the example of the manual works, and the manual names every field', async () => {
  const example = /```yaml\n(.*?)```/s.exec(MANUAL)?.[1] ?? '';
  const config = { enrichmentSourcesFile: fileWith(example), enrichmentVpicUrl: 'https://vpic.nhtsa.dot.gov/api' };
  const sources = await configuredSources(config, { EXAMPLE_TOKEN: 'x' });
  expect(sources.map(({ name }) => name)).toEqual(['example', 'vpic']);
  expect(ANSWER_FIELDS.filter((field) => !MANUAL.includes(`\`${field}\``))).toEqual([]);
  await Promise.all(sources.map((source) => source.close()));
});

test('a file that cannot be used stops the start with every fault', async () => {
  const config = { enrichmentSourcesFile: fileWith('sources: [{ name: A }]'), enrichmentVpicUrl: undefined };
  await expect(configuredSources(config, {})).rejects.toThrow(
    /cannot be used.*\n {2}sources\[0\].*\n {2}sources\[0\]/s,
  );
  const missing = { ...config, enrichmentSourcesFile: join(folder, 'none.yaml') };
  await expect(configuredSources(missing, {})).rejects.toThrow(/cannot be read/);
});

test.skipIf(process.platform === 'win32')('a device, which may never end, is refused', async () => {
  const config = { enrichmentSourcesFile: '/dev/null', enrichmentVpicUrl: undefined };
  await expect(configuredSources(config, {})).rejects.toThrow(
    /\/dev\/null cannot be used.*\n {2}It cannot be read: it is not a file/s,
  );
});

test('a source of the file that knows nothing hands the VIN on to vPIC', async () => {
  await using own = await startProvider();
  await using vpic = await startProvider();
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
  own.treat((response) => void allowed.then(() => response.writeHead(404).end('{}')));
  vpic.treat(answers(FIESTA));
  const file = fileWith(`sources:
  - name: own
    format: json
    url: ${own.url}/{vin}
    requestsPerMinute: 600
    fields: { make: /make, model: /model }`);
  await using service = await testService({ ENRICHMENT_SOURCES_FILE: file, ENRICHMENT_VPIC_URL: vpic.url });
  const vin = unknownVin(1);
  const decode = () => service.app.inject({ method: 'POST', url: '/api/decode', payload: { vin } });
  expect((await decode()).statusCode).toBe(202);
  allow();
  await until(async () => (await decode()).statusCode === 200);
  expect((await decode()).json()).toMatchObject({ report: { manufacturer: 'Ford', model: 'Fiesta' } });
  expect([own.asked, vpic.asked]).toEqual([[vin], [vin]]);
});
