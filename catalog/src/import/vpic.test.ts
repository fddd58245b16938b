import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { openNpmPackage } from '../../sources/vpic/npm-package.ts';
import { readVpicDump } from '../../sources/vpic/dump/read.ts';
import { readVpicTables } from '../../sources/vpic/read-npm-package.ts';
import type { ProjectFacts } from '../build.ts';
import { catalogFile } from '../root.ts';
import { readVpicFacts, type VpicFacts } from '../vpic/facts.ts';
import type { VpicTables } from '../vpic/tables.ts';
import { writeVpicDump } from '../testing/vpic-dump.ts';
import { zipOf } from '../testing/zip.ts';
import { importVpic } from './vpic.ts';

const ACCORD = { vin: '1HGCM82633A004352', make: 'HONDA', model: 'Accord', modelYear: '2003' };

const npmPackage = openNpmPackage();
/** No facts but NHTSA's. */
const project: ProjectFacts = { regions: [], wmis: [], world: [], specs: { sources: [], driveCodes: [] } };

let folder: string;
/** A dump of a few rows of each table. */
let short: string;
let dump: Buffer;
/** It, as it is downloaded. */
let archive: Buffer;
let target: string;

const codes = (elements: VpicFacts['elements'] = []) =>
  elements.map(({ element, code, shown }) => ({ element, code, shown }));

/** Reads the npm package's tables, with as many patterns only as a test looks at: there are 800,000. */
function readFirstPatterns(count: number): VpicTables {
  // A temporary table hides one of the same name.
  npmPackage.exec(`CREATE TEMP TABLE Pattern AS SELECT * FROM main.Pattern ORDER BY Id LIMIT ${count}`);
  try {
    return readVpicTables(npmPackage);
  } finally {
    npmPackage.exec('DROP TABLE temp.Pattern');
  }
}

/** Puts a program `pg_restore` of these lines of shell alone on the path; none: nothing is there. */
function onlyProgram(...lines: string[]): void {
  const programs = mkdtempSync(join(folder, 'bin-'));
  const script = ['#!/bin/sh', ...lines].join('\n');
  if (lines.length > 0) writeFileSync(join(programs, 'pg_restore'), script, { mode: 0o755 });
  vi.stubEnv('PATH', programs);
}

/** Writes a file and tries to import it over a catalog that is there. */
async function importOf(bytes: Uint8Array | string, name = 'dump.sql') {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return importVpic(file, { target, project, known: [ACCORD] });
}

async function reasonOf(bytes: Uint8Array | string): Promise<string> {
  const outcome = await importOf(bytes);
  expect(readFileSync(target, 'utf8')).toBe('the previous catalog');
  return outcome.kind === 'refused' ? outcome.reason : 'imported';
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marque-import-'));
  target = join(folder, 'marque.catalog');
  short = join(folder, 'short.sql');
  await writeVpicDump(short, npmPackage, { wmis: ['1HG'], mostRows: 2_000 });
  dump = readFileSync(short);
  archive = await zipOf({ 'vPICList_lite_2026_08.sql': dump });
});

afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(() => writeFileSync(target, 'the previous catalog'));

