import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { systemClock } from '../kernel/clock.ts';
import { signUp } from '../people/testing/people.ts';
import type { Reader } from '../testing/reader.ts';
import { type RunningService, runningService } from '../testing/running.ts';
import { createKey, findWorkspace, systemRandom } from '../workspaces/index.ts';
import { sendFile } from './testing/send-file.ts';
import { MOST_BYTES } from './store.ts';
import { TransferLimits } from './transfer-limits.ts';

const VIN = '1HGCM82633A004352';
const WORKSPACE = 'ada-motors';

let service: RunningService;
let owner: Reader;
let colleague: Reader;
let keys: string[];
let held: Socket[] = [];

beforeAll(async () => {
  service = await runningService('sqlite');
  owner = await signUp(service, 'ada@example.com', WORKSPACE);
  colleague = await signUp(service, 'bob@example.com', 'bob-motors');
  const workspaceId = (await findWorkspace(service.database, WORKSPACE))?.id ?? '';
  await service.database.kysely.updateTable('workspace_members').set({ workspace_id: workspaceId }).execute();
  const deps = { database: service.database, clock: systemClock, random: systemRandom };
  const made = [];
  for (const name of ['one', 'other']) made.push(await createKey(deps, { workspaceId, name }, 'cli:test'));
  keys = made.map(({ key }) => key);
});

afterEach(async () => {
  for (const socket of held) socket.destroy();
  held = [];
});

afterAll(() => service[Symbol.asyncDispose]());

/** Begins uploads, and waits until all of them ask for a place. @returns what sends their bodies and gives the statuses. */
async function hold(count: number, path: string, headers: readonly string[], body: string) {
  const asked = vi.spyOn(TransferLimits.prototype, 'receive');
  const head = [`POST ${path} HTTP/1.1`, 'Host: x', `Content-Length: ${body.length}`, ...headers].join('\r\n');
  const address = service.app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  for (let made = 0; made < count; made++) {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${head}\r\n\r\n`);
    held.push(socket);
  }
  await vi.waitFor(() => expect(asked.mock.calls.length).toBeGreaterThanOrEqual(count));
  asked.mockRestore();
  return (): Promise<string[]> =>
    Promise.all(
      held.map(async (socket) => {
        const answer = once(socket, 'data');
        socket.write(body);
        return String(await answer).slice(9, 12);
      }),
    );
}

const upload = (person: Reader) => sendFile(service, person, { workspace: WORKSPACE, name: 'f.csv', bytes: VIN });
const job = (key = '') =>
  service.app.inject({ method: 'POST', url: '/api/jobs', headers: { 'x-api-key': key }, payload: { vins: [VIN] } });

/** Counts the files that are kept. */
async function kept(): Promise<number> {
  return (await service.database.kysely.selectFrom('vin_files').select('id').execute()).length;
}

const PATH = `/portal/${WORKSPACE}/files`;
const PASTED = `--b\r\nContent-Disposition: form-data; name="pasted"\r\n\r\n${VIN}\r\n--b--\r\n`;
const JOB = JSON.stringify({ vins: [VIN] });
const formOf = (person: Reader) => [
  'Content-Type: multipart/form-data; boundary=b',
  'Sec-Fetch-Site: same-origin',
  `Cookie: ${person.cookie}`,
];
const csvWith = (key: string) => ({ 'x-api-key': key, 'content-type': 'text/csv' });
const jobWith = (key = '') => [`X-API-Key: ${key}`, 'Content-Type: application/json'];

test('a member whose uploads do not come keeps out none but their own, which are refused without a number', async () => {
  const send = await hold(4, PATH, formOf(colleague), PASTED);
  const refused = await upload(colleague);
  expect(refused.statusCode).toBe(429);
  expect([(await upload(owner)).statusCode, (await job(keys[0])).statusCode]).toEqual([303, 202]);
  expect(refused.body).toContain('Other files of this workspace are being received or read. Wait until one of');
  const before = await kept();
  const statuses = await send();
  expect(statuses).toContain('429');
  expect(statuses.filter((status) => status === '303')).toHaveLength((await kept()) - before);
});

test('a key whose jobs do not come keeps out none but its own', async () => {
  const send = await hold(4, '/api/jobs', jobWith(keys[0]), JOB);
  expect((await job(keys[0])).statusCode).toBe(429);
  expect([(await upload(owner)).statusCode, (await job(keys[1])).statusCode]).toEqual([303, 202]);
  const before = await kept();
  const statuses = await send();
  expect(statuses).toContain('429');
  expect(statuses.filter((status) => status === '202')).toHaveLength((await kept()) - before);
});

test('nor does a member with a key', async () => {
  await hold(1, PATH, formOf(colleague), PASTED);
  await hold(1, '/api/jobs', jobWith(keys[0]), JOB);
  expect([(await upload(owner)).statusCode, (await job(keys[1])).statusCode]).toEqual([303, 202]);
});

test('a key whose large job stops coming keeps out no large job of another', async () => {
  const rows = `vin;note\n${`${VIN};${'x'.repeat(100)}\n`.repeat(35_000)}`;
  const large = (key = '') =>
    service.app.inject({ method: 'POST', url: '/api/jobs?dryRun=1', headers: csvWith(key), payload: rows });
  expect(rows.length).toBeGreaterThan(MOST_BYTES);
  const { promise: isHeld, resolve: holds } = Promise.withResolvers<void>();
  vi.spyOn(TransferLimits.prototype, 'receive').mockImplementationOnce(async function (this: TransferLimits, ...sent) {
    const upload = await TransferLimits.prototype.receive.apply(this, sent);
    return { ...upload, enterLarge: () => upload.enterLarge().then(holds) };
  });
  await hold(1, '/api/jobs?dryRun=1', [`X-API-Key: ${keys[0]}`, 'Content-Type: text/csv'], `${rows}x`);
  held[0]?.write(rows);
  await isHeld;
  // The first may have to find out that nothing comes.
  const statuses = [(await large(keys[1])).statusCode, (await large(keys[1])).statusCode];
  expect(statuses).toContain(200);
});
