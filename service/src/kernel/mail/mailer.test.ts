import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

import { SMTPServer } from 'smtp-server';
import { expect, test } from 'vitest';

import { freshDatabase } from '../../testing/databases.ts';
import { claimMail, deliverMail, enqueueMail, type Mailer, openMailer } from './index.ts';

const HOUR_MS = 3_600_000;

/** Opens a mail server that behaves oddly. */
async function listening(onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer(onConnection).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function mailerTo(server: Pick<Server, 'address'>, mostMs?: number): Mailer {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return openMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: undefined, baseUrl: undefined }, mostMs);
}

test('a server that goes on answering without an end is given up', async () => {
  const endless = await listening((socket) => {
    socket.write('220 x\r\n');
    const timer = setInterval(() => socket.write('250-x\r\n'), 50);
    socket.on('error', () => undefined).on('close', () => clearInterval(timer));
  });
  const patient = mailerTo(endless, 500);
  await expect(patient.send({ to: 'g@example.org', subject: 'S', text: 'T' })).rejects.toThrow('took too long');
  endless.close();
  // It closes once its connections have: no one goes on reading.
  await once(endless, 'close');
});

test('a message that the server has and does not confirm is sent once more after an hour, and no more', async () => {
  const taken: number[] = [];
  const silent = await listening((socket) => {
    let isMessage = false;
    socket.write('220 x\r\n');
    socket
      .on('error', () => undefined)
      .on('data', (data) => {
        const line = String(data);
        if (isMessage && line.endsWith('\r\n.\r\n')) {
          taken.push(line.length);
          // Half a minute later it would say 250; one closes the connection before.
          if (taken.length === 1) return;
          socket.destroy();
          return;
        }
        if (line.startsWith('DATA')) isMessage = true;
        if (!isMessage || line.startsWith('DATA')) socket.write(isMessage ? '354 x\r\n' : '250 x\r\n');
      });
  });
  const hasty = mailerTo(silent, 2_000);
  const fresh = await freshDatabase('sqlite');
  const database = await fresh.open();
  const mail = { to: 'h@example.org', subject: 'S', text: 'T' };
  let now = Date.now();
  await database.kysely.transaction().execute((transaction) => enqueueMail(transaction, mail, now));
  const deliver = async () => {
    const [lease] = (await claimMail(database, 1, now)).jobs;
    return lease === undefined ? 'waits' : await deliverMail(database, hasty, lease, now);
  };
  expect(await deliver()).toMatchObject({ kind: 'failed', isGivenUp: false, error: { code: 'UNCONFIRMED' } });
  now += 0.9 * HOUR_MS;
  expect(await deliver()).toBe('waits');
  now += 0.2 * HOUR_MS;
  expect(await deliver()).toMatchObject({ kind: 'failed', isGivenUp: true, error: { code: 'UNCONFIRMED' } });
  expect(await database.kysely.selectFrom('mail_outbox').selectAll().execute()).toEqual([]);
  expect(taken).toHaveLength(2);
  silent.close();
  await fresh.remove();
});

test('a message that an instance had not handed over when it stops is sent at once by the next one', async () => {
  const connected = Promise.withResolvers<void>();
  const slow = await listening((socket) => {
    socket.on('error', () => undefined);
    connected.resolve();
  });
  const waiting = mailerTo(slow);
  const fresh = await freshDatabase('sqlite');
  const database = await fresh.open();
  const now = Date.now();
  const mail = { to: 'i@example.org', subject: 'S', text: 'T' };
  await database.kysely.transaction().execute((transaction) => enqueueMail(transaction, mail, now));
  const [lease] = (await claimMail(database, 1, now)).jobs;
  const stop = new AbortController();
  const delivering = lease && deliverMail(database, waiting, lease, now, stop.signal);
  await connected.promise;
  stop.abort();
  expect(await delivering).toMatchObject({ kind: 'failed', isGivenUp: false });
  const [row] = await database.kysely.selectFrom('mail_outbox').selectAll().execute();
  expect(row).toMatchObject({ attempts: 0, last_error: null, locked_by: null });
  expect((await claimMail(database, 1, now)).jobs).toHaveLength(1);
  slow.close();
  await fresh.remove();
});

test('a mail server whose certificate is not trusted is named so, without the address', async () => {
  // It offers TLS with a certificate that it signed itself.
  const server = new SMTPServer({ authOptional: true });
  const tcp = server.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const fresh = await freshDatabase('sqlite');
  const database = await fresh.open();
  const now = Date.now();
  const mail = { to: 'i@example.org', subject: 'S', text: 'T' };
  await database.kysely.transaction().execute((transaction) => enqueueMail(transaction, mail, now));
  const [lease] = (await claimMail(database, 1, now)).jobs;
  await (lease && deliverMail(database, mailerTo(tcp), lease, now));
  const { last_error: fault } = await database.kysely
    .selectFrom('mail_outbox')
    .select('last_error')
    .executeTakeFirstOrThrow();
  expect(fault).toBe('certificate not trusted');
  await new Promise<void>((done) => {
    server.close(done);
  });
  await fresh.remove();
});
