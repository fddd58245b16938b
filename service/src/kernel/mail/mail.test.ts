import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Database } from '../db/index.ts';
import { claimOn, correctionsOn, report, type TestCorrections } from '../../corrections/testing/corrections.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../../testing/databases.ts';
import { workspaceNamed } from '../../webhooks/testing/webhooks.ts';
import { testService } from '../../testing/service.ts';
import {
  claimMail,
  deleteMessages,
  deliverMail,
  endMailPauses,
  enqueueMail,
  type Mailer,
  openMailer,
} from './index.ts';

const VIN = '1HGCM82633A004352';
const HOUR_MS = 3_600_000;

/** Sends every message that is due, as a worker does. */
async function sendDue(database: Database, nowMs: number): Promise<{ sent: number; failed: boolean[] }> {
  const result = { sent: 0, failed: [] as boolean[] };
  for (;;) {
    const { jobs } = await claimMail(database, 1, nowMs);
    const [lease] = jobs;
    if (lease === undefined) return result;
    const outcome = await deliverMail(database, mailer, lease, nowMs);
    if (outcome.kind === 'sent') result.sent += 1;
    else result.failed.push(outcome.isGivenUp);
  }
}

/** Messages as the server took them. */
const messages: { to: string[]; from: string; text: string }[] = [];
let refusals = 0;
let server: SMTPServer;
let mailer: Mailer;
let smtpUrl: string;

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onRcptTo({ address }, _session, done) {
      if (!address.startsWith('refused')) return done();
      const reason = address.startsWith('refused-by-policy') ? '5.7.1 relaying denied' : '5.1.1 no such user';
      return done(Object.assign(new Error(`${reason}: <${address}>`), { responseCode: 550 }));
    },
    onData(stream, session, done) {
      const take = (message: string): void => {
        if (refusals > 0) {
          refusals--;
          done(new Error('Try again later'));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        messages.push({ from, to: rcptTo.map(({ address }) => address), text: message });
        done();
      };
      text(stream).then(take, done);
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server that listens has a port
  const { port } = listening.address() as AddressInfo;
  smtpUrl = `smtp://127.0.0.1:${port}`;
  mailer = openMailer({ smtpUrl, mailFrom: undefined, baseUrl: 'https://vin.example.com' });
});

beforeEach(() => {
  messages.length = 0;
  refusals = 0;
});

afterAll(async () => {
  await new Promise<void>((done) => {
    server.close(done);
  });
});

