import { expect, test } from 'vitest';

import { testService } from '../testing/service.ts';
import { atomOf } from './feed.ts';

test('a feed is Atom, whatever its texts contain', () => {
  const feed = { title: 'Status', path: '/status', baseUrl: 'https://vin.example.com', sinceMs: 0 };
  const entry = { path: '/status#a', title: '<b> & "c"', atMs: 86_400_000, text: ']]> <script>' };
  const text = atomOf({ ...feed, entries: [entry] });
  expect(text).toMatch(/^<\?xml version="1\.0" encoding="utf-8"\?>\n<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">/);
  expect(text).toContain('<link rel="self" href="https://vin.example.com/status.atom"/>');
  expect(text).toContain('<title>&lt;b> &amp; &quot;c&quot;</title><updated>1970-01-02T00:00:00.000Z</updated>');
  expect(text).not.toMatch(/<b>|<script>/);
  expect(atomOf({ ...feed, entries: [] })).toContain('<updated>1970-01-01T00:00:00.000Z</updated>');
});

test('status and changelog have feeds, which their pages name', async () => {
  await using service = await testService({ BASE_URL: 'https://vin.example.com' });
  for (const [path, expected] of [
    ['/changelog', '<title>Catalog '],
    ['/status', '<title>Marque: Status</title>'],
  ] as const) {
    const page = await service.app.inject(path);
    expect(page.body).toContain(`<link rel="alternate" type="application/atom+xml" href="${path}.atom"`);
    const feed = await service.app.inject(`${path}.atom`);
    expect(feed.headers['content-type']).toBe('application/atom+xml; charset=utf-8');
    expect(feed.body).toContain(expected);
    expect(feed.body).toContain(`<id>https://vin.example.com${path}</id>`);
    expect(feed.body).not.toMatch(/undefined|Invalid|NaN/);
  }
});
