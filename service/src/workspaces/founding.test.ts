import { Kysely } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { findWorkspace } from './index.ts';
import { systemClock } from '../kernel/clock.ts';
import { ENGINES } from '../testing/databases.ts';
import { PASSWORD, signUp } from '../people/testing/people.ts';
import { monthOf } from '../kernel/db/month.ts';
import { lastLink, Reader } from '../testing/reader.ts';
import { serviceOn, type TestService } from '../testing/service.ts';
import { audited } from '../kernel/audit/index.ts';
import { insertPerson } from '../people/index.ts';
import { foundWorkspace, workspaceHoldings } from './founding.ts';
import { addMember, closeWorkspace } from './membership.ts';
import { insertWorkspace } from './workspaces.ts';
import { removeOldAccountData } from '../people/erase.ts';

const VIN = '1HGCM82633A004352';
const FREE_LIMIT = 5;

const found = (reader: Reader, slug: string) => reader.post('/portal/workspaces', { slug });

describe.each(ENGINES)('founding a workspace on %s', (engine) => {
  let service: TestService;
  let count = 0;

  beforeAll(async () => {
    service = await serviceOn(engine, { TRUST_PROXY: 'loopback', PLAN_LIMIT_FREE: String(FREE_LIMIT) });
  });

  beforeEach(() => {
    count++;
  });

  afterAll(async () => service[Symbol.asyncDispose]());

  const open = () => service.database.kysely.selectFrom('workspaces').select('slug').execute();

  /** Decodes with a new key of a workspace until the limit. @returns how many were charged. */
  async function spend(reader: Reader, slug: string, most = 20, mode = 'live'): Promise<number> {
    const made = await reader.submit(`/portal/${slug}/keys`, {
      name: 'spend',
      ...(mode === 'test' && { test: 'yes' }),
    });
    const key = new RegExp(`mq_${mode}_\\w+`).exec(made.body)?.[0] ?? '';
    for (let index = 0; index < most; index++) {
      const request = {
        method: 'POST',
        url: '/api/decode',
        headers: { 'x-api-key': key },
        payload: { vin: VIN },
      } as const;
      const { statusCode } = await service.app.inject(request);
      if (statusCode === 429) return index;
      expect(statusCode).toBe(200);
    }
    return most;
  }

  async function idOf(slug: string): Promise<string> {
    return (await findWorkspace(service.database, slug))?.id ?? '';
  }

  /** Closes a workspace so long ago that its last charges are committed. */
  async function close(reader: Reader, slug: string): Promise<void> {
    expect((await reader.post(`/portal/${slug}/close`, { slug })).statusCode).toBe(303);
    expect((await found(reader, `${slug}-too`)).body).toContain('still being processed');
    await service.database.kysely
      .updateTable('workspaces')
      .set({ suspended_at: systemClock() - 20_000 })
      .where('slug', '=', slug)
      .execute();
  }

  test("the free allowance is the person's: what closed workspaces used this month is taken off the next one", async () => {
    const reader = await signUp(service, `ada${count}@example.com`, `ada-${count}`);
    expect(await spend(reader, `ada-${count}`, 3)).toBe(3);
    await close(reader, `ada-${count}`);
    expect((await found(reader, `second-${count}`)).statusCode).toBe(303);
    expect(await spend(reader, `second-${count}`)).toBe(FREE_LIMIT - 3);
    await close(reader, `second-${count}`);
    expect((await found(reader, `third-${count}`)).statusCode).toBe(303);
    expect(await spend(reader, `third-${count}`)).toBe(0);
  });

  test('decodes of test keys are taken off the same way: a new workspace does not begin them anew', async () => {
    const reader = await signUp(service, `tess${count}@example.com`, `tess-${count}`);
    expect(await spend(reader, `tess-${count}`, 20, 'test')).toBe(FREE_LIMIT);
    expect(await spend(reader, `tess-${count}`, 2)).toBe(2);
    await close(reader, `tess-${count}`);
    expect((await found(reader, `tess-again-${count}`)).statusCode).toBe(303);
    expect(await spend(reader, `tess-again-${count}`, 20, 'test')).toBe(0);
  });

  test('closing the account and signing up again with the same address begins no new allowance', async () => {
    const email = `bob${count}@example.com`;
    const reader = await signUp(service, email, `bob-${count}`);
    expect(await spend(reader, `bob-${count}`)).toBe(FREE_LIMIT);
    await reader.post('/account/close', { password: PASSWORD });
    await service.database.kysely
      .updateTable('workspaces')
      .set({ suspended_at: 1 })
      .where('slug', '=', `bob-${count}`)
      .execute();
    const again = await signUp(service, email, `bobby-${count}`);
    expect(await spend(again, `bobby-${count}`)).toBe(0);
    const rows = await service.database.kysely.selectFrom('workspaces').select('founder').execute();
    expect(JSON.stringify(rows)).not.toContain('@');
  });

  test('the founder of a closed workspace is kept until its month is over', async () => {
    const slug = `old-${count}`;
    await signUp(service, `${slug}@example.com`, slug);
    const founder = async () =>
      (
        await service.database.kysely
          .selectFrom('workspaces')
          .select('founder')
          .where('slug', '=', slug)
          .executeTakeFirstOrThrow()
      ).founder;
    const now = systemClock();
    const nextMonth = monthOf(now).endMs;
    await removeOldAccountData(service.database, nextMonth);
    expect(await founder()).not.toBeNull();
    await closeWorkspace(
      { database: service.database, clock: systemClock },
      { id: await idOf(slug), slug },
      'cli:test',
    );
    await removeOldAccountData(service.database, now);
    expect(await founder()).not.toBeNull();
    await removeOldAccountData(service.database, nextMonth);
    expect(await founder()).toBeNull();
  });

  test('the allowance begins anew with the month', async () => {
    const reader = await signUp(service, `may${count}@example.com`, `may-${count}`);
    await service.database.kysely
      .updateTable('workspaces')
      .set({ allowance_spent: FREE_LIMIT, allowance_spent_in: 0 })
      .where('slug', '=', `may-${count}`)
      .execute();
    expect(await spend(reader, `may-${count}`)).toBe(FREE_LIMIT);
  });

  test('of many that one person asks for at once, one is founded', async () => {
    const reader = await signUp(service, `race${count}@example.com`, `race-${count}`);
    await close(reader, `race-${count}`);
    const before = (await open()).length;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => found(reader, `race-${count}-${index}`)),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1);
    expect((await open()).length).toBe(before + 1);
    expect((await found(reader, `more-${count}`)).body).toContain('a workspace on the Free plan');
  });

  test('ten are founded a month, since closed ones keep their names', async () => {
    const reader = await signUp(service, `ten${count}@example.com`, `ten-${count}-0`);
    for (let index = 1; index < 10; index++) {
      await service.database.kysely.updateTable('workspaces').set({ plan: 'starter' }).execute();
      expect((await found(reader, `ten-${count}-${index}`)).statusCode).toBe(303);
      await reader.post(`/portal/ten-${count}-${index}/members/${await ownIdIn(`ten-${count}-${index}`)}`, {
        role: '',
      });
    }
    await service.database.kysely.updateTable('workspaces').set({ plan: 'starter' }).execute();
    expect((await found(reader, `ten-${count}-10`)).statusCode).toBe(422);
  });

  async function ownIdIn(slug: string): Promise<string> {
    const row = await service.database.kysely
      .selectFrom('workspace_members')
      .innerJoin('workspaces', 'workspaces.id', 'workspace_members.workspace_id')
      .select('user_id')
      .where('slug', '=', slug)
      .executeTakeFirstOrThrow();
    return row.user_id;
  }

  test('sign-up discloses of no name whether it is taken before the address is proven, and asks for another one then', async () => {
    await signUp(service, `eve${count}@example.com`, `eve-${count}`);
    const texts = [];
    for (const slug of [`eve-${count}`, `free-${count}`]) {
      const fields = { email: `kim${count}@example.com`, slug };
      const answer = await new Reader(service.app).post('/sign-up', fields);
      texts.push([answer.statusCode, answer.body]);
    }
    expect(texts[0]).toEqual(texts[1]);
    const link = lastLink(service.logged().slice(0, service.logged().lastIndexOf('/sign-up/')), '/sign-up');
    const reader = new Reader(service.app);
    const finish = (slug: string) => reader.post(link, { name: 'Kim', password: PASSWORD, slug });
    expect((await finish(`eve-${count}`)).body).toContain('This name is taken');
    expect((await finish(`kim-${count}`)).headers['location']).toBe(`/portal/kim-${count}/start`);
  });

  test('what ends with an account is read at once, however many workspaces it belongs to', async () => {
    const config = { planLimits: { free: 5, starter: 5, business: 5, enterprise: null } };
    const deps = { database: service.database, clock: systemClock, secret: 'secret', config };
    const holdings = workspaceHoldings(deps);
    const [ada, kim, lin] = await audited(deps, 'cli:test', async (act) => {
      const people = ['ada', 'kim', 'lin'].map(async (name) => {
        const email = `${name}-${count}@example.com`;
        const id = await insertPerson(act.transaction, { email, name, passwordHash: undefined }, act.atMs);
        return { id: id ?? '', email };
      });
      return Promise.all(people);
    });
    if (ada === undefined || kim === undefined || lin === undefined) throw new Error('Somebody is missing.');
    const read = vi.spyOn(Kysely.prototype, 'selectFrom');
    const reads = async () => {
      read.mockClear();
      const held = await holdings.of(ada);
      // The service's own work in the background reads other tables.
      return { held, statements: read.mock.calls.filter(([table]) => table === 'workspace_members').length };
    };
    const none = await reads();
    expect(none.held).toEqual({ ending: [], stranding: [] });
    const others = { alone: [], led: [kim, lin], followed: [lin] } as const;
    for (const [name, members] of Object.entries(others)) {
      await audited(deps, 'cli:test', async (act) => {
        const slug = `${name}-${count}`;
        const made = await insertWorkspace(act, { slug, plan: 'free' });
        if (made.kind !== 'created') throw new Error(made.kind);
        await addMember(act, made.workspace.id, ada.id, 'owner');
        for (const member of members) {
          await addMember(act, made.workspace.id, member.id, member === kim ? 'owner' : 'member');
        }
      });
    }
    const all = await reads();
    expect(all.held).toEqual({ ending: [`alone-${count}`], stranding: [`followed-${count}`] });
    expect(all.statements).toBe(none.statements);
    read.mockRestore();
  });

  test('of two owners who close their accounts at once, one takes the workspace along', async () => {
    const deps = {
      database: service.database,
      clock: systemClock,
      secret: 'secret',
      config: { planLimits: { free: 5, starter: 5, business: 5, enterprise: null } },
    };
    const holdings = workspaceHoldings(deps);
    for (let pair = 0; pair < 12; pair++) {
      const own = (name: string) =>
        audited(deps, 'cli:test', async (act) => {
          const email = `${name}${pair}@example.com`;
          const id = await insertPerson(act.transaction, { email, name, passwordHash: undefined }, act.atMs);
          return { id: id ?? '', email };
        });
      const [founder, other] = [await own('first'), await own('second')];
      const slug = `closed-at-once-${pair}`;
      await foundWorkspace(deps, { slug, person: founder });
      const id = await idOf(slug);
      await audited(deps, 'cli:test', (act) => addMember(act, id, other.id, 'owner'));
      const ends = [founder, other].map((person) =>
        holdings.end(person, async ({ transaction }) => {
          await transaction.deleteFrom('auth_users').where('id', '=', person.id).execute();
        }),
      );
      expect(await Promise.all(ends)).toEqual([[], []]);
      const row = service.database.kysely.selectFrom('workspaces').select('suspended_at').where('id', '=', id);
      expect((await row.executeTakeFirstOrThrow()).suspended_at).not.toBeNull();
    }
  });
});
