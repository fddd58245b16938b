import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createKey, findWorkspace, systemRandom } from '../workspaces/index.ts';
import { systemClock } from '../kernel/clock.ts';
import { administrator, PASSWORD, signUp } from '../people/testing/people.ts';
import { lastLink, Reader } from '../testing/reader.ts';
import { type TestService, testService } from '../testing/service.ts';

/** Each would run, break out of its place, or turn the writing direction if it were not escaped. */
const HOSTILE = [
  `"><script>alert(1)</script>`,
  `'><img src=x onerror=alert(1)>`,
  `</textarea></title><svg/onload=alert(1)>`,
  'javascript:alert(1)',
  '{{7*7}}${7*7}<%= 7*7 %>',
  '\u202eevil\u0000\u2028=1+1\u001b[31m\u009b6n',
];
const ALL = HOSTILE.join(' ');

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const UNSHOWN = /(?![\t\n\r])[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

let service: TestService;
let admin: Reader;
let owner: Reader;
let reportId: string;
let fileId: string;

async function storeHostileStrings(): Promise<void> {
  owner = new Reader(service.app);
  await owner.post('/sign-up', { email: 'ada@example.com', slug: 'ada-motors' });
  await owner.post(lastLink(service.logged(), '/sign-up'), { name: 'Ada', password: PASSWORD });
  // Accounts of before had any name.
  await service.database.kysely
    .updateTable('auth_users')
    .set({ name: ALL.slice(0, 80).replaceAll('\u0000', '') })
    .where('email', '=', 'ada@example.com')
    .execute();
  for (const name of HOSTILE) await owner.post('/portal/ada-motors/keys', { name });
  await owner.post('/portal/ada-motors/members', { email: 'bob@example.com', role: ALL });
  const claim = Object.fromEntries(
    ['expectedManufacturer', 'expectedModel', 'expectedBodyStyle', 'expectedModelYear', 'note'].map((name) => [
      name,
      ALL,
    ]),
  );
  const sent = { vin: '1HGCM82633A004352', ...claim, actualReport: { model: ALL, [ALL]: ALL } };
  await service.app.inject({ method: 'POST', url: '/api/report-decode-issue', payload: limited(sent) });
  await service.app.inject({
    method: 'POST',
    url: '/api/report-decode-issue',
    payload: limited({ ...sent, vin: ALL }),
  });
  await owner.post('/portal/ada-motors/reports', { ...claim, vin: '1HGCM82633A004352' });
  const workspace = await findWorkspace(service.database, 'ada-motors');
  const deps = { database: service.database, clock: systemClock, random: systemRandom };
  await createKey(deps, { workspaceId: workspace?.id ?? '', name: ALL.replaceAll('\u0000', '') }, 'cli:test');
  const file = await owner.post('/portal/ada-motors/files', {});
  expect(file.statusCode).toBeGreaterThanOrEqual(400);
  await sendFile();
  const queue = (await admin.get('/admin')).body;
  reportId = /reports\/([0-9a-f-]{36})/.exec(queue)?.[1] ?? '';
  await admin.post(`/admin/reports/${reportId}/reject`, { reason: ALL });
}

/** Cut to the lengths that the API takes. */
function limited(sent: Record<string, unknown>): Record<string, unknown> {
  const longest: Record<string, number> = {
    vin: 64,
    expectedModelYear: 32,
    expectedManufacturer: 120,
    expectedBodyStyle: 120,
  };
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, longest[name] ?? 160) : value,
    ]),
  );
}

