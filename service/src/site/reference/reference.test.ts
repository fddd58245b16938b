import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { project } from '../../decode/depth.ts';
import { decoder } from '../../testing/decoder.ts';
import { type TestService, testService } from '../../testing/service.ts';
import { answerExample, endpointsByTag, type OpenApi } from './openapi.ts';
import { sectionsOf } from './sections.ts';

let service: TestService;
let api: OpenApi;

beforeAll(async () => {
  service = await testService();
  await service.app.ready();
  api = JSON.parse(JSON.stringify(service.app.swagger()));
});

afterAll(() => service[Symbol.asyncDispose]());

/** What a page offers to go to, and what is there to be gone to. */
async function linksAndAnchors(path: string): Promise<{ links: string[]; anchors: string[] }> {
  const { statusCode, body } = await service.app.inject(path);
  expect(statusCode).toBe(200);
  return {
    links: [...body.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => (href.startsWith('#') ? path + href : href)),
    anchors: [path, ...[...body.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => `${path}#${id}`)],
  };
}

/** A page's text, as its reader copies it. */
async function shown(path: string): Promise<string> {
  return (await service.app.inject(path)).body.replaceAll('&quot;', '"');
}

describe('the reference', () => {
  test('leads to nothing that is not there', async () => {
    const paths = ['/docs', ...sectionsOf(api).map(({ path }) => path), '/docs/schemas'];
    const pages = await Promise.all(paths.map(linksAndAnchors));
    const anchors = new Set(pages.flatMap((page) => page.anchors));
    const links = pages.flatMap((page) => page.links).filter((link) => link.startsWith('/docs'));
    expect(links.length).toBeGreaterThan(300);
    expect(links.filter((link) => !anchors.has(link))).toEqual([]);
  });

  test('has each operation once, on the page of its tag', async () => {
    const sections = sectionsOf(api);
    for (const { path, endpoints } of sections) {
      const { body } = await service.app.inject(path);
      for (const { anchor } of endpoints) {
        expect(body.split(`<div id="${anchor}"`)).toHaveLength(2);
      }
    }
    const all = endpointsByTag(api).flatMap(({ endpoints }) => endpoints);
    expect(sections.flatMap(({ endpoints }) => endpoints)).toHaveLength(all.length);
  });

  test('shows no empty object as an example of an answer', async () => {
    for (const { endpoints } of sectionsOf(api)) {
      for (const { operation } of endpoints) expect(answerExample(api, operation)).not.toEqual({});
    }
    const { body } = await service.app.inject('/docs/vpic');
    expect(body).not.toMatch(/<code[^>]*>\{\}<\/code>/);
  });

  test('shows the report that its example VIN gets', async () => {
    const report = project('full', decoder.decode('1HGCM82633A004352'));
    const text = JSON.stringify({ report }, null, 2).slice(0, -'\n}'.length);
    expect(await shown('/docs')).toContain(text);
    expect(await shown('/docs/decode')).toContain(text);
  });

  test('shows the very answers that its first call gets, without a key and with a plan', async () => {
    const key = await service.keyFor('business');
    for (const headers of [{}, { 'x-api-key': key }]) {
      const payload = { vin: '1HGCM82633A004352' };
      const { body } = await service.app.inject({ method: 'POST', url: '/api/decode', headers, payload });
      expect(await shown('/docs')).toContain(JSON.stringify(JSON.parse(body), null, 2));
    }
  });

  test('tells of assistants and of the command line', async () => {
    const text = await shown('/docs');
    expect(text).toContain('/mcp');
    expect(text).toContain('npx @marque/service mcp');
    expect(text).toContain('npx @marque/service decode');
  });

  test('answers a section that does not exist like any address that does not exist', async () => {
    expect((await service.app.inject('/docs/nothing')).statusCode).toBe(404);
  });
});
