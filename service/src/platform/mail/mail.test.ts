import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Database } from '../db/index.ts';
import { claimOn, correctionsOn, report, type TestCorrections } from '../../testing/corrections.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../../testing/databases.ts';
import { testService } from '../../testing/service.ts';
import { deliverMail, type Mailer, openMailer, queueMail } from './index.ts';

const VIN = '1HGCM82633A004352';
const HOUR_MS = 3_600_000;

/** Letters as the server took them. */
const letters: { to: string[]; from: string; text: string }[] = [];
let refusals = 0;
let server: SMTPServer;
let mailer: Mailer;
let smtpUrl: string;

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onData(stream, session, done) {
      const take = (letter: string): void => {
        if (refusals > 0) {
          refusals--;
          done(new Error('Try again later'));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        letters.push({ from, to: rcptTo.map(({ address }) => address), text: letter });
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
  letters.length = 0;
  refusals = 0;
});

afterAll(async () => {
  mailer.close();
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

  test('who reported and gave an address hears what was decided, and nobody else', async () => {
    const told = await report(
      here,
      claimOn(VIN),
      { kind: 'workspace', workspaceId: 'w', keyId: null },
      'a@example.org',
    );
    await report(here, claimOn(VIN));
    await here.corrections.reject(told, { by: 'cli:x', reason: 'It is an Accord, é.' });
    expect(await deliverMail(database, mailer, Date.now())).toEqual({ sent: 1, faults: [] });
    expect(letters).toMatchObject([{ to: ['a@example.org'], from: 'marque@vin.example.com' }]);
    expect(letters[0]?.text).toContain(`Subject: Your report on VIN ${VIN}: rejected`);
    expect(letters[0]?.text).toContain('It is an Accord, =C3=A9.');
    expect(await waiting()).toEqual([]);
  });

  test('a claim cannot write a header', async () => {
    const hostile = 'x\r\nBcc: victim@example.org\r\n\r\n.\r\n';
    const claim = claimOn(hostile, { expectedModel: hostile });
    const id = await report(here, claim, { kind: 'public', clientId: 'c' }, 'a@example.org');
    await here.corrections.reject(id, { by: 'cli:x', reason: hostile });
    expect(await deliverMail(database, mailer, Date.now())).toEqual({ sent: 1, faults: [] });
    expect(letters.map(({ to }) => to)).toEqual([['a@example.org']]);
    const letter = letters[0]?.text ?? '';
    expect(letter.slice(0, letter.indexOf('\r\n\r\n'))).not.toContain('victim');
    expect(letter).toContain('victim');
  });

  test('an address stands for one person', async () => {
    const list = 'a@example.org, b@example.org';
    const id = await report(here, claimOn(VIN, { expectedModel: 'List' }), { kind: 'public', clientId: 'c' }, list);
    await here.corrections.reject(id, { by: 'cli:x', reason: 'No.' });
    const { sent } = await deliverMail(database, mailer, Date.now());
    expect(sent).toBe(letters.length);
    expect(letters.flatMap(({ to }) => to)).not.toContain('b@example.org');
    await database.kysely.deleteFrom('mail_outbox').execute();
  });

  test('a letter that the server refuses is tried again later, and then sent once', async () => {
    const now = Date.now();
    const mail = { to: 'b@example.org', subject: 'S', text: 'T' };
    await database.kysely.transaction().execute((transaction) => queueMail(transaction, mail, now));
    refusals = 1;
    expect(await deliverMail(database, mailer, now)).toMatchObject({ sent: 0, faults: [{ givenUp: false }] });
    expect(await deliverMail(database, mailer, now)).toEqual({ sent: 0, faults: [] });
    expect(await deliverMail(database, mailer, now + HOUR_MS)).toEqual({ sent: 1, faults: [] });
    expect(letters).toHaveLength(1);
  });

  test('a letter that nobody takes is given up after some two days', async () => {
    let now = Date.now();
    const began = now;
    const mail = { to: 'b@example.org', subject: 'S', text: 'T' };
    await database.kysely.transaction().execute((transaction) => queueMail(transaction, mail, now));
    refusals = 100;
    let tries = 0;
    while ((await waiting()).length > 0) {
      now = Math.max(now, ...(await waiting()).map((row) => row.not_before));
      tries += (await deliverMail(database, mailer, now)).faults.length;
    }
    expect(tries).toBe(12);
    expect((now - began) / HOUR_MS).toBeGreaterThan(24);
    expect((now - began) / HOUR_MS).toBeLessThan(72);
  });

  test('of instances that look at once one sends', async () => {
    const now = Date.now();
    await database.kysely.transaction().execute(async (transaction) => {
      for (let count = 0; count < 5; count++) {
        await queueMail(transaction, { to: `c${count}@example.org`, subject: 'S', text: 'T' }, now);
      }
    });
    const other = await fresh.open();
    await Promise.all([database, other, database, other].map(async (each) => deliverMail(each, mailer, now)));
    expect(new Set(letters.map(({ to }) => to[0]))).toEqual(
      new Set(Array.from({ length: 5 }, (_, count) => `c${count}@example.org`)),
    );
    expect(letters).toHaveLength(5);
  });

  test('nothing is written about a decision that failed', async () => {
    const failing = database.kysely.transaction().execute(async (transaction) => {
      await queueMail(transaction, { to: 'd@example.org', subject: 'S', text: 'T' }, Date.now());
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await waiting()).toEqual([]);
  });
});

test('letters come from MAIL_FROM where it is set', async () => {
  const named = openMailer({ smtpUrl, mailFrom: 'VIN desk <vin@example.org>', baseUrl: undefined });
  await named.send({ to: 'f@example.org', subject: 'S', text: 'T' });
  named.close();
  expect(letters).toMatchObject([{ from: 'vin@example.org', text: expect.stringContaining('From: VIN desk <vin@') }]);
});

test('a service sends what waits, from its start on, and stops without losing any', async () => {
  const fresh = await freshDatabase('sqlite');
  const database = await fresh.open();
  const mail = { to: 'e@example.org', subject: 'S', text: 'T' };
  await database.kysely.transaction().execute((transaction) => queueMail(transaction, mail, Date.now()));
  const service = await testService({ DATA_DIR: fresh.location.dataDir, SMTP_URL: smtpUrl });
  await expect.poll(() => letters.map(({ to }) => to), { timeout: 5_000 }).toEqual([['e@example.org']]);
  await service[Symbol.asyncDispose]();
  expect(service.logged()).not.toContain('e@example.org');
  expect(await database.kysely.selectFrom('mail_outbox').selectAll().execute()).toEqual([]);
  await fresh.remove();
});
