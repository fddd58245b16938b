import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from 'pg';
import type { TestProject } from 'vitest/node';

import { definition } from '../database.ts';
import { openPostgres } from '../kernel/db/postgres.ts';
import { DISK_FOLDERS } from './data-folder.ts';
import { packDecoder, type Packed, packOthers } from './pack-packages.ts';
import { PostgresCluster } from './postgres-cluster.ts';
import { type UnpackedChromium, unpackChromium } from './unpack-chromium.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address that gives a test file a fresh PostgreSQL database: see `databases.ts`. */
    postgresDesk: string;
    /** The address that gives a test file the path of the browser: see `browser.ts`. */
    browserDesk: string;
  }
}

const TEMPLATE = 'marque_template';

/** A folder in memory on Linux. */
const MEMORY = '/dev/shm';

/**
 * More than a run has in memory at once, 2.1 GiB, most of it databases of PostgreSQL: none goes before the run ends.
 */
const ENOUGH_BYTES = 3 * 2 ** 30;

/**
 * One PostgreSQL server, one unpacked browser and one archive of each package for all test files, made when the first
 * one asks, so that a run that needs none makes none, and one folder for all their data.
 *
 * Every file gets a database of its own, copied from a migrated template.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let postgres: Promise<PostgresWithTemplate> | undefined;
  let databases = 0;
  const newDatabase = async (): Promise<string> => {
    postgres ??= startWithTemplate();
    const { cluster, client } = await postgres;
    const name = `test_${++databases}`;
    // Through the log, which is the server's default, it takes the processor twice as long.
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`);
    return cluster.url(name);
  };
  let chromium: Promise<UnpackedChromium> | undefined;
  const browserFile = async (): Promise<string> => {
    chromium ??= unpackChromium();
    return (await chromium).file;
  };
  const services = new Map([
    ['/database', newDatabase],
    ['/browser', browserFile],
    ['/packages/decoder', packedOnce(packDecoder)],
    ['/packages/others', packedOnce(packOthers)],
  ]);
  const desk = createServer((request, response) => {
    // Files share workers, whose idle connections would be closed just when the next file asks.
    response.setHeader('connection', 'close');
    const answer = services.get(request.url ?? '')?.() ?? Promise.reject(new Error(`There is no ${request.url}.`));
    answer.then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(desk, 'listening');
  const address = desk.address();
  if (address === null || typeof address === 'string') throw new Error('The desk has no port.');
  const disk = runFolder(tmpdir());
  process.env[DISK_FOLDERS] = disk;
  // The folder of temporary files of tests, in their workers and their children: a test that leaves some leaves none
  // behind. To make a file on a disk takes the processor several times as long.
  const temporary = isMemoryFit() ? runFolder(MEMORY) : disk;
  process.env['TMPDIR'] = temporary;
  project.provide('postgresDesk', `http://127.0.0.1:${address.port}/database`);
  project.provide('browserDesk', `http://127.0.0.1:${address.port}/browser`);
  project.provide('packagesDesk', `http://127.0.0.1:${address.port}/packages`);
  return async () => {
    desk.closeAllConnections();
    desk.close();
    const running = await postgres;
    await running?.client.end();
    await running?.cluster.remove();
    (await chromium)?.remove();
    for (const folder of [disk, temporary]) rmSync(folder, { recursive: true, force: true });
  };
}

function packedOnce(pack: () => Promise<Packed[]>): () => Promise<string> {
  let packed: Promise<string> | undefined;
  return async () => (packed ??= pack().then((list) => JSON.stringify(list)));
}

function runFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, 'marque-tests-'));
  // PostgreSQL does not run as root: where the tests do, it is started as another user.
  chmodSync(folder, 0o711);
  return folder;
}

/**
 * Returns true if the folder in memory has room for a run, and programs may run in it: containers and hardened machines
 * refuse that.
 */
function isMemoryFit(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  const mount = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === MEMORY);
  return bavail * bsize > ENOUGH_BYTES && mount?.includes('noexec') === false;
}

interface PostgresWithTemplate {
  cluster: PostgresCluster;
  /** Makes the databases: to connect takes as long as to make one. */
  client: Client;
}

async function startWithTemplate(): Promise<PostgresWithTemplate> {
  const cluster = await PostgresCluster.start();
  await cluster.run(`CREATE DATABASE ${TEMPLATE}`);
  const template = await openPostgres(cluster.url(TEMPLATE), await definition());
  await template.close();
  const client = new Client({ connectionString: cluster.url() });
  await client.connect();
  return { cluster, client };
}
