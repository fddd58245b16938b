import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ENGINES } from '../testing/databases.ts';
import { addSecondFactor, administrator, createAdministrator, PASSWORD, signUp } from '../people/testing/people.ts';
import { Reader } from '../testing/reader.ts';
import { audited } from '../kernel/audit/index.ts';
import { systemClock } from '../kernel/clock.ts';
import { noteBackup } from '../kernel/db/index.ts';
import { createKey, findWorkspace, systemRandom } from '../workspaces/index.ts';
import { serviceOn, type TestService } from '../testing/service.ts';

const VIN = '1HGCM82633A004352';

describe.each(ENGINES)('administration on %s', (engine) => {
  let service: TestService;
  let admin: Reader;
  let owner: Reader;

  beforeAll(async () => {
    service = await serviceOn(engine);
    admin = await administrator(service, 'root@example.com');
    owner = await signUp(service, 'ada@example.com', 'ada-motors');
  });

  afterAll(async () => service[Symbol.asyncDispose]());

  test('opens with a second factor only, and only for administrators', async () => {
    const link = await createAdministrator(service, 'new@example.com');
    const reader = new Reader(service.app);
    await reader.post(link, { password: PASSWORD });
    await reader.post('/sign-in', { email: 'new@example.com', password: PASSWORD });
    expect((await reader.get('/admin')).headers['location']).toMatch(/^\/account\/second-factor/);
    await addSecondFactor(reader);
    expect((await reader.get('/admin')).statusCode).toBe(200);

    const stranger = await signUp(service, 'eve@example.com', 'eve-motors');
    await addSecondFactor(stranger);
    for (const page of ['', '/workspaces', '/workspaces/eve-motors', '/system', '/runbook', '/audit', '/reports/x']) {
      expect((await stranger.get(`/admin${page}`)).statusCode).toBe(404);
    }
    expect((await stranger.post('/admin/workspaces/eve-motors/plan', { plan: 'enterprise' })).statusCode).toBe(404);
  });

  test('a report is reviewed, previewed, accepted, answers at once, and is taken back', async () => {
    const sent = await owner.submit('/portal/ada-motors/reports', {
      vin: VIN,
      expectedManufacturer: 'Honda',
      expectedModel: 'Accord Special',
      expectedBodyStyle: 'Coupe',
      expectedModelYear: '2003',
      note: 'It says so on the boot.',
    });
    expect(sent.body).toContain('Your report is saved');
    const id = /reports\/([0-9a-f-]{36})/.exec((await admin.get('/admin')).body)?.[1] ?? '';
    const page = await admin.get(`/admin/reports/${id}`);
    expect(page.body).toContain('It says so on the boot.');
    const fields = { scope: 'vin', 'use:model': 'on', 'value:model': 'Accord Special' };
    const preview = await admin.post(`/admin/reports/${id}/preview`, fields);
    expect(preview.body).toContain('What would change');
    expect(preview.body).toContain('<ins>Accord Special</ins>');
    const tried = async () => {
      const { headers } = await owner.post('/portal/ada-motors/try', { vin: VIN });
      return (await owner.get(String(headers.location))).body;
    };
    expect(await tried()).toContain('<h1>2003 Honda Accord</h1>');
    const asked = await admin.post(`/admin/reports/${id}/accept`, { ...fields, reason: 'Thank you.' });
    expect([asked.statusCode, asked.body]).toEqual([
      422,
      expect.stringContaining('One labeled VIN is decoded correctly now and would be decoded incorrectly.'),
    ]);
    expect(asked.body).toContain('name="contradicts"');
    expect(await tried()).toContain('<h1>2003 Honda Accord</h1>');
    await admin.post(`/admin/reports/${id}/accept`, { ...fields, reason: 'Thank you.', contradicts: 'accepted' });
    expect(await tried()).toContain('<h1>2003 Honda Accord Special</h1>');
    expect((await owner.get('/portal/ada-motors/reports')).body).toMatch(/accepted.*Thank you\./s);
    await admin.post(`/admin/reports/${id}/revert`, { reason: 'It was the neighbor.' });
    expect(await tried()).toContain('<h1>2003 Honda Accord</h1>');
    const log = (await admin.get(`/admin/audit?subject=report:${id}`)).body;
    expect(log).toMatch(/report\.reverted.*report\.accepted/s);
    expect(log).toContain('admin root@example.com');
    expect(log).toContain(`report ${VIN}`);
    const of = async (query: string) => (await admin.get(`/admin/audit?${query}`)).body;
    expect(await of('actor=root&action=report&from=2001-01-01&until=2999-01-01')).toContain('report.reverted');
    const queue = async (query: string) => (await admin.get(`/admin?state=reverted&${query}`)).body;
    expect(await queue('decided-by=root&from=2001-01-01&until=2999-01-01')).toContain(id);
    expect(await queue('reporter=ada')).toMatch(new RegExp(`${id}[\\s\\S]*ada-motors`));
    for (const query of ['decided-by=nobody', 'until=2001-01-01', 'reporter=nobody', 'reporter=public'])
      expect(await queue(query)).not.toContain(id);
    for (const query of ['actor=nobody', 'action=key', 'until=2001-01-01', 'from=2999-01-01']) {
      expect(await of(query)).not.toContain('report.reverted');
    }
  });

  test('a report that a test key sent is marked as such, for who reviews it and for its workspace', async () => {
    const workspaceId = (await findWorkspace(service.database, 'ada-motors'))?.id ?? '';
    const { database } = service;
    const wanted = { workspaceId, name: 'ci', mode: 'test' } as const;
    const { key, id: keyId } = await createKey(
      { database, clock: Date.now, random: systemRandom },
      wanted,
      'cli:tester',
    );
    const payload = {
      vin: '1HGCM82633A004999',
      expectedManufacturer: 'Honda',
      expectedModel: 'Sample',
      expectedBodyStyle: 'Coupe',
      expectedModelYear: '2003',
      note: 'A sample.',
    };
    const url = '/api/report-decode-issue';
    const sent = await service.app.inject({ method: 'POST', url, headers: { 'x-api-key': key }, payload });
    expect(sent.statusCode).toBe(200);
    expect((await admin.get('/admin')).body).toContain('ada-motors, test key');
    const report = database.kysely.selectFrom('correction_reports').select('id').where('key_id', '=', keyId);
    const { id } = await report.executeTakeFirstOrThrow();
    expect((await admin.get(`/admin/reports/${id}`)).body).toContain('by the API with a test key, sent');
    expect((await owner.get('/portal/ada-motors/reports')).body.match(/With a test key/g)).toHaveLength(1);
    await admin.post(`/admin/reports/${id}/reject`, { reason: 'A sample.' });
  });

  test('an impossible correction is refused with a sentence, beside the values typed', async () => {
    const claim = { expectedManufacturer: 'A', expectedModel: 'B', expectedBodyStyle: 'C', expectedModelYear: '1999' };
    await owner.post('/portal/ada-motors/reports', { vin: VIN, ...claim, note: 'x' });
    const id = /reports\/([0-9a-f-]{36})/.exec((await admin.get('/admin')).body)?.[1] ?? '';
    const bad = { scope: 'vin', 'use:modelYear': 'on', 'value:modelYear': 'ninety' };
    const refused = (await admin.post(`/admin/reports/${id}/preview`, bad)).body;
    expect(refused).toContain('Model year must be a year of four digits.');
    expect(refused).not.toContain('modelYear must');
    expect((await admin.post(`/admin/reports/${id}/accept`, bad)).statusCode).toBe(422);
    expect((await admin.post(`/admin/reports/${id}/reject`, { reason: ' ' })).statusCode).toBe(422);
    expect((await admin.submit(`/admin/reports/${id}/reject`, { reason: 'No.' })).body).toContain('is rejected');
    expect((await admin.post(`/admin/reports/${id}/revert`, { reason: 'No.' })).body).toContain('is already rejected');
    expect((await admin.post(`/admin/reports/${id}/reject`, { reason: 'No.' })).body).toContain('already');
  });

  test('a report that an accepted one resolves is closed with it', async () => {
    const claim = { expectedManufacturer: 'Honda', expectedBodyStyle: 'Coupe', expectedModelYear: '2003', note: 'x' };
    const newest = async () => /reports\/([0-9a-f-]{36})/.exec((await admin.get('/admin')).body)?.[1] ?? '';
    await owner.post('/portal/ada-motors/reports', { vin: VIN, ...claim, expectedModel: 'Accord Six' });
    const first = await newest();
    await admin.post(`/admin/reports/${first}/accept`, {
      scope: 'vin',
      'use:model': 'on',
      'value:model': 'Accord Six',
      contradicts: 'accepted',
    });
    await owner.post('/portal/ada-motors/reports', { vin: VIN, ...claim, expectedModel: 'Accord VI' });
    const second = await newest();
    expect((await admin.get(`/admin/reports/${second}`)).body).toContain(`value="${first}"`);
    const closed = await admin.submit(`/admin/reports/${second}/supersede`, { 'settled-by': first });
    expect(closed.body).toContain('closed as settled');
  });

  const send = async (vin: string, expectedModel: string): Promise<string> => {
    const claim = { expectedManufacturer: 'Honda', expectedBodyStyle: 'Coupe', expectedModelYear: '2003', note: 'x' };
    await owner.post('/portal/ada-motors/reports', { vin, ...claim, expectedModel });
    const rows = service.database.kysely.selectFrom('correction_reports').select('id').orderBy('id', 'desc');
    return (await rows.executeTakeFirstOrThrow()).id;
  };

  test('the review names fields as people do, shows the effect at once, and accepts nothing but the effect shown', async () => {
    const id = await send('1HGCM82633A004360', 'Accord Nine');
    const { body } = await admin.get(`/admin/reports/${id}`);
    expect(body).toMatch(/Model[\s\S]*<ins>Accord Nine<\/ins>[\s\S]*What would change/);
    expect(body).toContain('Length (mm)');
    expect(body).not.toMatch(/technicalSpecs\.lengthMm[^"]*</);
    expect(body).not.toContain('0 conflicting');
    const previewed = /name="previewed" value="([^"]+)"/.exec(body)?.[1]?.replaceAll('&quot;', '"') ?? '';
    const edited = { scope: 'vin', 'use:model': 'on', 'value:model': 'Accord Ten', previewed };
    const refused = await admin.post(`/admin/reports/${id}/accept`, edited);
    expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('changed after its effect')]);
    expect(refused.body).toContain('<ins>Accord Ten</ins>');
    const shown = { ...edited, 'value:model': 'Accord Nine' };
    expect((await admin.submit(`/admin/reports/${id}/accept`, shown)).body).toContain('Open the decode');
    expect((await admin.get(`/admin/reports/${id}`)).body).toContain('<h2>Accepted by root@example.com</h2>');
    expect((await admin.get(`/admin/reports/${id}/decode`)).body).toContain('2003 Honda Accord Nine');
    await admin.post(`/admin/reports/${id}/revert`, { reason: 'A test.' });
  });

  test('several reports are decided at once, those alike stand together, and one that contradicts a label stays', async () => {
    const first = await send('1HGCM82633A004361', 'Accord A');
    const other = await send('WVWZZZ1KZ4W000001', 'Civic');
    const alike = await send('1HGCM82633A004362', 'Accord A');
    const labeled = await send('LVHRS1820P5205028', 'Accord B');
    const queue = await admin.get('/admin');
    expect(queue.body).toContain('2 reports on VINs that begin with <code>1HGCM826</code>');
    expect(queue.body).toMatch(/<option value="queued" selected>Waiting for review</);
    expect(queue.body.indexOf(alike)).toBeLessThan(queue.body.indexOf(other));
    // The queue shows what each report would change, so that several can be decided at once.
    expect(queue.body).toMatch(/2003 Honda Accord[^<]*<div>Model: <del>Accord<\/del> <ins>Accord A<\/ins><\/div>/);
    // After the last one, the first that waits is next.
    const [oldest = '', newest = ''] = [first, labeled].toSorted();
    expect((await admin.get(`/admin/reports/${newest}`)).body).toContain(
      `href="/admin/reports/${oldest}" data-key="j"`,
    );
    const all = (act: string, reason: string) =>
      new URLSearchParams([
        ...[first, other, alike, labeled].map((id) => ['report', id]),
        ['act', act],
        ['reason', reason],
      ]);
    const blank = await admin.post('/admin/reports', all('reject', ' '));
    expect([blank.statusCode, blank.body]).toEqual([422, expect.stringContaining('Give a reason')]);
    expect(blank.body.match(/checkbox"[^>]*checked/g)).toHaveLength(4);
    expect((await admin.post('/admin/reports', { act: 'accept' })).body).toContain('Tick at least one report.');
    const accepted = (await admin.submit('/admin/reports?vin=', all('accept', ''))).body;
    expect(accepted).toContain('3 reports are accepted. One contradicts a labeled VIN.');
    const rejected = (await admin.submit('/admin/reports', all('reject', 'No.'))).body;
    expect(rejected).toContain('One report is rejected. 3 were no longer in the queue.');
    const strangers = await signUp(service, 'mallory@example.com', 'mallory-motors');
    expect((await strangers.post('/admin/reports', all('accept', ''))).statusCode).toBe(404);
  });

  test('the system view counts, and the audit log proves itself whole', async () => {
    await service.app.inject({ method: 'POST', url: '/api/decode', payload: { vin: VIN } });
    const system = (await admin.get('/admin/system')).body;
    expect(system).toContain('Make and model');
    expect(system).toMatch(/Median<\/dt><dd>[\d.]+/);
    for (const queue of ['mail', 'enrichment', 'files', 'schedules', 'webhooks']) {
      expect(system).toContain(`<th scope="row">${queue}</th>`);
    }
    expect(system).toContain('has not been run on this database');
    await noteBackup(service.database, Date.UTC(2026, 0, 2, 3, 4));
    expect((await admin.get('/admin/system')).body).toMatch(/check<\/span>.*2026-01-02 03:04/s);
    for (const [, heading = ''] of system.matchAll(/href="\/admin\/runbook#([^"]+)"/g)) {
      expect((await admin.get('/admin/runbook')).body).toContain(`id="${heading}"`);
    }
    expect((await admin.submit('/admin/audit/verify')).body).toContain('The log is intact');
    for (const guide of ['reliability', 'privacy']) {
      expect((await admin.get('/admin/runbook')).body).toContain(`<a href="/docs/guides/${guide}">${guide}</a>`);
    }
  });
});

test('what an administrator sent is not done once the session has ended while it waited', async () => {
  await using service = await serviceOn('postgres');
  const admin = await administrator(service, 'root@example.com');
  await signUp(service, 'ada@example.com', 'ada-motors');
  const { database } = service;
  const { kysely } = database;
  const waiting = sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const sent = await audited({ database, clock: systemClock }, 'cli:test', async ({ transaction }) => {
    const answer = admin.post('/admin/workspaces/ada-motors/plan', { plan: 'enterprise', 'limit-kind': 'plan' });
    await expect.poll(async () => (await waiting.execute(kysely)).rows.length).toBeGreaterThan(0);
    await transaction.deleteFrom('auth_sessions').execute();
    return { answer };
  });
  expect((await sent.answer).headers['location']).toMatch(/^\/sign-in/);
  expect((await findWorkspace(database, 'ada-motors'))?.plan).toBe('free');
});
