import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { definition, openDatabase } from '../../database.ts';
import { openPostgres } from '../../kernel/db/postgres.ts';
import { SERVICE_VERSION } from '../../kernel/version.ts';
import { PostgresCluster } from '../postgres-cluster.ts';
import { dumpPostgres } from './dump.ts';
import { fill } from './fill.ts';
import { filesOf, type Known } from './known.ts';

// `npm run release:database`: writes the databases of this version, which later versions are tested to upgrade.

const tag = `v${SERVICE_VERSION}`;
if (execFileSync('git', ['tag', '--list', tag], { encoding: 'utf8' }).trim() === tag) {
  process.stderr.write(`${SERVICE_VERSION} is released (tag ${tag}): its databases never change.\n`);
  process.exit(1);
}
const files = filesOf(SERVICE_VERSION);
mkdirSync(dirname(files.known), { recursive: true });
const known = { sqlite: await writeSqlite(), postgres: await writePostgres() };
writeFileSync(files.known, `${JSON.stringify(known, undefined, 2)}\n`);
process.stdout.write(`Wrote ${dirname(files.known)}.\n`);

async function writeSqlite(): Promise<Known> {
  const dataDir = mkdtempSync(join(tmpdir(), 'marque-release-'));
  try {
    const known = await fill({ dataDir, databaseUrl: undefined });
    const database = await openDatabase({ dataDir, databaseUrl: undefined }, 'tool');
    if (database.engine !== 'sqlite') throw new Error(database.engine);
    const copy = join(dataDir, 'copy.db');
    // One file, without a log beside it or pages of deleted rows.
    database.direct.prepare('VACUUM INTO ?').run(copy);
    await database.close();
    writeFileSync(files.sqlite, gzipSync(readFileSync(copy), { level: 9 }));
    return known;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function writePostgres(): Promise<Known> {
  const dataDir = mkdtempSync(join(tmpdir(), 'marque-release-'));
  const cluster = await PostgresCluster.start();
  try {
    await cluster.run('CREATE DATABASE marque');
    const databaseUrl = cluster.url('marque');
    const known = await fill({ dataDir, databaseUrl });
    const database = await openPostgres(databaseUrl, await definition());
    writeFileSync(files.postgres, await dumpPostgres(database));
    await database.close();
    return known;
  } finally {
    await cluster.remove();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
