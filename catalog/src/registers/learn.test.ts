import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { openCatalog, withOverlay } from '@marque/decoder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CAR_REGISTERS, type CarRegisterName } from '../../sources/registers/index.ts';
import { ensureCatalog } from '../build.ts';
import { Families } from '../../sources/specs/names.ts';
import { type GeneratedRegister, PRIVATE, registerLines, truePatterns } from '../testing/car-registers.ts';
import { sameValue, yearsOf } from './fields.ts';
import { PatternCounts } from './pattern-counts.ts';
import { type ImportedCars, readCarsOf } from './read-cars.ts';
import { settles } from './settle.ts';
import { patternsText, readPatterns } from './table.ts';
import { overlayOfRegisters } from './teach.ts';

const home = mkdtempSync(join(tmpdir(), 'car registers-ü-'));
afterAll(() => rmSync(home, { recursive: true }));

const families = new Families(
  [
    ['Skoda', 'Octavia'],
    ['Volkswagen', 'Passat'],
    ['Renault', 'Clio'],
  ].map(([make = '', model = '']) => ({ make, model, badges: [] })),
  'make,pattern,model\n',
);
const NAMES: readonly GeneratedRegister[] = ['czech', 'denmark', 'newzealand', 'slovenia', 'spain', 'ukraine'];
const FLEET = { cars: 12_000, patterns: 40, noise: 0.02, damaged: 0.02, seed: 7 };

let made = 0;

function fileOf(name: CarRegisterName, lines: Iterable<string>): string {
  const file = join(home, `${name}-${made++}.csv`);
  writeFileSync(file, `${[...lines].join('\r\n')}\r\n`);
  return file;
}

async function importOf(name: CarRegisterName, ...files: string[]): Promise<ImportedCars> {
  const reading = await readCarsOf(name, files, { families, folder: join(home, 'waiting') });
  if (reading.kind === 'refused') throw new Error(reading.reason);
  return reading;
}

const fleets = new Map<GeneratedRegister, Promise<ImportedCars>>();

/** Imports the same fleet as a register of this form: once for all tests, since it takes seconds. */
function fleetOf(name: GeneratedRegister): Promise<ImportedCars> {
  const known = fleets.get(name) ?? importOf(name, fileOf(name, registerLines(name, FLEET)));
  fleets.set(name, known);
  return known;
}

describe.each(NAMES)('a generated register of the form of %s', (name) => {
  let imported: ImportedCars;
  beforeAll(async () => {
    imported = await fleetOf(name);
  });

  test('learns the values of its cars, whatever clerks wrote beside them', () => {
    const truth = new Map(truePatterns(FLEET, name).map((pattern) => [pattern.mask, pattern]));
    const counts = { right: 0, count: 0 };
    for (const { mask, fields } of imported.patterns) {
      const known = truth.get(mask);
      if (known === undefined) throw new Error(`${mask} is no pattern of the fleet`);
      const wanted = { fuel: known.fuel, cc: known.cc, powerKw: known.powerKw, family: `${known.make}|${known.model}` };
      for (const [field, value] of Object.entries(wanted)) {
        const agreement = fields.get(field as keyof typeof wanted);
        if (agreement === undefined || !settles(field as keyof typeof wanted, agreement)) continue;
        counts.count++;
        if (sameValue(field as keyof typeof wanted, agreement.value, String(value))) counts.right++;
      }
    }
    expect(counts.count).toBeGreaterThan(FLEET.patterns);
    expect(counts.right / counts.count).toBeGreaterThanOrEqual(0.999);
    for (const [, { right, count }] of imported.leftOut) expect(right / count).toBeGreaterThan(0.95);
  });

  test('bounds the years of its patterns, whatever years clerks wrote', () => {
    const truth = new Map(truePatterns(FLEET, name).map((pattern) => [pattern.mask, pattern.builtFrom]));
    let bounded = 0;
    for (const { mask, fields } of imported.patterns) {
      const agreement = fields.get('years');
      const first = truth.get(mask) ?? 0;
      if (agreement === undefined || !settles('years', agreement)) continue;
      bounded++;
      const { from, to } = yearsOf(agreement.value);
      // Built in four years, of which the last one's cars may be of the next model year.
      expect(from).toBeLessThanOrEqual(first);
      expect(to).toBeGreaterThanOrEqual(first + 4);
      expect(to - from).toBeLessThanOrEqual(12);
    }
    expect(bounded).toBeGreaterThan(FLEET.patterns * 0.9);
  });

  test('counts damaged lines with their numbers, and repeats nothing about people', () => {
    const refused = imported.refused.reduce((sum, { records }) => sum + records, 0);
    expect(refused).toBeGreaterThan(FLEET.cars * FLEET.damaged * 0.5);
    expect(imported.cars + imported.twice + refused).toBe(imported.records);
    expect(imported.records).toBe(FLEET.cars);
    for (const { lines } of imported.refused) expect(lines[0]).toMatch(/^\d+$/);
    const outputs = JSON.stringify(imported.refused) + patternsText(imported.patterns);
    expect(outputs).not.toContain(PRIVATE);
    // No serial number: nothing behind position 11 is kept.
    for (const { mask } of imported.patterns) expect(mask.slice(11)).toBe('......');
  });

  test('learns nothing from noise alone', async () => {
    const noise = await importOf(name, fileOf(name, registerLines(name, { ...FLEET, noise: 1, damaged: 0 })));
    const learned = noise.patterns.flatMap(({ fields }) =>
      (['cc', 'powerKw'] as const).filter((field) => {
        const agreement = fields.get(field);
        return agreement !== undefined && settles(field, agreement);
      }),
    );
    expect(noise.patterns).toHaveLength(FLEET.patterns);
    expect(learned).toEqual([]);
  });
});

