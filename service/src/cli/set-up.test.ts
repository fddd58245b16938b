import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { runMarque } from '../testing/run-marque.ts';
import { PostgresCluster } from '../testing/postgres-cluster.ts';
import { fillEmpty } from '../testing/postgres-files.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'marque-set-up-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function failureOf(words: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { status, err } = await runMarque(words, env);
  expect(status).toBe(1);
  // One line, without a stack.
  expect(err).toMatch(/^[^\n]+\n$/);
  return err;
}

const failureIn = (dataDir: string): Promise<string> => failureOf(['workspace', 'list'], { DATA_DIR: dataDir });

describe('a data folder that cannot be used is reported in one sentence', () => {
  test('a file', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(await failureIn(file)).toMatch(
      /^The data folder .* leads through a file that is not a folder .* Set DATA_DIR/,
    );
    expect(await failureIn(join(file, 'below'))).toMatch(/leads through a file that is not a folder/);
  });

  test.runIf(process.platform === 'linux')('one in /proc, where Node would try for good', async () => {
    expect(await failureIn('/proc/marque/var')).toMatch(/cannot be made or written to/);
  });

  test.runIf(process.platform === 'linux')('one in /sys, which takes no folders from anybody', async () => {
    expect(await failureIn('/sys/marque')).toMatch(/cannot be (?:made or )?written to/);
  });
});

/** A server that asks one user for a password. */
function withPasswords(data: string): void {
  fillEmpty(data);
  writeFileSync(join(data, 'pg_hba.conf'), 'host all nobody all scram-sha-256\nhost all all all trust\n');
}

async function failureAt(url: string): Promise<string> {
  const said = await failureOf(['workspace', 'list'], { DATABASE_URL: url });
  expect(said).toMatch(/^The PostgreSQL database of DATABASE_URL \(/);
  expect(said).not.toContain('hunter2');
  return said;
}

describe('a PostgreSQL database that cannot be opened is reported in one sentence', () => {
  let cluster: PostgresCluster;

  beforeAll(async () => {
    cluster = await PostgresCluster.start({ fill: withPasswords });
  });

  afterAll(async () => {
    await cluster.remove();
  });

  test('no server listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    server.close();
    await once(server, 'close');
    expect(await failureAt(`postgres://marque:hunter2@127.0.0.1:${port}/marque`)).toContain('nothing listens there');
  });

  test('an unknown host', async () => {
    expect(await failureAt('postgres://marque:hunter2@host.invalid/marque')).toContain('its host name is unknown');
  });

  test('a wrong password, or none', async () => {
    const place = `127.0.0.1:${cluster.port}/postgres`;
    expect(await failureAt(`postgres://nobody:hunter2@${place}`)).toContain('refuses this user or password');
    expect(await failureAt(`postgres://nobody@${place}`)).toContain('refuses this user or password');
  });

  test('no such database', async () => {
    expect(await failureAt(`postgres://marque@127.0.0.1:${cluster.port}/missing`)).toContain('no such database');
  });

  test('no TLS', async () => {
    const url = `postgres://marque@127.0.0.1:${cluster.port}/postgres?sslmode=require`;
    expect(await failureAt(url)).toContain('it has no TLS');
  });
});

test('a catalog of another version is reported in one sentence', async () => {
  const file = join(folder, 'other.catalog');
  const header = Buffer.from(JSON.stringify({ formatVersion: 99, meta: {}, sections: [] }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  writeFileSync(file, Buffer.concat([Buffer.from('MARQUE\u0000\u0001'), length, header, Buffer.alloc(64)]));
  const said = await failureOf(['decode', '1HGCM82633A004352'], { CATALOG_FILE: file });
  expect(said).toMatch(/other\.catalog cannot be opened as a catalog: .*has format 99/);
});
