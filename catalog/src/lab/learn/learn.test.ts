import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openCatalog } from '@marque/decoder';
import { expect, test } from 'vitest';

import type { LabeledVin } from '../../labels/labeled.ts';
import { catalogFile } from '../../root.ts';
import { interpret } from '../../world/interpret.ts';
import { readWorld } from '../../world/load.ts';
import { factsFolder } from '../../world/testing/facts-folder.ts';
import { learn, type Learned } from './learn.ts';
import { fleet, MODELS } from './testing/fleet.ts';
import { writeLearned } from './write.ts';

const decoder = openCatalog(catalogFile());
const NO_ROWS = 'positions,code,model,confidence,source\n';

function learnFrom(cars: readonly LabeledVin[], folder = factsFolder(NO_ROWS)): Learned {
  return learn(cars, readWorld(folder).layouts, decoder);
}

test('the positions at which a maker codes model and body are found, with what each code means', () => {
  const rows = learnFrom(fleet(2_000, 0)).tables.get('acme') ?? [];
  const models = rows.filter(({ model }) => model !== undefined);
  expect(new Set(models.map(({ positions }) => positions))).toEqual(new Set(['5']));
  expect(new Set(models.map(({ model }) => model))).toEqual(new Set(MODELS));
  const bodies = rows.filter(({ body }) => body !== undefined);
  expect(new Set(bodies.map(({ positions, code, body }) => `${positions} ${code} ${body}`))).toEqual(
    new Set(['7 K wagon', '7 S sedan']),
  );
  for (const { vins, groups, against } of rows) {
    expect(vins).toBeGreaterThanOrEqual(groups ?? Infinity);
    expect(against).toBe(0);
  }
});

test('labels of which one in a hundred is wrong teach the same, and no wrong label becomes a row', () => {
  const meant = new Map(fleet(2_000, 0).map(({ vin, expected }) => [vin, expected.model]));
  const folder = factsFolder(NO_ROWS);
  writeLearned(folder, learnFrom(fleet(2_000, 0.01), folder));
  const { layouts } = readWorld(folder);
  const answers = [...meant].map(([vin, model]) => ({ model, answer: interpret(layouts, vin)?.outputs.model }));
  expect(answers.filter(({ model, answer }) => answer !== undefined && answer !== model)).toEqual([]);
  expect(answers.filter(({ answer }) => answer !== undefined).length).toBeGreaterThan(1_900);
});

test('a field that no position determines is left open', () => {
  const cars = fleet(2_000, 0);
  for (const [index, { expected }] of cars.entries()) expected.model = MODELS[index % 7] ?? '';
  expect((learnFrom(cars).tables.get('acme') ?? []).filter(({ model }) => model !== undefined)).toEqual([]);
});

test('a WMI without a layout gets one, with the make of its cars', () => {
  const cars = fleet(2_000, 0);
  for (const car of cars) car.vin = `LZ8${car.vin.slice(3)}`;
  const learned = learnFrom(cars);
  const folder = factsFolder(NO_ROWS);
  writeLearned(folder, learned);
  const reading = interpret(readWorld(folder).layouts, cars[0]?.vin ?? '');
  expect(reading?.outputs).toMatchObject({ make: 'Acme', model: cars[0]?.expected.model });
});

test('a row that cars contradict is named with its file and line, and the advice to drop it', () => {
  const folder = factsFolder(`${NO_ROWS}5,A,Anvil,B,BOOK\n`);
  const facts = readWorld(folder);
  const compiled = { decode: (vin: string) => ({ ...decoder.decode(vin), ...reportOf(vin) }) };
  const reportOf = (vin: string): object => {
    const { make, model } = interpret(facts.layouts, vin)?.outputs ?? {};
    return { ...(make !== undefined && { manufacturer: make }), ...(model !== undefined && { model }) };
  };
  const contradicted = { ...decoder, ...compiled, explain: (vin: string) => decoder.explain(vin) };
  const first = learn(fleet(500, 0), facts.layouts, contradicted).contradictions.find(({ field }) => field === 'model');
  expect(first).toMatchObject({ row: 'acme/models.csv:2', says: 'Anvil', labels: 'Rocket', advice: 'drop' });
  expect(first?.against).toBe(first?.groups);
});

test('a learned row gives way to any other, however few positions that one fixes', () => {
  const folder = factsFolder(
    'positions,code,model,confidence,source,groups\n5,A,Rocket,B,BOOK,\n4-8,RA1SA,Anvil,B,BOOK,9\n',
  );
  expect(interpret(readWorld(folder).layouts, 'ZZARA1SA01W000001')?.outputs.model).toBe('Rocket');
});

test('labels without a word of the catalog are listed with their number', () => {
  const cars = fleet(100, 0);
  for (const { expected } of cars) expected.fuelType = 'Kerosene';
  expect(learnFrom(cars).unknown).toContainEqual({ label: 'fuel: Kerosene', cars: 100 });
});

test('the output of a run is gone after the next', () => {
  const out = mkdtempSync(join(tmpdir(), 'marque-learned-'));
  writeLearned(out, learnFrom(fleet(2_000, 0)));
  const empty = learnFrom([]);
  writeLearned(out, empty);
  expect(empty.tables.size).toBe(0);
  expect(() => writeLearned(out, empty)).not.toThrow();
});
