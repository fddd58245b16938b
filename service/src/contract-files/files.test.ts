import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { testService } from '../testing/service.ts';
import type { Collection } from './collection.ts';
import { contractFiles } from './files.ts';

const committed = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

test('the committed description and collection are those of the service; npm run openapi writes them', async () => {
  await using service = await testService();
  for (const [name, content] of await contractFiles(service.app))
    expect(JSON.parse(committed(name))).toEqual(JSON.parse(content));
});

test('every request of the collection is answered as it stands', async () => {
  await using service = await testService();
  const apiKey = await service.keyFor('business');
  const { item }: Collection = JSON.parse(committed('postman_collection.json'));
  const requests = item.flatMap((folder) => folder.item.map(({ request }) => request));
  expect(requests.length).toBeGreaterThan(12);
  for (const { method, url, header, body } of requests) {
    const response = await service.app.inject({
      method: method === 'GET' ? 'GET' : 'POST',
      url: url.replace('{{baseUrl}}', ''),
      headers: Object.fromEntries(header.map(({ key, value }) => [key, value.replace('{{apiKey}}', apiKey)])),
      ...(body === undefined ? {} : { payload: body.raw }),
    });
    expect(response.statusCode, `${method} ${url}: ${response.body.slice(0, 200)}`).toBe(200);
  }
});