describe("an import of NHTSA's download", () => {
  test('reads the same from the plain file, gzipped and from its archive', async () => {
    const { label: _, ...plain } = await readVpicDump(short, new Date());
    for (const [name, bytes] of [
      ['dump.sql.gz', gzipSync(dump, { level: 1 })],
      ['dump.plain.zip', archive],
    ] as const) {
      const file = join(folder, name);
      writeFileSync(file, bytes);
      const { label, ...packed } = await readVpicDump(file, new Date());
      expect(label).toContain(name);
      expect(isDeepStrictEqual(packed, plain)).toBe(true);
    }
  });

  test('keeps every row and every text, in the order of their ids', async () => {
    const file = join(folder, 'part.sql');
    await writeVpicDump(file, npmPackage, { mostPatterns: 20_000 });
    const [read, whole] = [await readVpicDump(file, new Date()), readFirstPatterns(30_000)];
    const { patterns, label, isReduced, schemas, facts, ...others } = read;
    for (const [table, rows] of Object.entries(others)) {
      const same = isDeepStrictEqual(rows, whole[table as keyof typeof others]);
      expect({ table, same }).toEqual({ table, same: true });
    }
    expect([...schemas.keys()].join()).toBe([...whole.schemas.keys()].join());
    expect(label).toContain('part.sql');
    expect(codes(facts.elements)).toEqual(codes(readVpicFacts().elements));
    expect([isReduced, whole.isReduced]).toEqual([true, true]);
    const rowOf = new Map(Array.from(whole.patterns.id, (id, row) => [id, row]));
    const wrong: { id: number; column: string }[] = [];
    let last = 0;
    for (const [row, id] of patterns.id.entries()) {
      if (id <= last) wrong.push({ id, column: 'id' });
      last = id;
      const wanted = rowOf.get(id) ?? -1;
      for (const column of ['schema', 'key', 'element', 'attribute', 'changed'] as const) {
        if (patterns[column][row] !== whole.patterns[column][wanted]) wrong.push({ id, column });
      }
    }
    expect(wrong).toEqual([]);
  });

  test('reads 100,000 patterns and compiles them within 140 MiB of heap', async () => {
    const file = join(folder, 'large.sql');
    await writeVpicDump(file, npmPackage, { mostPatterns: 100_000 });
    const script = `import { importVpic } from ${JSON.stringify(new URL('vpic.ts', import.meta.url).href)};
      const project = { regions: [], wmis: [], world: [], specs: { sources: [], driveCodes: [] }, approvals: [] };
      const options = { target: ${JSON.stringify(target)}, known: [], project };
      console.log((await importVpic(${JSON.stringify(file)}, options)).rows);`;
    const words = ['--max-old-space-size=140', '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    expect(Number(stdout)).toBe(100_000);
  });
});

describe("PostgreSQL's custom format is read by pg_restore", () => {
  const custom = Buffer.concat([Buffer.from('PGDMP'), randomBytes(300_000)]);

  afterEach(() => vi.unstubAllEnvs());

  test('plain or in its archive, and gives the same as the plain dump', async () => {
    const rows = (await readVpicDump(short, new Date())).patterns.count;
    const received = join(folder, 'received');
    onlyProgram(`/bin/cat > ${received}`, `exec /bin/cat ${short}`);
    for (const [name, bytes] of [
      ['dump.backup', custom],
      ['dump.custom.zip', await zipOf({ 'vPICList_lite_2026_08.backup': custom })],
    ] as const) {
      const file = join(folder, name);
      writeFileSync(file, bytes);
      expect((await readVpicDump(file, new Date())).patterns.count).toBe(rows);
      expect(readFileSync(received).equals(custom)).toBe(true);
    }
  });

  test('and refused with what to do where that is missing, or refuses it', async () => {
    onlyProgram();
    expect(await reasonOf(custom)).toMatch(/custom format\. Install pg_restore .*\.plain\.zip/);
    onlyProgram('echo "pg_restore: error: unsupported version (1.16) in file header" >&2', 'exit 1');
    expect(await reasonOf(custom)).toMatch(/pg_restore cannot read this dump: .*unsupported version.*\.plain\.zip/);
  });
});

describe('the previous catalog stays, and the reason is reported, when the file', () => {
  test('is cut short, packed or not', async () => {
    expect(await reasonOf(dump.subarray(0, dump.length / 2))).toMatch(/cut short: it ends in the middle of the table/);
    expect(await reasonOf(dump.subarray(0, dump.length - 60))).toMatch(/cut short: it ends before the end of the dump/);
    const gzipped = gzipSync(dump, { level: 1 });
    expect(await reasonOf(gzipped.subarray(0, gzipped.length / 2))).toMatch(/cut short/);
    expect(await reasonOf(archive.subarray(0, archive.length / 2))).toMatch(/cut short/);
  });

  test('is damaged', async () => {
    const damaged = Buffer.from(archive);
    // The checksum in the central directory, which is what counts.
    const at = damaged.lastIndexOf('PK\u0001\u0002') + 16;
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    expect(await reasonOf(damaged)).toMatch(/damaged: its checksum differs/);
    expect(await reasonOf(String(dump).replace(/\nCOPY vpic\.wmi_make .*\n/, '$&one\ttwo\tthree\n'))).toMatch(
      /has 3 columns/,
    );
    expect(await reasonOf(String(dump).replace(/(\nCOPY vpic\.pattern .*\n)\d+/, '$1x'))).toMatch(/pattern id is "x"/);
  });

  test('is something else', async () => {
    expect(await reasonOf('')).toMatch(/not a PostgreSQL dump/);
    expect(await reasonOf(readFileSync(catalogFile()))).toMatch(/not a PostgreSQL dump/);
    expect(await reasonOf(await zipOf({ 'a.sql': dump, 'b.sql': dump }))).toMatch(/other than one file/);
    const others =
      '--\n-- PostgreSQL database dump\n--\nCOPY public.users (id, name) FROM stdin;\n1\tx\n\\.\n-- PostgreSQL database dump complete\n';
    expect(await reasonOf(others)).toMatch(/no vPIC dump: it lacks the tables country, element/);
    expect(await reasonOf(String(dump).replace('vinschemaid, keys', 'schemaid, keys'))).toMatch(
      /pattern has no column vinschemaid/,
    );
    expect(await importVpic(join(folder, 'nowhere.zip'), { target })).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('cannot be read'),
    });
  });

  test('decodes known VINs wrongly', async () => {
    const outcome = await importVpic(short, { target, project });
    expect(outcome).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/of 12 known VINs decode wrongly/),
    });
    expect(readFileSync(target, 'utf8')).toBe('the previous catalog');
    expect(existsSync(`${target}.${process.pid}`)).toBe(false);
  });

  test('exceeds the limits of the format', async () => {
    const tooHigh = String(dump)
      .replace(/(\nCOPY vpic\.element .*\n)/, '$1300\tNew\tNew\t\\N\t\\N\tf\t\\N\t\\N\t\\N\t\\N\t\\N\tPattern\t\\N\n')
      .replace(/(\nCOPY vpic\.pattern .*\n)/, '$199999999\t1\tAB\t300\t1\t\\N\t\\N\n');
    expect(await reasonOf(tooHigh)).toMatch(/300 as the highest element; the catalog's format has room for 255/);
  });
});
