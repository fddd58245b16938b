import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { Accounts } from '../accounts.ts';
import { ENGINES } from '../../testing/databases.ts';
import { runCli } from '../../cli/program.ts';
import { ioWith } from '../../testing/io.ts';
import { codeAt, Reader } from '../../testing/reader.ts';
import { serviceOn, type TestService } from '../../testing/service.ts';
import { until } from '../../testing/until.ts';
import {
  addSecondFactor,
  administrator,
  createAdministrator,
  hiddenIn,
  PASSWORD,
  secretIn,
  signUp,
} from '../testing/people.ts';

describe.each(ENGINES)('an account on %s', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await serviceOn(engine);
  });

  afterAll(async () => service[Symbol.asyncDispose]());

  const signIn = async (email: string, next = ''): Promise<string | undefined> =>
    (await new Reader(service.app).post('/sign-in', { email, password: PASSWORD, next })).headers.location;

  const linksTo = (email: string): number => service.logged().split(`"to":"${email}"`).length - 1;

  /** Asks for another address. @returns the token in the link that is mailed to it. */
  async function askFor(owner: Reader, email: string): Promise<string> {
    const before = linksTo(email);
    const asked = await owner.submit('/account/address', { email, password: PASSWORD });
    expect(asked.body).toContain('no SMTP_URL');
    await until(async () => linksTo(email) > before);
    const links = [...service.logged().matchAll(/\/new-address\?token=([0-9a-f]+)/g)];
    return links.at(-1)?.[1] ?? '';
  }

  test('a name is changed, and one that looks like an address is refused', async () => {
    const owner = await signUp(service, 'name@example.com', 'name-motors');
    expect((await owner.submit('/account/name', { name: 'Grace Hopper' })).body).toContain('value="Grace Hopper"');
    expect((await owner.get('/portal/name-motors/members')).body).toContain('Grace Hopper');
    expect((await owner.post('/account/name', { name: 'www.example.com' })).statusCode).toBe(422);
    expect((await owner.get('/account')).body).toContain('value="Grace Hopper"');
  });

  test('a name is not changed by a session that ended after it was looked at', async () => {
    const owner = await signUp(service, 'ended@example.com', 'ended-motors');
    const { kysely } = service.database;
    const person = kysely.selectFrom('auth_users').select('id').where('email', '=', 'ended@example.com');
    const end = () => kysely.deleteFrom('auth_sessions').where('user_id', 'in', person).execute();
    const renamed = vi.spyOn(Accounts.prototype, 'rename').mockImplementation(async function late(
      this: Accounts,
      ...of
    ) {
      await end();
      renamed.mockRestore();
      return this.rename(...of);
    });
    const { statusCode, headers } = await owner.post('/account/name', { name: 'Grace Hopper' });
    expect([statusCode, headers.location]).toEqual([303, expect.stringMatching(/^\/sign-in/)]);
  });

  test('a form of a page that was opened before someone else signed in to the browser changes nothing', async () => {
    const browser = await signUp(service, 'ada@example.com', 'ada-motors');
    await signUp(service, 'bob@example.com', 'bob-motors');
    const opened = (await browser.get('/account')).body;
    const viewer = hiddenIn(opened)['viewer'] ?? '';
    expect(opened.split(`name="viewer" value="${viewer}"`)).toHaveLength(opened.split('method="post"').length - 2);
    await browser.post('/sign-in', { email: 'bob@example.com', password: PASSWORD });
    const stale = await browser.post('/account/name', { name: 'Ada Lovelace', viewer });
    expect(stale.statusCode).toBe(409);
    expect(stale.body).toContain('someone else has signed in to this browser since the page was opened');
    expect((await browser.get('/account')).body).not.toContain('Ada Lovelace');
  });

  test('a message for one person is not shown to the next one in the same browser, and signing out takes it', async () => {
    const browser = await signUp(service, 'before@example.com', 'before-motors');
    await signUp(service, 'after@example.com', 'after-motors');
    const renamed = () => browser.post('/account/name', { name: 'First Person' });
    expect((await renamed()).headers.location).toBe('/account');
    await browser.post('/sign-in', { email: 'after@example.com', password: PASSWORD });
    expect((await browser.get('/account')).body).not.toContain('Your name is now');
    await browser.post('/sign-in', { email: 'before@example.com', password: PASSWORD });
    await renamed();
    expect(browser.cookie).toContain('marque.flash=');
    await browser.post('/sign-out');
    expect(browser.cookie).not.toContain('marque.flash');
  });

  test('a new address signs in once the link that was mailed to it is confirmed, once', async () => {
    const owner = await signUp(service, 'old@example.com', 'old-motors');
    const wrong = await owner.post('/account/address', { email: 'new@example.com', password: 'wrong wrong wrong' });
    expect(wrong.body).toContain('The password is wrong.');
    expect(linksTo('new@example.com')).toBe(0);
    const claim = { expectedManufacturer: 'Honda', expectedModel: 'Accord', expectedBodyStyle: 'Coupe' };
    const report = { vin: '1HGCM82633A004352', ...claim, expectedModelYear: '2003', note: 'The badge.' };
    await owner.post('/portal/old-motors/reports', report);
    const token = await askFor(owner, 'new@example.com');
    const stranger = new Reader(service.app);
    expect((await stranger.get(`/new-address?token=${token}`)).body).toContain('Confirm the address');
    expect(await signIn('new@example.com')).toBeUndefined();
    expect((await stranger.submit('/new-address', { token })).body).toContain('now new@example.com');
    expect(await signIn('new@example.com')).toBe('/portal');
    expect(await signIn('old@example.com')).toBeUndefined();
    expect((await owner.get('/account')).body).toContain('<strong>new@example.com</strong>');
    expect((await stranger.post('/new-address', { token })).statusCode).toBe(404);
    const { kysely } = service.database;
    const notified = await kysely.selectFrom('correction_reports').select('notify_email').execute();
    expect(notified).toEqual([{ notify_email: 'new@example.com' }]);
    const log = kysely.selectFrom('audit_log').select(['actor', 'action']).where('action', '=', 'address.changed');
    const own = log.where('actor', 'in', ['person:old@example.com', 'person:new@example.com']);
    expect(await own.execute()).toEqual([{ actor: 'person:old@example.com', action: 'address.changed' }]);
  });

  test('a new password ends links to another address, and sign-ins that wait for a code', async () => {
    const email = 'kept@example.com';
    const owner = await signUp(service, email, 'kept-motors');
    const { recoveryCodes } = await addSecondFactor(owner);
    const waiting = new Reader(service.app);
    const begun = await waiting.post('/sign-in', { email, password: PASSWORD });
    expect(begun.headers.location).toContain('/sign-in/code');
    const token = await askFor(owner, 'thief@example.com');
    expect((await owner.get('/account')).body).toContain('withdraws the invitations that you have sent.');
    const next = `${PASSWORD} again`;
    const changed = await owner.submit('/account/password', { current: PASSWORD, password: next });
    expect(changed.body).toContain('All other sessions have ended, and your open invitations are withdrawn.');
    expect((await new Reader(service.app).post('/new-address', { token })).statusCode).toBe(404);
    await waiting.post('/sign-in/code', { code: recoveryCodes[0] ?? '' });
    expect((await waiting.get('/account')).statusCode).not.toBe(200);
    expect((await owner.get('/account')).body).toContain('<strong>kept@example.com</strong>');
  });

  test('while the log of actions cannot be written, no credential changes', async () => {
    const owner = await signUp(service, 'logged@example.com', 'logged-motors');
    await addSecondFactor(owner);
    const token = await askFor(owner, 'unlogged@example.com');
    const { schema } = service.database.kysely;
    await schema.alterTable('audit_log').renameTo('audit_log_away').execute();
    const tries = [
      owner.post('/account/password', { current: PASSWORD, password: `${PASSWORD} again` }),
      owner.post('/account/second-factor/codes', { password: PASSWORD }),
      owner.post('/account/second-factor/end', { password: PASSWORD }),
      owner.post('/new-address', { token }),
      owner.post('/account/close', { password: PASSWORD }),
    ];
    const statuses = (await Promise.all(tries)).map(({ statusCode }) => statusCode);
    await schema.alterTable('audit_log_away').renameTo('audit_log').execute();
    expect(statuses.every((status) => status >= 500)).toBe(true);
    expect(await signIn('logged@example.com')).toContain('/sign-in/code');
    expect(await signIn('unlogged@example.com')).toBeUndefined();
  });

  test('while the log of actions cannot be written, no second factor is turned on', async () => {
    const owner = await signUp(service, 'one-factor@example.com', 'one-factor-motors');
    const { body } = await owner.submit('/account/second-factor', { password: PASSWORD });
    const code = codeAt(secretIn(body), Date.now());
    const { schema } = service.database.kysely;
    await schema.alterTable('audit_log').renameTo('audit_log_away').execute();
    const { statusCode } = await owner.post('/account/second-factor/confirm', { ...hiddenIn(body), code });
    await schema.alterTable('audit_log_away').renameTo('audit_log').execute();
    expect(statusCode).toBeGreaterThanOrEqual(500);
    expect(await signIn('one-factor@example.com')).toBe('/portal');
  });

  test('signing a person out ends sign-ins that wait for a code', async () => {
    const email = 'signed-out@example.com';
    const { recoveryCodes } = await addSecondFactor(await signUp(service, email, 'signed-out-motors'));
    const waiting = new Reader(service.app);
    expect((await waiting.post('/sign-in', { email, password: PASSWORD })).headers.location).toContain('/sign-in/code');
    expect(await runCli(['admin', 'sign-out', '--email', email], ioWith('', service.env))).toBe(0);
    await waiting.post('/sign-in/code', { code: recoveryCodes[0] ?? '' });
    expect((await waiting.get('/account')).statusCode).not.toBe(200);
  });

  test('who appoints an administrator ends the links to another address of that account', async () => {
    const owner = await signUp(service, 'appointed@example.com', 'appointed-motors');
    const token = await askFor(owner, 'elsewhere@example.com');
    await createAdministrator(service, 'appointed@example.com');
    expect((await new Reader(service.app).post('/new-address', { token })).statusCode).toBe(404);
  });

  test('a link to another address works once, even when the account has its old address again', async () => {
    const owner = await signUp(service, 'here@example.com', 'here-motors');
    const away = await askFor(owner, 'there@example.com');
    expect((await owner.post('/new-address', { token: away })).statusCode).toBe(303);
    const back = await askFor(owner, 'here@example.com');
    expect((await owner.post('/new-address', { token: back })).statusCode).toBe(303);
    expect((await owner.post('/new-address', { token: away })).statusCode).toBe(404);
    expect((await owner.get('/account')).body).toContain('<strong>here@example.com</strong>');
  });

  test('an address that has an account cannot be taken, and no answer discloses that it has one', async () => {
    const owner = await signUp(service, 'one@example.com', 'one-motors');
    const token = await askFor(owner, 'two@example.com');
    await signUp(service, 'two@example.com', 'two-motors');
    expect((await owner.post('/new-address', { token })).statusCode).toBe(404);
    const told = async (email: string) =>
      (await owner.submit('/account/address', { email, password: PASSWORD })).body.replaceAll(email, '');
    expect(await told('two@example.com')).toBe(await told('three@example.com'));
    await until(async () => linksTo('three@example.com') === 1);
    // The one that was mailed before there was an account.
    expect(linksTo('two@example.com') - 1).toBe(1);
    for (const bad of ['', 'ff', Buffer.from('a.b.c').toString('hex')]) {
      expect((await owner.post('/new-address', { token: bad })).statusCode).toBe(404);
    }
  });

  test('another address gives no second free workspace', async () => {
    const owner = await signUp(service, 'first@example.com', 'first-motors');
    const token = await askFor(owner, 'second@example.com');
    await owner.post('/new-address', { token });
    expect((await owner.post('/portal/workspaces', { slug: 'second-motors' })).body).toContain(
      'already have a workspace',
    );
  });

  test('a workspace is renamed by its owner, and keeps its address', async () => {
    const owner = await signUp(service, 'rename@example.com', 'rename-motors');
    const renamed = await owner.submit('/portal/rename-motors/name', { name: 'Ada & Sons' });
    expect(renamed.body).toContain('The workspace is now called Ada &amp; Sons.');
    expect(renamed.body).toContain('<title>Members, Ada &amp; Sons');
    expect((await owner.get('/portal/workspaces')).body).toContain('>Ada &amp; Sons</a>');
    expect((await owner.post('/portal/rename-motors/name', { name: 'https://example.com' })).statusCode).toBe(422);
  });

  test('administrators begin in the administration, unless they asked for another page', async () => {
    await signUp(service, 'person@example.com', 'person-motors');
    expect(await signIn('person@example.com')).toBe('/portal');
    const boss = new Reader(service.app);
    await boss.post(await createAdministrator(service, 'boss@example.com'), { password: PASSWORD });
    expect(await signIn('boss@example.com')).toBe('/admin');
    expect(await signIn('boss@example.com', '/docs')).toBe('/docs');
    expect((await (await administrator(service, 'other@example.com')).get('/sign-in')).headers.location).toBe('/admin');
  });

  test('a second factor asks for its code first, shows it again beside a wrong one, and then gives the codes', async () => {
    const owner = await signUp(service, 'factor@example.com', 'factor-motors');
    const begun = await owner.submit('/account/second-factor', { password: PASSWORD });
    expect(begun.body).toMatch(/id="app-key">(?:<span>[A-Z2-7]{4}<\/span>)+/);
    expect(begun.body).toContain('data-copy="app-key"');
    expect(begun.body).not.toContain('<li>');
    const fields = { ...hiddenIn(begun.body), code: '000000' };
    const wrong = await owner.submit('/account/second-factor/confirm', fields);
    expect([wrong.statusCode, wrong.body.includes('<svg')]).toEqual([422, true]);
    expect((await addSecondFactor(owner)).recoveryCodes).toHaveLength(10);
  });
});
