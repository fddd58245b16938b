import MiniSearch from 'minisearch';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { project } from '../../decode/depth.ts';
import { decoder } from '../../testing/decoder.ts';
import { type TestService, testService } from '../../testing/service.ts';
import { entriesOf } from './entries.tsx';
import { answerExample, endpointsByTag, type OpenApi } from './openapi.ts';
import { sectionsOf } from './sections.ts';
import { type Entry, ReferenceSearch } from './search-index.ts';
import { guides, GUIDES_PATH } from '../guides/documents.ts';

let service: TestService;
let api: OpenApi;

beforeAll(async () => {
  service = await testService();
  await service.app.ready();
  api = JSON.parse(JSON.stringify(service.app.swagger()));
});

afterAll(() => service[Symbol.asyncDispose]());

/** Returns the links of a page, and the anchors that they may point to. */
async function linksAndAnchors(path: string): Promise<{ links: string[]; anchors: string[] }> {
  const { statusCode, body } = await service.app.inject(path);
  expect(statusCode).toBe(200);
  return {
    links: [...body.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => (href.startsWith('#') ? path + href : href)),
    anchors: [path, ...[...body.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => `${path}#${id}`)],
  };
}

/** Returns a page's text, as its reader copies it. */
async function shown(path: string): Promise<string> {
  return (await service.app.inject(path)).body.replaceAll('&quot;', '"');
}

/** Returns the addresses of a search's results, the best first. */
async function found(query: string): Promise<string[]> {
  const { body } = await service.app.inject(`/docs/search?${new URLSearchParams({ q: query }).toString()}`);
  const list = body.slice(body.indexOf('id="found"'));
  return [...list.matchAll(/<li><a href="([^"]*)"/g)].map(([, href = '']) => href);
}