describe.each(ENGINES)('on %s', (engine) => {
  let fresh: TestDatabase;
  let database: Database;
  let here: TestCorrections;

  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    database = await fresh.open();
    here = await correctionsOn(database, { sendsMail: true });
  });

  afterAll(async () => {
    await here.live.close();
    await fresh.remove();
  });

  const waiting = () => database.kysely.selectFrom('mail_outbox').selectAll().execute();

  test('a reporter who gave an address is notified of the decision, and no one else is, such as who has left', async () => {
    const workspaceId = await workspaceNamed(database, 'acme');
    const times = { created_at: new Date().toISOString(), updated_at: new Date().toISOString() };
    const email_verified = engine === 'sqlite' ? 1 : true;
    const person = { id: 'a', name: 'A', email: 'a@example.org', email_verified, ...times };
    await database.kysely.insertInto('auth_users').values(person).execute();
    const member = { workspace_id: workspaceId, user_id: 'a', role: 'member', created_at: 0 } as const;
    await database.kysely.insertInto('workspace_members').values(member).execute();
    const claim = claimOn(VIN, { expectedFields: { 'specs.fuelType': 'Diesel' } });
    const reporter = { kind: 'workspace', workspaceId, keyId: null } as const;
    const reported = await report(here, claim, reporter, 'a@example.org');
    await report(here, claim, reporter, 'left@example.org');
    await report(here, claimOn(VIN));
    await here.corrections.reject(reported, { by: 'cli:x', reason: 'It is an Accord, é.' });
    expect(await sendDue(database, Date.now())).toEqual({ sent: 1, failed: [] });
    expect(messages).toMatchObject([{ to: ['a@example.org'], from: 'marque@vin.example.com' }]);
    expect(messages[0]?.text).toContain(`Subject: Your report on VIN ${VIN}: rejected`);
    expect(messages[0]?.text).toContain('Auto-Submitted: auto-generated');
    expect(messages[0]?.text).toContain('It is an Accord, =C3=A9.');
    expect(messages[0]?.text.replaceAll('=\r\n', '')).toContain('2003, Fuel: Diesel.');
    expect(await waiting()).toEqual([]);
  });

  test('a claim cannot write a header', async () => {
    const hostile = 'x\r\nBcc: victim@example.org\r\n\r\n.\r\n';
    const claim = claimOn(hostile, { expectedModel: hostile });
    const id = await report(here, claim, { kind: 'public', clientId: 'c' }, 'a@example.org');
    await here.corrections.reject(id, { by: 'cli:x', reason: hostile });
    expect(await sendDue(database, Date.now())).toEqual({ sent: 1, failed: [] });
    expect(messages.map(({ to }) => to)).toEqual([['a@example.org']]);
    const message = messages[0]?.text ?? '';
    expect(message.slice(0, message.indexOf('\r\n\r\n'))).not.toContain('victim');
    expect(message).toContain('victim');
  });

  test('an address belongs to one person', async () => {
    const list = 'a@example.org, b@example.org';
    const id = await report(here, claimOn(VIN, { expectedModel: 'List' }), { kind: 'public', clientId: 'c' }, list);
    await here.corrections.reject(id, { by: 'cli:x', reason: 'No.' });
    const { sent } = await sendDue(database, Date.now());
    expect(sent).toBe(messages.length);
    expect(messages.flatMap(({ to }) => to)).not.toContain('b@example.org');
    await database.kysely.deleteFrom('mail_outbox').execute();
  });

  test('a message that the server refuses is tried again later, and then sent once', async () => {
    const now = Date.now();
    const mail = { to: 'b@example.org', subject: 'S', text: 'T' };
    await database.kysely.transaction().execute((transaction) => enqueueMail(transaction, mail, now));
    refusals = 1;
    expect(await sendDue(database, now)).toMatchObject({ sent: 0, failed: [false] });
    expect(await sendDue(database, now)).toEqual({ sent: 0, failed: [] });
    expect(await sendDue(database, now + HOUR_MS)).toEqual({ sent: 1, failed: [] });
    expect(messages).toHaveLength(1);
  });

  test('a message that was asked for while the clock was ahead is sent at once when it is right again', async () => {
    const now = Date.now();
    const mail = { to: 'b@example.org', subject: 'S', text: 'T' };
    await database.kysely.transaction().execute((act) => enqueueMail(act, mail, now + HOUR_MS));
    await endMailPauses(database, now);
    expect(await sendDue(database, now)).toEqual({ sent: 1, failed: [] });
  });

  test('a message to an address that is refused for good is given up at once, one refused by policy is not', async () => {
    const now = Date.now();
    await database.kysely.transaction().execute(async (transaction) => {
      for (const name of ['refused', 'refused-by-policy'])
        await enqueueMail(transaction, { to: `${name}@example.org`, subject: 'S', text: 'T' }, now);
    });
    expect((await sendDue(database, now)).failed.filter((isGivenUp) => isGivenUp)).toHaveLength(1);
    expect((await waiting()).map(({ mail }) => mail)).toEqual([expect.stringContaining('refused-by-policy')]);
    await database.kysely.deleteFrom('mail_outbox').execute();
  });

  test('a message that no server accepts is given up after about two days', async () => {
    let now = Date.now();
    const began = now;
    const mail = { to: 'b@example.org', subject: 'S', text: 'T' };
    await database.kysely.transaction().execute((transaction) => enqueueMail(transaction, mail, now));
    refusals = 100;
    let tries = 0;
    while ((await waiting()).length > 0) {
      now = Math.max(now, ...(await waiting()).map((row) => row.run_at));
      tries += (await sendDue(database, now)).failed.length;
    }
    expect(tries).toBe(12);
    expect((now - began) / HOUR_MS).toBeGreaterThan(24);
    expect((now - began) / HOUR_MS).toBeLessThan(72);
  });

  test('an erasure deletes what waits for an address or names it, and nothing of an address that contains it', async () => {
    const now = Date.now();
    const others = [
      'joann@example.org',
      'jo-ann@example.org',
      'jo.ann@example.org',
      'ann@example.org.au',
      'bob@example.org',
    ];
    const texts = ['To:\nann@example.org', 'Ann, ann@example.org.', '<ann@example.org>', "'ann@example.org'"];
    await database.kysely.transaction().execute(async (transaction) => {
      for (const to of ['ann@example.org', ...others])
        await enqueueMail(transaction, { to, subject: 'S', text: `Asked for ${to}. Open this.` }, now);
      for (const text of texts) await enqueueMail(transaction, { to: 'bob@example.org', subject: 'S', text }, now);
      expect(await deleteMessages(transaction, ['ann@example.org'])).toBe(1 + texts.length);
    });
    const left = (await waiting()).map(({ mail }): string => JSON.parse(mail).to);
    expect(new Set(left)).toEqual(new Set(others));
    await database.kysely.deleteFrom('mail_outbox').execute();
  });

  test('of instances that look at once one sends', async () => {
    const now = Date.now();
    await database.kysely.transaction().execute(async (transaction) => {
      for (let count = 0; count < 5; count++) {
        await enqueueMail(transaction, { to: `c${count}@example.org`, subject: 'S', text: 'T' }, now);
      }
    });
    const other = await fresh.open();
    await Promise.all([database, other, database, other].map(async (each) => sendDue(each, now)));
    expect(new Set(messages.map(({ to }) => to[0]))).toEqual(
      new Set(Array.from({ length: 5 }, (_, count) => `c${count}@example.org`)),
    );
    expect(messages).toHaveLength(5);
  });

  test('nothing is written about a decision that failed', async () => {
    const failing = database.kysely.transaction().execute(async (transaction) => {
      await enqueueMail(transaction, { to: 'd@example.org', subject: 'S', text: 'T' }, Date.now());
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await waiting()).toEqual([]);
  });
});

