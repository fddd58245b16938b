import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { Families } from '../../sources/specs/names.ts';
import { readRegister } from '../import/read-register.ts';
import { approvalLines, builtOf, recallLines, trueTypes } from '../testing/type-registers.ts';
import { yearsOf } from './fields.ts';
import { readCarsOf } from './read-cars.ts';
import { settles } from './settle.ts';
import { patternsText } from './table.ts';

const home = mkdtempSync(join(tmpdir(), 'types-ü-'));
afterAll(() => rmSync(home, { recursive: true }));

const families = new Families(
  [
    ['Volkswagen', 'Passat'],
    ['Volvo', 'V70'],
    ['Mercedes-Benz', 'Vito'],
  ].map(([make = '', model = '']) => ({ make, model, badges: [] })),
  'make,pattern,model\n',
);
const LIST = { records: 12_000, noise: 0.02, damaged: 0.02, seed: 11 };

function fileOf(name: string, lines: Iterable<string>, encoding: BufferEncoding): string {
  const file = join(home, `${name}-${encoding}.csv`);
  writeFileSync(file, [...lines, ''].join('\r\n'), encoding);
  return file;
}

async function recalls(encoding: BufferEncoding) {
  const file = fileOf('recalls', recallLines(LIST), encoding);
  const imported = await readCarsOf('dvsa', [file], { families, folder: join(home, 'waiting') });
  if (imported.kind === 'refused') throw new Error(imported.reason);
  return imported;
}

test('generated recalls give the years of their ranges, and clerks’ years beside them teach nothing', async () => {
  const imported = await recalls('utf8');
  const counts = { right: 0, count: 0 };
  for (const { mask, fields } of imported.patterns) {
    const built = fields.get('built');
    if (built === undefined || !settles('built', built)) continue;
    counts.count++;
    const [head = '', range = ''] = mask.split('@');
    const { from, to } = yearsOf(built.value);
    const years = range.split('-').map((serial) => builtOf(`${head}${serial}`));
    if (years.every((year) => year >= from && year <= to)) counts.right++;
  }
  expect(counts.count).toBeGreaterThan((LIST.records / 2) * 0.9);
  expect(counts.right / counts.count).toBeGreaterThanOrEqual(0.999);
  expect(imported.records).toBe(LIST.records);
  const reasons = new Set(imported.refused.map(({ reason }) => reason));
  expect(reasons).toContain('a range of VINs whose ends are exchanged');
  expect(reasons).toContain('cut short: fewer fields than the header has');
  expect(reasons).toContain('more fields than the header has');
  for (const { lines } of imported.refused) expect(lines[0]).toMatch(/^\d+$/);
  expect(JSON.stringify(imported.refused) + patternsText(imported.patterns)).not.toContain('GEHEIM');
});

test('generated recalls of both encodings give the same', async () => {
  const [utf8, latin1] = [await recalls('utf8'), await recalls('latin1')];
  expect(patternsText(latin1.patterns)).toBe(patternsText(utf8.patterns));
});

test('generated approvals of both encodings say what their types are, and damaged lines are counted', async () => {
  const truth = new Map(trueTypes(LIST).map((type) => [type.mask, type]));
  const readings = [];
  for (const encoding of ['latin1', 'utf8'] as const) {
    const reading = await readRegister('norway', [fileOf('norway', approvalLines(LIST), encoding)], () => families);
    if (reading.kind === 'refused') throw new Error(reading.reason);
    readings.push(reading);
  }
  const [reading, again] = readings;
  expect(again).toEqual(reading);
  const rows = reading?.approvals ?? [];
  const right = rows.filter((row) => {
    const type = truth.get(row.mask);
    return (
      row.make === type?.make && row.cc === type.cc && row.powerKw === type.powerKw && row.gearbox === type.gearbox
    );
  });
  expect(rows.length).toBeGreaterThan(LIST.records * 0.9);
  expect(right.length / rows.length).toBeGreaterThanOrEqual(0.999);
  const refused = reading?.refused.reduce((sum, { records }) => sum + records, 0) ?? 0;
  expect(refused + (reading?.taken ?? 0)).toBe(reading?.records);
  // A line that is cut within quotation marks may look like one record with the next.
  expect(reading?.records).toBeGreaterThan(LIST.records * 0.99);
  expect(refused).toBeGreaterThan(LIST.records * 0.04);
  expect(JSON.stringify(reading)).not.toContain('GEHEIM');
});
