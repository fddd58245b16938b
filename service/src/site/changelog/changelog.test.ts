import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { storeCatalog } from '../../catalog/catalog-history.ts';
import { runMarque } from '../../testing/run-marque.ts';
import { testService } from '../../testing/service.ts';
import { readReleases, releasesIn } from './changelog.tsx';

const VIN = 'WVWZZZ1KZCW000001';

test('a changelog is read by version and kind of change, without empty parts', () => {
  const document = `# Changelog\n\nWords.\n\n## [Unreleased]\n\n## [1.1.0] - 2026-02-03\n\n### Fixed\n\n- One thing\n  on two lines.\n- Another.\n\n### Removed\n\n## 1.0.0\n\nThe first.\n`;
  expect(releasesIn(document)).toEqual([
    {
      version: '1.1.0',
      date: '2026-02-03',
      summary: [],
      kinds: [{ name: 'Fixed', changes: ['One thing on two lines.', 'Another.'] }],
    },
    { version: '1.0.0', date: undefined, summary: ['The first.'], kinds: [] },
  ]);
});

test('the page has every change that the project lists', async () => {
  await using service = await testService();
  const { body } = await service.app.inject('/changelog');
  const text = body
    .replaceAll(/<\/?code>/g, '`')
    .replaceAll(/<a href="\/docs\/guides\/([\w-]+)">([^<]*)<\/a>/g, '[$2](docs/$1.md)');
  const document = readFileSync(join(import.meta.dirname, '../../../../CHANGELOG.md'), 'utf8');
  const listed = document.match(/^- /gm) ?? [];
  const changes = readReleases().flatMap(({ kinds }) => kinds.flatMap((kind) => kind.changes));
  expect(changes).toHaveLength(listed.length);
  expect(body).toContain('<a href="/docs/guides/surprises">Surprises</a> about VINs');
  for (const change of changes) {
    expect(text).toContain(change.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'));
  }
});

test('the page lists the contents of each catalog', async () => {
  await using service = await testService();
  await storeCatalog(
    service.database,
    { version: 'aaaaaaaaaaaa', counts: { wmis: 1 }, sources: [{ id: 'astra', title: 'ASTRA' }] },
    0,
  );
  const { body } = await service.app.inject('/changelog');
  const { version, counts } = (await service.app.inject('/api/catalog')).json<{
    version: string;
    counts: { wmis: number };
  }>();
  expect(body).toContain(`catalog-${version}`);
  expect(body.indexOf(`catalog-${version}`)).toBeLessThan(body.indexOf('catalog-aaaaaaaaaaaa'));
  const wmis = counts.wmis.toLocaleString('en-US');
  expect(body).toContain(`World manufacturer identifiers: 1 to ${wmis} (+`);
  expect(body).toContain('No longer used: astra: ASTRA');
  expect(body).toContain('with 0 rows of facts');
});

test('the page names the corrected fields, and neither value nor VIN of one vehicle', async () => {
  await using service = await testService();
  for (const [model, ...scope] of [['Golf One'], ['Golf Two', '--alike']] as const) {
    const payload = {
      vin: VIN,
      expectedManufacturer: 'Volkswagen',
      expectedModel: model,
      expectedBodyStyle: 'Hatchback',
      expectedModelYear: '2012',
      note: 'The registration says so.',
    };
    const sent = await service.app.inject({ method: 'POST', url: '/api/report-decode-issue', payload });
    expect(sent.statusCode).toBe(200);
    const id = String(sent.headers['x-report-id']);
    const { status, err } = await runMarque(
      ['corrections', 'accept', id, '--set', `model=${model}`, ...scope],
      service.env,
    );
    expect({ status, err }).toEqual({ status: 0, err: '' });
  }
  const { body } = await service.app.inject('/changelog');
  expect(body).toContain('Model of one vehicle');
  expect(body).toContain('Model of vehicles whose VIN begins with WVW');
  for (const secret of [VIN, 'Golf One', 'Golf Two']) expect(body).not.toContain(secret);
});