test('a VIN that comes twice is counted once, also in another file and in other letters', async () => {
  const lines = [...registerLines('czech', { ...FLEET, cars: 500, damaged: 0 })];
  const again = lines.map((line) => line.replace(/XA\d\w{14}/, (vin) => vin.toLowerCase()));
  const imported = await importOf('czech', fileOf('czech', lines), fileOf('czech', again));
  expect(imported).toMatchObject({ records: 1000, cars: 500, twice: 500 });
});

test('chassis numbers from before there were VINs are counted apart, at any length', async () => {
  const lines = [...registerLines('czech', { ...FLEET, cars: 40, patterns: 1, damaged: 0 })];
  const old = lines.map((line, at) => line.replace(/XA1\w{14}/, at % 2 === 0 ? 'TMB12MGLSF' : 'L5830841'));
  const { cars, refused } = await importOf('czech', fileOf('czech', lines), fileOf('czech', old));
  expect(cars).toBe(40);
  expect(refused).toEqual([
    expect.objectContaining({
      records: 40,
      reason: 'a chassis number of other than 17 characters, as cars before 1981 have',
    }),
  ]);
});

test('an import that was stopped goes on, and ends as one that was not', async () => {
  const text = [...registerLines('czech', { ...FLEET, cars: 3_000 })];
  const [first, second] = [
    fileOf('czech', text.slice(0, 2_000)),
    fileOf('czech', [text[0] ?? '', ...text.slice(2_000)]),
  ];
  const whole = await importOf('czech', first, second);
  const options = { families, folder: join(home, 'stopped') };
  const stop = new AbortController();
  const stopped = readCarsOf('czech', [first, second], {
    ...options,
    signal: stop.signal,
    onProgress: ({ records }) => (records >= 1_990 ? stop.abort() : undefined),
  });
  await expect(stopped).rejects.toThrow('aborted');
  const imported = await readCarsOf('czech', [first, second], options);
  expect(imported).toMatchObject({ kind: 'read', cars: whole.cars, records: whole.records, refused: whole.refused });
  expect(imported.kind === 'read' && imported.resumedAt).toBeGreaterThan(1_900);
  expect(imported.kind === 'read' && patternsText(imported.patterns)).toBe(patternsText(whole.patterns));
});

test.each(['newzealand', 'slovenia'] as const)(
  'a file of %s that comes twice, packed or not, is refused, also by an import that goes on',
  async (name) => {
    const [file, other] = [1, 2].map((seed) => fileOf(name, registerLines(name, { ...FLEET, cars: 600, seed })));
    if (file === undefined || other === undefined) throw new Error(name);
    const packed = `${file}.gz`;
    writeFileSync(packed, gzipSync(readFileSync(file)));
    const reason = `${packed} has the same content as ${file}, and would count twice: give one of them only.`;
    const options = { families, folder: join(home, `twice-${name}`) };
    const stop = new AbortController();
    const stopped = readCarsOf(name, [file, other, packed], {
      ...options,
      signal: stop.signal,
      onProgress: ({ records }) => (records >= 590 ? stop.abort() : undefined),
    });
    await expect(stopped).rejects.toThrow('aborted');
    for (let time = 0; time < 2; time++) {
      expect(await readCarsOf(name, [file, other, packed], options)).toEqual({ kind: 'refused', reason });
    }
    expect(await importOf(name, file, other)).toHaveProperty('kind', 'read');
  },
);

test('an import beside another one of the same register is refused, and counts no car twice', async () => {
  const folder = join(home, 'at once');
  const file = fileOf('czech', registerLines('czech', { ...FLEET, cars: 2_000 }));
  const other = PatternCounts.open(join(folder, 'czech'), 'the same');
  if (other === 'busy') throw new Error(other);
  expect(await readCarsOf('czech', [file], { families, folder })).toEqual({
    kind: 'refused',
    reason: 'Another import of czech is under way.',
  });
  other.close();
  expect(await readCarsOf('czech', [file], { families, folder })).toMatchObject({ kind: 'read' });
});

/** Returns the bytes of a text in an encoding with a byte for each letter. */
function encoded(text: string, encoding: string): Buffer {
  const letters = new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  return Buffer.from(Array.from(text, (letter) => letters.indexOf(letter)));
}