async function sendFile(): Promise<void> {
  const boundary = 'xxBOUNDARYxx';
  const name = '<script>alert(1)</script>.csv';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  const answer = await service.app.inject({
    method: 'POST',
    url: '/portal/ada-motors/files',
    headers: {
      cookie: owner.cookie,
      'sec-fetch-site': 'same-origin',
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    payload: `${head}vin ${HOSTILE[0]},other\r\n1HGCM82633A004352,"${HOSTILE[1]}"\r\n--${boundary}--\r\n`,
  });
  const path = String(answer.headers['location']);
  fileId = path.split('/').at(-1) ?? '';
  await owner.post(`${path}/resume`);
}

beforeAll(async () => {
  service = await testService();
  admin = await administrator(service, 'root@example.com');
  await storeHostileStrings();
});

afterAll(() => service[Symbol.asyncDispose]());

/** Every page that shows something stored, with who may see it. */
const everyPage = (): [Reader, string][] => {
  // An address with U+0000 is refused: see site/queries.test.ts.
  const query = encodeURIComponent(ALL.replaceAll('\0', ''));
  const ownPages = ['', '/keys', '/try', '/files', `/files/${fileId}`, '/reports', '/members', '/plan'];
  const adminPages = ['', '?state=rejected', `?vin=${query}`, `/reports/${reportId}`];
  const more = ['/workspaces', '/workspaces/ada-motors', '/system', '/audit', `/audit?subject=${query}`];
  return [
    ...ownPages.map((page): [Reader, string] => [owner, `/portal/ada-motors${page}`]),
    ...[
      '/account',
      '/portal/workspaces',
      '/account/second-factor',
      `/sign-in?next=${query}`,
      `/portal/ada-motors/reports?vin=${query}`,
    ].map((page): [Reader, string] => [owner, page]),
    ...[...adminPages, ...more].map((page): [Reader, string] => [admin, `/admin${page}`]),
    [new Reader(service.app), `/sign-in?next=${query}`],
    [new Reader(service.app), lastLink(service.logged(), '/invitations')],
  ];
};

describe('texts of strangers', () => {
  test('are text on every page that shows them, and never markup', async () => {
    const seen = new Set<string>();
    for (const [reader, url] of everyPage()) {
      const { body, statusCode } = await reader.get(url);
      expect({ url, isAnswered: [200, 303].includes(statusCode) }).toEqual({ url, isAnswered: true });
      expect(body).not.toMatch(/<script>|<img src=x|<svg\/onload/);
      expect({ url, unshown: UNSHOWN.exec(body)?.[0] }).toEqual({ url, unshown: undefined });
      expect(body).not.toMatch(/(?:href|src|action)="\s*javascript:/i);
      if (body.includes('&lt;script>alert(1)') || body.includes('&lt;script&gt;alert(1)')) seen.add(url);
    }
    // Proves that the strings were there to be escaped.
    expect(seen.size).toBeGreaterThan(8);
  });

  test('are text in the answers to forms, too', async () => {
    const forms: [Reader, string, Record<string, string>][] = [
      [new Reader(service.app), '/decode', { vin: HOSTILE[0] ?? '' }],
      [new Reader(service.app), '/sign-up', { email: ALL, slug: ALL }],
      [new Reader(service.app), '/sign-in', { email: ALL, password: ALL, next: ALL }],
      [new Reader(service.app), '/forgot', { email: ALL }],
      [owner, '/portal/ada-motors/try', { vin: HOSTILE[1] ?? '' }],
      [owner, '/portal/ada-motors/keys', { name: ALL }],
      [owner, '/portal/ada-motors/members', { email: ALL }],
      [owner, '/portal/workspaces', { slug: ALL }],
      [admin, '/admin/workspaces/ada-motors/plan', { plan: 'free', 'limit-kind': 'fixed', limit: ALL }],
      [
        admin,
        `/admin/reports/${reportId}/preview`,
        {
          scope: 'pattern',
          wmi: ALL,
          pattern: ALL,
          from: ALL,
          'use:model': 'on',
          'value:model': ALL,
          [`value:${ALL}`]: ALL,
        },
      ],
    ];
    for (const [reader, url, fields] of forms) {
      const { body, statusCode } = await reader.post(url, fields);
      expect({ url, isBug: statusCode >= 500 }).toEqual({ url, isBug: false });
      expect(body).not.toMatch(/<script>|<img src=x|<svg\/onload/);
      expect({ url, unshown: UNSHOWN.exec(body)?.[0] }).toEqual({ url, unshown: undefined });
    }
  });
});

test('no page shows the link of a sign-up, not even to this machine: a proxy on this machine looks like its owner', async () => {
  const headers = { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' };
  const fields = { email: 'proxied@example.com', slug: 'proxied-motors' };
  const { body } = await new Reader(service.app).submit('/sign-up', fields, headers);
  expect(body).toContain("in the service's log");
  expect(body).not.toContain(lastLink(service.logged(), '/sign-up'));
});

describe('a session', () => {
  test('is worth nothing when its cookie was made up or changed', async () => {
    for (const cookie of ['marque.session_token=made.up', owner.cookie.replace(/=.{8}/, '=changed!')]) {
      const answer = await service.app.inject({ url: '/account', headers: { cookie } });
      expect(answer.statusCode).toBe(303);
    }
  });

  test('discloses nothing without need: pages for everyone set no cookie', async () => {
    for (const path of ['/', '/docs', '/docs/decode', '/sign-in']) {
      expect((await new Reader(service.app).get(path)).headers['set-cookie']).toBeUndefined();
    }
  });

  test('does not open the API: a decode with its cookie counts as public', async () => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/api/decode',
      headers: { cookie: owner.cookie },
      payload: { vin: '1HGCM82633A004352' },
    });
    expect(answer.headers['x-service-auth']).toBe('public');
  });
});

test('a person who belongs to nothing is offered to make a workspace', async () => {
  const reader = await signUp(service, 'lone@example.com', 'lone-motors');
  await reader.post('/portal/lone-motors/close', { slug: 'lone-motors' });
  expect((await reader.get('/portal')).headers['location']).toBe('/portal/workspaces');
  expect((await reader.get('/portal/workspaces')).body).toContain('Create your workspace');
});
