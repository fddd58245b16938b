import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { type Decoder, openCatalog, readVin } from '@marque/decoder';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openNpmPackage } from '../../sources/vpic/npm-package.ts';
import { decodeOne } from '../lab/accuracy/sets.ts';
import { labeledSets } from '../labels/sets.ts';
import { fieldTable } from '../lab/accuracy/print.ts';
import { readLabeled } from '../labels/labeled.ts';
import { catalogFile } from '../root.ts';
import { writeVpicDump } from '../testing/vpic-dump.ts';
import { importVpic, type ImportOutcome } from './vpic.ts';

const now = () => Date.UTC(2026, 10, 1);

const ACCORD = { vin: '1HGCM82633A004352', make: 'HONDA', model: 'Accord', modelYear: '2003' };

/** Every sixth of the VINs whose answers by NHTSA's own procedures are on record. */
const recorded = ['answers-cars', 'answers-mutated'].flatMap((name) => {
  const file = new URL(`../../fixtures/vpic/${name}.jsonl.gz`, import.meta.url);
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n').filter(Boolean);
  return lines.filter((_, index) => index % 6 === 0).map((line) => (JSON.parse(line) as { vin: string }).vin);
});
/** Their WMIs: the parts left out of the dump are never used. */
const wmis = new Set(
  [ACCORD.vin, ...recorded].flatMap((vin) => [vin.slice(0, 3), vin.slice(0, 3) + vin.slice(11, 14)]),
);
const labeled = labeledSets()
  .flatMap((file) => readLabeled(file))
  .filter(({ vin }) => /^[1-5].[^9]/.test(vin) && wmis.has(vin.slice(0, 3)));

const score = (decoder: Decoder) => fieldTable(labeled.map((one) => decodeOne(decoder, one)));

let folder: string;
let outcome: ImportOutcome;
let imported: Decoder;
let built: Decoder;

/** The shares of the file that the import reported as read. */
const shares: number[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marque-parity-'));
  const [file, target] = [join(folder, 'dump.sql'), join(folder, 'marque.catalog')];
  await writeVpicDump(file, openNpmPackage(), { wmis: [...wmis] });
  outcome = await importVpic(file, { target, known: [ACCORD], onProgress: (share) => shares.push(share) });
  if (outcome.kind === 'refused') throw new Error(outcome.reason);
  [imported, built] = [openCatalog(target, { now }), openCatalog(catalogFile(), { now })];
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true }));

test('an import reports its progress, and puts a catalog of its own in place', () => {
  expect(outcome).toMatchObject({ kind: 'imported', file: join(folder, 'marque.catalog') });
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
  expect(imported.info.hash).not.toBe(built.info.hash);
});

test('a download with the rows of the npm package answers every recorded VIN as the npm package does', () => {
  expect(recorded.length).toBeGreaterThan(200);
  for (const vin of recorded) {
    const rowsOf = (decoder: Decoder) => decoder.vpic(vin).map(String).toSorted().join('\n');
    const reportOf = (decoder: Decoder) => (readVin(vin).kind === 'vin' ? decoder.decode(vin) : undefined);
    expect({ vin, rows: rowsOf(imported) }).toEqual({ vin, rows: rowsOf(built) });
    expect(reportOf(imported)).toEqual(reportOf(built));
  }
});

test('and is as accurate on labeled VINs, field by field', () => {
  expect(labeled.length).toBeGreaterThan(500);
  expect(score(imported)).toBe(score(built));
});
