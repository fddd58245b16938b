import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { Families } from '../../sources/specs/names.ts';
import { registerLines } from '../testing/car-registers.ts';
import { zipOf } from '../testing/zip.ts';
import type { PatternField } from './fields.ts';
import { readCarsOf } from './read-cars.ts';
import { patternsText } from './table.ts';

const home = mkdtempSync(join(tmpdir(), 'denmark-ü-'));
afterAll(() => rmSync(home, { recursive: true }));

const families = new Families([{ make: 'Skoda', model: 'Octavia', badges: [] }], 'make,pattern,model\n');
const FLEET = { cars: 3_000, patterns: 10, noise: 0, damaged: 0, seed: 5 };
const XML = [...registerLines('denmark', FLEET)].join('\n');
/** The line on which the records begin, and how many each has. */
const [FIRST, LINES] = [3, 2];

async function read(bytes: string | Buffer, name = 'dmr.xml', folder = 'waiting') {
  const file = join(home, name);
  writeFileSync(file, bytes);
  return readCarsOf('denmark', [file], { families, folder: join(home, folder) });
}

async function reasonOf(bytes: string | Buffer, name?: string): Promise<string> {
  const reading = await read(bytes, name);
  return reading.kind === 'refused' ? reading.reason : 'read';
}

async function valuesOf(change: (record: string) => string): Promise<Map<PatternField, string>> {
  const one = [...registerLines('denmark', { ...FLEET, cars: 60, patterns: 1 })];
  const reading = await read(one.map((line) => (line.startsWith('<ns:Statistik>') ? change(line) : line)).join('\n'));
  if (reading.kind === 'refused') throw new Error(reading.reason);
  return new Map([...(reading.patterns[0]?.fields ?? [])].map(([field, { value }]) => [field, value]));
}

test('the register is read from its archive as from the document, also in the form of archives over 4 GB', async () => {
  const plain = await read(XML);
  expect(plain).toMatchObject({ kind: 'read', records: FLEET.cars, cars: FLEET.cars });
  for (const zip64 of [false, true]) {
    const zipped = await read(await zipOf({ 'dmr.xml': Buffer.from(XML) }, { zip64 }), 'dmr.zip');
    expect(zipped).toEqual(plain);
  }
});

test('an import that was stopped skips the records read before, and ends as one that was not', async () => {
  // A second document, since it is marked at the end of each how far they are read.
  const [head = '', ...records] = XML.split(/(?=<ns:Statistik>)/);
  const [end] = /<\/ns:ES\w+>$/.exec(XML) ?? [''];
  const files = [`${head}${records.slice(0, 1_000).join('')}${end}`, `${head}${records.slice(1_000).join('')}`].map(
    (text, index) => {
      const file = join(home, `part-${index}.xml`);
      writeFileSync(file, text);
      return file;
    },
  );
  const whole = await readCarsOf('denmark', files, { families, folder: join(home, 'whole') });
  const stop = new AbortController();
  const options = { families, folder: join(home, 'stopped') };
  const stopped = readCarsOf('denmark', files, {
    ...options,
    signal: stop.signal,
    recordsAMark: 700,
    onProgress: ({ records: count }) => (count > 2_500 ? stop.abort() : undefined),
  });
  await expect(stopped).rejects.toThrow('aborted');
  const imported = await readCarsOf('denmark', files, options);
  if (imported.kind === 'refused' || whole.kind === 'refused') throw new Error('refused');
  // Behind the first document's 1,000, at the last multiple of 700 of the second.
  expect(imported.resumedAt).toBe(2_400);
  expect(imported).toMatchObject({ records: whole.records, cars: whole.cars, refused: whole.refused });
  expect(patternsText(imported.patterns)).toBe(patternsText(whole.patterns));
});

test('a document that is cut or damaged is refused with the place', async () => {
  const lines = XML.split('\n');
  expect(await reasonOf(lines.slice(0, 1_000).join('\n'))).toMatch(/cut short at line 1000, column \d+ \(unclosed tag/);
  const line = FIRST + 500 * LINES;
  const damaged = lines.with(line - 1, (lines[line - 1] ?? '').replace('</ns:KoeretoejArtNavn>', ''));
  expect(await reasonOf(damaged.join('\n'))).toMatch(/at line 1004, column \d+ \(unexpected close tag/);
  expect(await reasonOf('')).toMatch(/is empty/);
  expect(await reasonOf('VIN;BRAND\n1;2\n')).toMatch(/is no XML, .* \(text data outside of root node\)/);
  expect(await reasonOf('<a><b/></a>')).toMatch(/has no record “Statistik”/);
});

test('an archive that is cut or damaged is refused', async () => {
  const zipped = await zipOf({ 'dmr.xml': Buffer.from(XML) });
  expect(await reasonOf(zipped.subarray(0, zipped.length / 2), 'cut.zip')).toMatch(/is no zip file, or is cut short/);
  const damaged = Buffer.from(zipped);
  damaged.fill(0xff, 20_000, 20_100);
  expect(await reasonOf(damaged, 'damaged.zip')).toMatch(/damaged or cut short behind byte \d+|no XML, is damaged/);
  const other = Buffer.from(zipped);
  // The method in the directory: 9 is what other programs choose for large files.
  other.writeUInt16LE(9, other.lastIndexOf('PK\u0001\u0002') + 10);
  expect(await reasonOf(other, 'deflate64.zip')).toMatch(/compressed by method 9, which is not read\. Unpack it/);
});

function diesel(record: string): string {
  return record.replace(/Navn>(?:Diesel|Benzin)</, 'Navn>Diesel<');
}

test('words of the document are read as they are meant', async () => {
  const plain = await valuesOf(diesel);
  expect(Object.fromEntries(plain)).toMatchObject({
    fuel: 'Diesel',
    drive: 'Front-wheel drive',
    bodies: 'sedan',
    emissions: 'Euro 3',
    grossKg: '1900',
  });
  const two = await valuesOf((record) =>
    diesel(record).replace(
      '</ns:DrivkraftTypeStruktur>',
      '$&<ns:DrivkraftTypeStruktur><ns:DrivkraftTypeNavn>El</ns:DrivkraftTypeNavn></ns:DrivkraftTypeStruktur>',
    ),
  );
  expect(two.has('fuel')).toBe(false);
  expect(two.has('powerKw')).toBe(false);
  expect(two.get('cc')).toBe(plain.get('cc'));
  const gasoline = await valuesOf((record) =>
    diesel(record)
      .replace('Diesel', 'Benzin')
      .replace(/\d{4}-12-08/, '2012-12-08'),
  );
  expect(gasoline.has('fuel')).toBe(false);
  const trailers = await read(XML.replaceAll('Personbil', 'Paahaengsvogn'));
  expect(trailers).toMatchObject({ kind: 'refused', reason: expect.stringContaining('neither a car nor a van') });
});
