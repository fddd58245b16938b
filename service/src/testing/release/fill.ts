import { takeFile } from '../../files/store.ts';
import { systemClock } from '../../kernel/clock.ts';
import { openDatabase } from '../../database.ts';
import type { Database, DatabaseLocation } from '../../kernel/db/index.ts';
import { runMarque } from '../run-marque.ts';
import { signUp } from '../../people/testing/people.ts';
import { testService, type TestService } from '../service.ts';
import type { Known } from './known.ts';

const VIN = '1HGCM82633A004352';
const OTHER_VINS = ['WVWZZZ1KZAW000001', '1FTFW1ET5DFC10312', 'JH4KA7650MC000000'];

/** Fills a database as its users do: with keys, usage, decodes, reports, a session, a job and an override. */
export async function fill(location: DatabaseLocation): Promise<Known> {
  const { databaseUrl: url, dataDir } = location;
  const env = { DATA_DIR: dataDir, ...(url === undefined ? {} : { DATABASE_URL: url }) };
  const served = await fillServed(await testService(env));
  const database = await openDatabase(location, 'tool');
  try {
    return { ...served, ...(await addJob(database)) };
  } finally {
    await database.close();
  }
}

async function fillServed(service: TestService): Promise<Omit<Known, 'jobId' | 'jobVins'>> {
  await using running = service;
  const reader = await signUp(running, 'ada@example.com', 'acme');
  await marque(running, 'workspace', 'set-plan', 'acme', '--plan', 'business');
  const { key } = await newKey(running, 'main');
  const revoked = await newKey(running, 'old');
  for (const vin of [VIN, ...OTHER_VINS]) await post(running, '/api/decode', key, { vin });
  await post(running, '/api/decode', revoked.key, { vin: VIN });
  await post(running, '/api/decode', undefined, { vin: VIN });
  await marque(running, 'key', 'revoke', revoked.id);
  for (const vin of [VIN, ...OTHER_VINS.slice(0, 1)]) {
    const claimed = { expectedManufacturer: 'Honda', expectedModel: 'Inspire', expectedBodyStyle: 'Sedan' };
    await post(running, '/api/report-decode-issue', key, {
      vin,
      ...claimed,
      expectedModelYear: '2003',
      note: 'Seen in person.',
    });
  }
  const queue = await marque(running, 'corrections', 'list', '--vin', VIN, '--json');
  const [reported]: { id: string }[] = JSON.parse(queue);
  await marque(running, 'corrections', 'accept', reported?.id ?? '', '--anyway', '--reason', 'The brochure says so.');
  return {
    key,
    revokedKey: revoked.key,
    cookie: reader.cookie,
    charged: OTHER_VINS.length + 3,
    vin: VIN,
    model: 'Inspire',
  };
}

async function newKey(service: TestService, name: string): Promise<{ id: string; key: string }> {
  return JSON.parse(await marque(service, 'key', 'create', '--workspace', 'acme', '--name', name, '--json'));
}

async function post(service: TestService, url: string, key: string | undefined, payload: object): Promise<void> {
  const headers = key === undefined ? {} : { 'x-api-key': key };
  const { statusCode, body } = await service.app.inject({ method: 'POST', url, headers, payload });
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${body}`);
}

async function marque({ env }: TestService, ...words: string[]): Promise<string> {
  const { status, out, err } = await runMarque(words, env);
  if (status !== 0) throw new Error(err);
  return out;
}

/** Without a service, nothing begins the job. */
async function addJob(database: Database): Promise<Pick<Known, 'jobId' | 'jobVins'>> {
  const key = database.kysely.selectFrom('api_keys').select(['id', 'workspace_id']).where('name', '=', 'main');
  const { id, workspace_id: workspaceId } = await key.executeTakeFirstOrThrow();
  const file = { workspaceId, createdBy: `key:${id}`, name: 'cars.csv', content: OTHER_VINS.join('\n'), column: '' };
  const taken = await takeFile({ database, clock: systemClock }, file);
  if (taken.kind !== 'taken') throw new Error(taken.kind);
  return { jobId: taken.id, jobVins: OTHER_VINS.length };
}