test.each([
  ['czech', 'windows-1250', (text: string) => text.replaceAll('min⁻¹', 'min-1').replaceAll('cm³', 'cm3')],
  ['denmark', 'windows-1252', (text: string) => text],
  ['newzealand', 'windows-1252', (text: string) => text],
  ['slovenia', 'windows-1250', accented],
  ['spain', 'windows-1252', (text: string) => text],
  ['ukraine', 'windows-1251', (text: string) => text.replaceAll(/[Šš]/g, 'S')],
] as const)(
  '%s is read alike in UTF-8, with its mark or without, in UTF-16 and in %s',
  async (name, older, written) => {
    const lines = [...registerLines(name, { ...FLEET, cars: 3_000, patterns: 6, damaged: 0 })];
    const text = written(lines.join('\r\n').replaceAll('SKODA', 'ŠKODA'));
    const read = async (bytes: Buffer) => {
      const file = join(home, `${name}-${made++}.txt`);
      writeFileSync(file, bytes);
      const { cars, patterns } = await importOf(name, file);
      return { cars, text: patternsText(patterns) };
    };
    const first = await read(encoded(text, older));
    expect(first.cars).toBe(3_000);
    for (const field of ['family', 'fuel', 'cc']) {
      expect(first.text.match(new RegExp(`^XA1.+,${field},`, 'gm')) ?? []).toHaveLength(2);
    }
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\uFEFF${text}`),
      Buffer.from(text, 'utf16le'),
      Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
    ]) {
      expect(await read(bytes)).toEqual(first);
    }
  },
);

/** Returns a Slovenian table with the accents that other releases have in their header. */
function accented(text: string): string {
  return text
    .replace('E-VIN', 'E-Identifikacijska številka vozila (VIN)')
    .replace('F1-Najvecja tehnicno', 'F.1-Največja tehnično')
    .replace('P12-Nazivna moc', 'P.1.2-Nazivna moč');
}

test('a file of another register is refused, and its columns about people are not named', async () => {
  const file = fileOf('slovenia', registerLines('slovenia', { ...FLEET, cars: 10 }));
  const reading = await readCarsOf('czech', [file], { families, folder: join(home, 'waiting') });
  expect(reading).toMatchObject({ kind: 'refused', reason: expect.stringContaining('import it as slovenia') });
  const people = fileOf('czech', ['Ime lastnika;Spol;Starost', 'a;b;c']);
  const refused = await readCarsOf('czech', [people], { families, folder: join(home, 'waiting') });
  expect(JSON.stringify(refused)).not.toMatch(/lastnika|Spol/);
});

test('no register declares a column about people', () => {
  for (const { columns } of Object.values(CAR_REGISTERS)) {
    for (const names of Object.values<readonly string[]>(columns)) {
      for (const name of names)
        expect(name).not.toMatch(/lastnik|titular|persona|obcin|municip|spol|starost|postal|owner|person/i);
    }
  }
});

test('registers beside each other answer where they agree, and leave open where they do not', async () => {
  const [czech, ukraine] = [await fleetOf('czech'), await fleetOf('ukraine')];
  const text = patternsText(czech.patterns);
  expect(patternsText(readPatterns(text))).toBe(text);
  const one = truePatterns(FLEET, 'czech').find(({ fuel }) => fuel === 'Diesel');
  const swapped = patternsText(ukraine.patterns)
    .split('\n')
    .map((line) => (line.startsWith(one?.mask ?? '-') ? line.replace(`,cc,${one?.cc},`, ',cc,1234,') : line))
    .join('\n');
  const imported = '2026-11-23';
  const overlay = overlayOfRegisters([
    { register: 'czech', imported, patterns: text },
    { register: 'ukraine', imported, patterns: swapped },
  ]);
  expect(overlay.merged.disagreements).toEqual([
    expect.objectContaining({ mask: one?.mask, field: 'cc', said: [expect.anything(), expect.anything()] }),
  ]);
  const base = openCatalog(ensureCatalog().file);
  const decoder = withOverlay(base, overlay.bytes);
  for (const pattern of truePatterns(FLEET, 'czech')) {
    const vin = `${pattern.mask.slice(0, 8)}0${pattern.mask.slice(9, 11)}000001`;
    const { manufacturer, specs } = decoder.decode(vin);
    expect(base.decode(vin).manufacturer).toBeUndefined();
    if (manufacturer === undefined) continue;
    expect(specs).toMatchObject({ fuelType: pattern.fuel });
    const cc = specs?.displacementCc ?? pattern.cc;
    expect(sameValue('cc', String(cc), String(pattern.cc))).toBe(true);
  }
  const shown = decoder.explain(`${one?.mask.slice(0, 8)}0${one?.mask.slice(9, 11)}000001`);
  expect(shown.report.specs?.displacementCc).toBeUndefined();
  expect(shown.fields.find(({ field }) => field === 'specs.fuelType')?.rows[0]?.source).toContain(
    'Czech vehicle register',
  );
  expect(decoder.info.sources.map(({ id }) => id)).toEqual(expect.arrayContaining(['czech', 'ukraine']));
});