describe('the reference', () => {
  test('leads to nothing that is not there', async () => {
    const paths = [
      '/docs',
      ...sectionsOf(api).map(({ path }) => path),
      '/docs/schemas',
      GUIDES_PATH,
      ...guides().map(({ path }) => path),
    ];
    const pages = await Promise.all(paths.map(linksAndAnchors));
    const anchors = new Set(pages.flatMap((page) => page.anchors));
    // Files rather than pages.
    const files = new Set(['/docs/collection.json', ...guides().map(({ path }) => `${path}.md`)]);
    const links = pages.flatMap((page) => page.links).filter((link) => link.startsWith('/docs') && !files.has(link));
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

  test('describes assistants and the command line', async () => {
    const text = await shown('/docs');
    expect(text).toContain('/mcp');
    expect(text).toContain('npx @marque/service mcp');
    expect(text).toContain('npx @marque/service decode');
  });

  test('answers a section that does not exist like any address that does not exist', async () => {
    expect((await service.app.inject('/docs/nothing')).statusCode).toBe(404);
  });

  test.each([
    ['powerKw', '/docs/schemas#schema-VehicleReport.specs.powerKw'],
    ['kw', '/docs/schemas#schema-VehicleReport.specs.powerKw'],
    ['429', '/docs#error-429'],
    ['idempotency', '/docs#header-idempotency-key'],
    ['ratelimit remaining', '/docs#header-x-ratelimit-remaining'],
    ['webhook-signature', '/docs#header-webhook-signature'],
    ['enrichment.finished', '/docs/webhooks#event-enrichment-finished'],
    ['mcp', '/docs#assistants'],
    ['--explain', '/docs#command-line'],
    ['post /api/decode/batch', '/docs/decode#post-api-decode-batch'],
    ['standard webhooks', '/docs/guides/webhooks'],
    ['how many calls per second', '/docs/guides/questions#how-many-calls-per-second-may-a-live-key-make-rate-limit'],
    ['two workers same vin', '/docs/guides/questions#two-workers-sent-the-same-vin-is-it-charged-twice'],
    ['why is a field missing', '/docs/guides/questions#why-is-a-field-missing'],
    ['confidence', '/docs/guides/questions#how-sure-is-a-value-is-there-a-confidence-score'],
    ['excel', '/docs/guides/spreadsheets#excel-with-a-script'],
    ['google sheets', '/docs/guides/spreadsheets'],
    ['gdpr', '/docs/guides/questions#what-is-stored-about-a-vin-is-it-gdpr-compliant'],
    ['php client', '/docs/guides/questions#is-there-a-client-for-my-language'],
    ['quota', '/docs/guides/questions#what-happens-at-the-limit-quota'],
    ['bulk', '/docs/guides/questions#how-do-i-decode-a-list-of-vins-bulk'],
    ['move from vpic', '/docs/guides/questions#how-do-i-move-from-nhtsas-vpic-api'],
    ['postman', '/docs/guides/automation#postman-and-bruno'],
    ['n8n', '/docs/guides/automation#n8n'],
    ['pandas polars', '/docs/guides/data#pandas-and-polars'],
    ['create a job', '/docs/jobs#post-api-jobs'],
    ['job create example', '/docs/jobs#post-api-jobs'],
    ['creating jobs', '/docs/jobs#post-api-jobs'],
    ['pagination', '/docs/guides/questions#how-do-i-page-through-a-list-pagination'],
    ['llms.txt', '/docs/guides/questions#is-there-something-for-assistants-and-language-models-mcp-llmstxt-ai-agents'],
    ['nginx', '/docs/guides/operations#behind-a-proxy-with-https-nginx-caddy-haproxy-apache'],
    ['right to erasure', '/docs/guides/questions#what-is-stored-about-a-vin-is-it-gdpr-compliant'],
    ['what is charged', '/docs/guides/questions#what-is-charged'],
    ['restoring backups', '/docs/guides/operations#back-up-and-restore'],
    ['max batch size', '/docs/guides/questions#what-is-the-largest-batch-file-or-job-maximum-size-limit'],
    ['https', '/docs/guides/operations#behind-a-proxy-with-https-nginx-caddy-haproxy-apache'],
    ['cors', '/docs/guides/questions#may-i-put-a-key-into-a-web-page-or-an-app'],
    ['sandbox', '/docs/guides/questions#is-there-a-sandbox-which-vins-are-there-for-testing'],
    ['invite a colleague', '/docs/guides/questions#how-do-i-invite-a-colleague-or-change-their-role'],
    ['reset password', '/docs/guides/questions#i-forgot-my-password-how-do-i-reset-it'],
    ['change the host', '/docs/vpic'],
    ['idempotncy', '/docs#header-idempotency-key'],
  ])('finds %s', async (query, href) => {
    const links = await found(query);
    expect(links.slice(0, 3)).toContain(href);
    expect((await linksAndAnchors(href.replace(/#.*/, ''))).anchors).toContain(href);
  });

  test.each([
    ['upgrade', '/docs/guides/operations#upgrade'],
    ['Upgrade', '/docs/guides/operations#upgrade'],
    ['upgrade plan', '/docs/guides/questions#how-do-i-get-a-larger-plan-upgrade-price'],
    ['accept a report', '/docs/guides/corrections#accept-or-reject-a-report'],
    ['reject report', '/docs/guides/corrections#accept-or-reject-a-report'],
  ])('finds first for %s', async (query, href) => {
    expect((await found(query))[0]).toBe(href);
  });

  test('reads a few entries in a turn of the event loop', async () => {
    const parts = [...entriesOf(api, sectionsOf(api), 'http://localhost')];
    let turns = 0;
    let next = setImmediate(function count() {
      turns += 1;
      next = setImmediate(count);
    });
    const read = vi.spyOn(MiniSearch.prototype, 'addAll');
    await ReferenceSearch.of(parts);
    clearImmediate(next);
    const most = Math.max(
      ...read.mock.calls.map(([some]) => some.slice(0, -1).reduce((sum, { text }) => sum + text.length, 0)),
    );
    expect(most).toBeLessThan(4_000);
    expect(turns).toBeGreaterThanOrEqual(read.mock.calls.length - 1);
    read.mockRestore();
    expect(parts.length).toBeGreaterThan(guides().length);
    // Nor is more than one text rendered between them.
    expect(parts[0]).toHaveLength(1);
  });

  test('looks for all that begin with a short word once, however many are typed, and for no more than two typos', async () => {
    let works = 0;
    const parts = [...entriesOf(api, sectionsOf(api), 'http://localhost')].map((part) =>
      part.map(({ weight, ...entry }) => ({
        ...entry,
        // Read for each entry of each word that is looked for.
        get weight() {
          works += 1;
          return weight;
        },
      })),
    );
    const search = await ReferenceSearch.of(parts);
    const worksFor = (query: string): number => {
      const before = works;
      search.find(query);
      return works - before;
    };
    // In the forms typed, with typos, and only some of them.
    expect(worksFor('s r t n l c p d s')).toBeLessThan(3 * worksFor('s'));
    const entry: Entry = {
      kind: 'Guide',
      href: '/',
      title: 'Signatures and their rotation',
      context: '',
      text: '',
      weight: 1,
    };
    const one = await ReferenceSearch.of([[entry]]);
    const numbers = ['signatures r', 'r signatures', 's r', 'sigmaturez', 'zikmaturez'].map((query) => [
      query,
      one.find(query).hits.length,
    ]);
    expect(numbers).toEqual([
      ['signatures r', 1],
      ['r signatures', 1],
      ['s r', 0],
      ['sigmaturez', 1],
      ['zikmaturez', 0],
    ]);
  });

  test('finds every field, error, header, and event, each at an address that is there', async () => {
    const entries = [...entriesOf(api, sectionsOf(api), 'http://localhost')].flat();
    const paths = new Set(entries.map(({ href }) => href.replace(/#.*/, '')));
    const pages = await Promise.all([...paths].map(linksAndAnchors));
    const anchors = new Set(pages.flatMap((page) => page.anchors));
    expect(entries.map(({ href }) => href).filter((href) => !anchors.has(href))).toEqual([]);
    for (const kind of ['Guide', 'Operation', 'Schema', 'Field', 'Error', 'Header', 'Event']) {
      expect(entries.filter((entry) => entry.kind === kind)).not.toEqual([]);
    }
  });

  test('is refused for a network that asks more than can wait', async () => {
    const asked = Array.from({ length: 30 }, () => service.app.inject('/docs/search?q=s+t+r+e+d'));
    const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
  });

  test('lists a field that several answers share once', async () => {
    const { body } = await service.app.inject('/docs/search?q=upgradeAvailable');
    expect(body.match(/<strong class="mono">metadata\.upgradeAvailable</g)).toHaveLength(1);
  });

  test('names a search without results, and runs nothing of the typed text', async () => {
    const { body } = await service.app.inject('/docs/search?q=%3Cb%3Exyzzy(%5B%5C');
    expect(body).toContain('Nothing found');
    expect(body).toContain('&lt;b>xyzzy');
    expect((await service.app.inject('/docs/search')).body).not.toContain('Nothing found');
  });

  test('sends only the results to a reader who types', async () => {
    const { body, headers } = await service.app.inject({
      url: '/docs/search?q=429',
      headers: { 'hx-request': 'true' },
    });
    expect(headers['marque-part']).toBe('yes');
    expect(body).toContain('/docs#error-429');
    expect(body).not.toContain('<html');
  });
});

test('pages that are first asked for while the service stops are refused, and no fault of it', async () => {
  await using stopping = await testService();
  const asked = Array.from({ length: 3 }, () => stopping.app.inject('/docs').then(({ statusCode }) => statusCode));
  await stopping.app.close();
  expect(await Promise.all(asked)).toEqual([503, 503, 503]);
});
