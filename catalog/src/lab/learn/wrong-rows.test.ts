import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Decoder, openCatalog, type VehicleReport, withOverlay } from '@marque/decoder';
import { beforeAll, expect, test } from 'vitest';

import { catalogFile } from '../../root.ts';
import { randomFrom } from '../../testing/random.ts';
import type { TableRow } from '../../world/columns.ts';
import { loadWorld } from '../../world/load.ts';
import { compileOverlay } from './overlay.ts';
import { LEARNED_SOURCE } from './rows.ts';
import { catalogFleet } from './testing/catalog-fleet.ts';
import { writeLearned } from './write.ts';

const CARS = 6_000;
const ROWS = 1_500;

/** Values that are wrong for nearly all cars, by the column of a row. */
const WRONG: Partial<Record<keyof TableRow, readonly (string | number)[]>> = {
  model: ['Rocket', 'E-Class', 'Octavia'],
  generation: ['IV', 'W211'],
  model_year: [1996, 2003, 2018],
  body: ['wagon', 'sedan', 'van', 'suv', 'truck', 'motorcycle'],
  fuel: ['Diesel', 'Electric', 'Gasoline'],
  cc: [1197, 2993],
  kw: [63, 250],
  drive: ['AWD', 'RWD'],
  transmission: ['Manual, 5-speed'],
};

const world = loadWorld();
const now = { now: () => Date.UTC(2026, 10, 1) };
const base = openCatalog(catalogFile(), now);
const fleet = [...catalogFleet(world, base, { cars: CARS, wrongShare: 0 })].map(({ vin }) => vin);
let learned: Decoder;

beforeAll(() => {
  const random = randomFrom(7);
  const tables = new Map<string, TableRow[]>();
  const columns = Object.entries(WRONG);
  for (const vin of fleet.slice(0, ROWS)) {
    const [, maker, name] = /([a-z0-9-]+)\/([a-z0-9-]+)$/.exec(base.explain(vin).reading) ?? [];
    if (maker === undefined || name === undefined) continue;
    const [column = '', values = []] = columns[random(columns.length)] ?? [];
    const [positions, code] = random(2) === 0 ? ['4-8', vin.slice(3, 8)] : ['4-6', vin.slice(3, 6)];
    const row = {
      layout: name,
      positions,
      code,
      confidence: 'A',
      source: LEARNED_SOURCE,
      vins: 99,
      groups: 9,
      against: 0,
    };
    const rows = tables.get(maker) ?? [];
    tables.set(maker, rows);
    rows.push({ ...row, [column]: values[random(values.length)] } as TableRow);
  }
  const folder = mkdtempSync(join(tmpdir(), 'marque-wrong-'));
  writeLearned(folder, { tables, layouts: [] });
  learned = withOverlay(base, compileOverlay(folder, world, '2026-11-30').bytes);
});

/** Returns the answers of a report by their paths; open ones are left out. */
function answersOf(report: VehicleReport): Map<string, unknown> {
  const { specs = {}, technicalSpecs = {}, ...top } = report;
  const paths = [top, specs, technicalSpecs].flatMap((group) => Object.entries(group));
  return new Map(paths.filter(([, value]) => value !== 'unknown'));
}

/** Returns the answers that another report lacks or changes: those that docs/learning.md does not except. */
function overruled(before: VehicleReport, after: VehicleReport): string[] {
  const now = answersOf(after);
  return [...answersOf(before)].flatMap(([field, value]) => {
    const other = now.get(field);
    if (JSON.stringify(value) === JSON.stringify(other)) return [];
    const isRefined =
      before.bodyStyle === undefined && after.bodyStyle !== undefined && field === 'possibleBodyStyles'
        ? before.possibleBodyStyles?.includes(after.bodyStyle)
        : field === 'vehicleType' &&
          value === 'Passenger car' &&
          before.bodyStyle === undefined &&
          ['SUV', 'Van', 'Pickup'].includes(String(other));
    if (other !== undefined && field === 'engine') return [];
    return isRefined === true ? [] : [`${before.vin} ${field}: ${String(value)} > ${String(other)}`];
  });
}

test('wrong learned rows add to open fields, and take no answer away nor change one', () => {
  const found = fleet.flatMap((vin) => overruled(base.decode(vin), learned.decode(vin)));
  expect(found).toEqual([]);
  const more = fleet.filter((vin) => answersOf(learned.decode(vin)).size > answersOf(base.decode(vin)).size);
  expect(more.length).toBeGreaterThan(CARS / 100);
});

test('the evidence is that of the report', () => {
  for (const vin of fleet.slice(0, ROWS)) expect(learned.explain(vin).report).toEqual(learned.decode(vin));
});

test('candidates of whole and of masked VINs keep the answers, too, also with a hint', () => {
  const some = fleet.slice(0, ROWS / 5);
  for (const vin of some) expect(learned.candidates(vin).report).toEqual(learned.decode(vin));
  const masked = some.map((vin) => `${vin.slice(0, 11)}******`);
  for (const [vins, hints] of [[masked, {}] as const, [some, { fuelType: 'Gasoline' }] as const]) {
    const found = vins.flatMap((vin) =>
      overruled(base.candidates(vin, hints).report, learned.candidates(vin, hints).report),
    );
    expect(found).toEqual([]);
  }
});