test('messages come from MAIL_FROM where it is set', async () => {
  const named = openMailer({ smtpUrl, mailFrom: 'VIN desk <vin@example.org>', baseUrl: undefined });
  await named.send({ to: 'f@example.org', subject: 'S', text: 'T' });
  expect(messages).toMatchObject([{ from: 'vin@example.org', text: expect.stringContaining('From: VIN desk <vin@') }]);
});

test('a refused address is not in the log', async () => {
  const fresh = await freshDatabase('sqlite');
  const database = await fresh.open();
  const mail = { to: 'refused@example.org', subject: 'S', text: 'T' };
  await database.kysely.transaction().execute((transaction) => enqueueMail(transaction, mail, Date.now()));
  const service = await testService({ DATA_DIR: fresh.location.dataDir, SMTP_URL: smtpUrl });
  await expect.poll(() => service.logged()).toContain('mail not sent');
  expect(service.logged()).toContain('"status":550');
  expect(service.logged()).not.toContain('refused@example.org');
  await service[Symbol.asyncDispose]();
  await fresh.remove();
});

test('a service sends what waits, from its start on, and stops without losing any', async () => {
  const fresh = await freshDatabase('sqlite');
  const database = await fresh.open();
  const mail = { to: 'e@example.org', subject: 'S', text: 'T' };
  await database.kysely.transaction().execute((transaction) => enqueueMail(transaction, mail, Date.now()));
  const service = await testService({ DATA_DIR: fresh.location.dataDir, SMTP_URL: smtpUrl });
  await expect.poll(() => messages.map(({ to }) => to)).toEqual([['e@example.org']]);
  await service[Symbol.asyncDispose]();
  expect(service.logged()).not.toContain('e@example.org');
  expect(await database.kysely.selectFrom('mail_outbox').selectAll().execute()).toEqual([]);
  await fresh.remove();
});
