import { readFileSync } from 'node:fs';

import { openCatalog, readVin, type VehicleReport } from '@marque/decoder';
import { expect, test } from 'vitest';

import { csvLines } from '../csv.ts';
import { catalogFile } from '../root.ts';
import { loadSpecs, specFactsFolder } from './load.ts';

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

/** Returns a table's lines by the names of its columns. */
function linesOf(file: string): Record<string, string>[] {
  const [header = [], ...lines] = csvLines(readFileSync(new URL(file, specFactsFolder()), 'utf8'));
  return lines.map((fields) => Object.fromEntries(header.map((name, at) => [name, fields[at] ?? ''])));
}

/** Returns the car of a line: make, model and, where it has one, generation. */
function nameOf({ make = '', model = '', generation = '' }: Record<string, string>): string {
  return `${make} ${model} ${generation}`.trim();
}

/** Returns the report of a made-up VIN. */
function decode(text: string): VehicleReport {
  const form = readVin(text);
  if (form.kind !== 'vin') throw new Error(`${text} is not a VIN.`);
  return decoder.decode(form.vin);
}

test('a car of South America has the sizes and the driven wheels of its own generation', () => {
  const { specs, technicalSpecs, ...gol } = decode('9BWAB05U0DT000000');
  expect(gol).toMatchObject({ model: 'Gol', generation: 'G5' });
  expect(technicalSpecs).toMatchObject({ lengthMm: 3900, wheelbaseMm: 2470 });
  expect(specs?.driveType).toBe('Front-wheel drive');
  // The one before, which was built until 2014, had manual gearboxes only.
  expect(specs?.transmission).toBeUndefined();
});

test('a Turkish Honda is built as for Europe', () => {
  const civic = decode('NLAFD75408W000000');
  expect(civic).toMatchObject({ model: 'Civic', technicalSpecs: { lengthMm: 4545 } });
});

test('a family that was built with one pair of driven wheels has it, wherever it was built', () => {
  const wheels = ['PM2M301S002000001', 'MA3FJEB1S00712345', 'ZFF79ALB000201234', 'VSKF4ABA3UY560211'].map(
    (vin) => decode(vin).specs?.driveType,
  );
  const front = 'Front-wheel drive';
  expect(wheels).toEqual([front, front, 'Rear-wheel drive', front]);
});

test('a motorcycle’s engine has the size in its name, rounded', () => {
  const rows = loadSpecs().sources.find(({ id }) => id === 'one-engine-elsewhere')?.rows ?? [];
  expect(rows.length).toBeGreaterThan(20);
  const wrong = rows.filter(({ model, cc = 0 }) => {
    const said = Number(/\d{3,4}/.exec(model)?.[0]);
    return !(Math.abs(cc - said) <= said * 0.1);
  });
  expect(wrong.map(({ model, cc }) => `${model}: ${cc}`)).toEqual([]);
});

test('no car measured by the press is taller than wide by a third: sizes are in their own columns', () => {
  const rows = loadSpecs().sources.find(({ id }) => id === 'press-elsewhere')?.rows ?? [];
  const measured = rows.filter(({ heightMm }) => heightMm !== undefined);
  expect(measured.length).toBeGreaterThan(30);
  const wrong = measured.filter(({ heightMm = 0, widthMm = 1500 }) => heightMm > (widthMm * 4) / 3);
  expect(wrong.map(({ model, heightMm }) => `${model}: ${heightMm}`)).toEqual([]);
});

test('a car that is built elsewhere as for Europe is within 3 % of the car that its row names', () => {
  const columns = ['lengthMm', 'widthMm', 'heightMm', 'wheelbaseMm'];
  const cars = ['europe.csv', 'press-elsewhere.csv'].flatMap((file) =>
    linesOf(file).map((row) => ({ note: `${file}: ${nameOf(row)}`, row })),
  );
  const named = Map.groupBy(cars, ({ note }) => note);
  const rows = linesOf('dimensions-elsewhere.csv');
  expect(rows.length).toBeGreaterThan(100);
  const wrong = rows.flatMap((row) => {
    const bodied = (named.get(row['note'] ?? '') ?? []).filter(
      ({ row: other }) => other['body'] === row['body'] || other['body'] === '' || row['body'] === '',
    );
    const isNear = (column: string): boolean =>
      bodied.some(
        ({ row: other }) => Math.abs(Number(other[column]) - Number(row[column])) <= Number(row[column]) * 0.03,
      );
    return columns
      .filter((column) => row[column] !== '' && !isNear(column))
      .map((column) => `${nameOf(row)}: ${column} ${row[column]}`);
  });
  expect(wrong).toEqual([]);
});
