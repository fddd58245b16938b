import { fastify, type FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { systemClock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { openMeter } from '../metering/index.ts';
import { freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { until } from '../testing/until.ts';
import { decorateCaller } from '../workspaces/authenticate.ts';
import { createWorkspace, findWorkspace } from '../workspaces/index.ts';
import { listRequests } from './list.ts';
import { FREE_BURST, RequestLog } from './request-log.ts';

let fresh: TestDatabase;
let database: Database;

beforeEach(async () => {
  fresh = await freshDatabase('sqlite');
  database = await fresh.open();
});

afterEach(() => fresh.remove());

/** Returns an app whose requests a log writes down. */
function watchedBy(requestLog: RequestLog): FastifyInstance {
  const app = fastify();
  requestLog.watch(app);
  decorateCaller(app, 'Service');
  return app;
}

test('rows that do not fit while the database is away are counted, and the rest are written when it is back', async () => {
  const workspace = { id: 'w', slug: 'w', plan: 'free', created_at: 0 } as const;
  await database.kysely.insertInto('workspaces').values(workspace).execute();
  let dropped = 0;
  const warnings: object[] = [];
  const log = { warn: (line: object) => void warnings.push(line) };
  const meter = openMeter(database, systemClock);
  const requestLog = new RequestLog(database, meter, log, { dropped: (rows) => (dropped += rows), mostWaiting: 3 });
  const app = watchedBy(requestLog);
  app.addHook('onRequest', async (request) => {
    request.caller = { kind: 'subscriber', workspaceId: 'w', slug: 'w', plan: 'free', limit: null, keyId: 'k' };
  });
  app.get('/', async () => 'answered');
  await sql`ALTER TABLE requests RENAME TO away`.execute(database.kysely);
  for (let sent = 0; sent < 5; sent += 1) expect((await app.inject('/')).statusCode).toBe(200);
  await until(async () => warnings.length > 0);
  await sql`ALTER TABLE away RENAME TO requests`.execute(database.kysely);
  await requestLog.close();
  await meter.close();
  expect((await listRequests(database, 'w', { limit: 10 })).requests).toHaveLength(3);
  expect([dropped, warnings.length]).toEqual([2, 1]);
});

test('a row that the database refuses for its values keeps no other from being written', async () => {
  await createWorkspace({ database, clock: systemClock }, { slug: 'w', plan: 'free' }, 'cli:test');
  const { id: workspaceId } = (await findWorkspace(database, 'w')) ?? { id: '' };
  let dropped = 0;
  const meter = openMeter(database, systemClock);
  const refusing: Pick<typeof meter, 'write'> = {
    write: async (statement) => {
      // The status and the milliseconds after it: a request may also take 418 of them.
      if (/,418,\d+,/.test(String(statement.parameters[0])))
        throw Object.assign(new Error('invalid'), { code: '22P02' });
      return meter.write(statement);
    },
  };
  const log = { warn: () => undefined };
  const requestLog = new RequestLog(database, refusing, log, { dropped: (rows) => (dropped += rows) });
  const app = watchedBy(requestLog);
  app.addHook('onRequest', async (request) => {
    request.caller = { kind: 'subscriber', workspaceId, slug: 'w', plan: 'free', limit: null, keyId: 'k' };
  });
  app.get('/', async () => 'answered');
  app.get('/refused', async (_, reply) => reply.code(418).send('refused'));
  for (const url of ['/', '/refused', '/', '/refused', '/']) await app.inject(url);
  await requestLog.close();
  await meter.close();
  expect((await listRequests(database, workspaceId, { limit: 10 })).requests.map(({ status }) => status)).toEqual([
    200, 200, 200,
  ]);
  expect(dropped).toBe(2);
});

test('a key that decodes nothing, or is refused, does not fill the disk, and keeps no decode from being written', async () => {
  let [dropped, written] = [0, 0];
  const write = async ({ parameters: [rows] }: { parameters: readonly unknown[] }): Promise<void> => {
    written += JSON.parse(String(rows)).length;
  };
  const requestLog = new RequestLog(
    database,
    { write },
    { warn: () => undefined },
    { dropped: (rows) => (dropped += rows) },
  );
  const app = watchedBy(requestLog);
  app.addHook('onRequest', async (request) => {
    const key = { workspaceId: 'w', keyId: 'k' };
    if (request.url === '/refused') request.refusedKey = { reason: 'revoked', key };
    else request.caller = { kind: 'subscriber', ...key, slug: 'w', plan: 'free', limit: null };
  });
  app.get('/', async () => 'answered');
  app.get('/refused', async (_, reply) => reply.code(401).send('refused'));
  app.get('/decode', async (request, reply) => reply.header('x-request-id', request.id).send('decoded'));
  for (let sent = 0; sent < FREE_BURST; sent += 2) for (const url of ['/', '/refused']) await app.inject(url);
  for (const url of ['/', '/refused', '/decode']) await app.inject(url);
  await requestLog.close();
  expect([written, dropped]).toEqual([FREE_BURST + 1, 2]);
});
