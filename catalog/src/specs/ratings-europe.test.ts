import { expect, test } from 'vitest';

import { loadWorld } from '../world/load.ts';
import type { SpecRow } from './columns.ts';
import { loadSpecs } from './load.ts';

const { sources } = loadSpecs();
const rowsOf = (id: string): readonly SpecRow[] => sources.find((source) => source.id === id)?.rows ?? [];
const ratings = rowsOf('ratings-europe');

const TOLERANCE = 0.03;
/** Lists round displacements to a tenth of a liter. */
const ROUNDING_CC = 60;

/** Makes that build each other's engines. */
const KIN: readonly (readonly string[])[] = [
  ['Volkswagen', 'Audi', 'Skoda', 'SEAT', 'Cupra'],
  ['Peugeot', 'Citroen', 'DS', 'Opel', 'Vauxhall'],
  ['Peugeot', 'Citroen', 'Mitsubishi'],
  ['Ford', 'Volvo', 'Mazda', 'Land Rover', 'Jaguar', 'Peugeot', 'Citroen'],
  ['Renault', 'Dacia', 'Nissan', 'Mercedes-Benz', 'smart'],
  ['Mercedes-Benz', 'SsangYong'],
  ['Daewoo', 'Chevrolet', 'ZAZ', 'Opel'],
  ['Hyundai', 'Kia'],
  ['BMW', 'MINI'],
  ['Toyota', 'Lexus'],
];

interface Engine {
  make: string;
  model: string;
  fuel: string;
  cc: number;
  powerKw: number;
}

/** The engines whose power official lists, the press and sourced facts about VINs give; 0: the size is not given. */
const known: readonly Engine[] = [
  ...['vca', 'ademe-2014', 'ademe-2024', 'epa', 'press'].flatMap(rowsOf).map((row) => ({
    make: row.make,
    model: row.model,
    fuel: row.fuel === 'Flex fuel' ? 'Gasoline' : (row.fuel ?? ''),
    cc: row.cc ?? litersOf(row.badge) * 1000,
    powerKw: row.powerKw ?? 0,
  })),
  ...loadWorld().flatMap(({ make, rows }) =>
    rows
      .filter(({ confidence }) => confidence === 'A' || confidence === 'B')
      .map(({ outputs }) => ({
        make: outputs.make ?? make ?? '',
        model: '',
        fuel: '',
        cc: outputs.displacementCc ?? 0,
        powerKw: outputs.powerKw ?? 0,
      })),
  ),
].filter(({ powerKw }) => powerKw !== 0);
const byPower = Map.groupBy(known, ({ powerKw }) => powerKw);

function litersOf(badge = ''): number {
  return Number(/\b[0-9][.,][0-9](?![0-9])/.exec(badge)?.[0].replace(',', '.') ?? 0);
}

function isKin(a: string, b: string): boolean {
  return a === b || KIN.some((makes) => makes.includes(a) && makes.includes(b));
}

/**
 * Returns true if a list has the model with this power, or an engine of this size and power of the makes that share
 * engines.
 */
function isBorneOut({ make, model, fuel, cc = 0, powerKw = 0 }: SpecRow): boolean {
  const margin = powerKw * TOLERANCE;
  for (let kw = Math.ceil(powerKw - margin); kw <= powerKw + margin; kw++) {
    const found = (byPower.get(kw) ?? []).some((other) => {
      if (other.fuel !== '' && other.fuel !== fuel) return false;
      const isSize = cc !== 0 && other.cc !== 0 && Math.abs(other.cc - cc) <= ROUNDING_CC;
      if (other.make === make && other.model === model && (isSize || cc === 0 || other.cc === 0)) return true;
      return isSize && isKin(other.make, make);
    });
    if (found) return true;
  }
  return false;
}

function isOfEngine(row: SpecRow, other: SpecRow): boolean {
  const columns = ['make', 'model', 'badge', 'generation', 'vin', 'fuel', 'cc'] as const;
  return columns.every((column) => row[column] === other[column]);
}

/**
 * Returns true if another power of the same engine, confirmed and far off, keeps the row's from being answered in all
 * of its years.
 */
function isContested(row: SpecRow, rows: readonly SpecRow[]): boolean {
  for (let year = row.from; year <= row.to; year++) {
    const hasRival = rows.some((other) => {
      const [low = 0, high = 0] = [row.powerKw ?? 0, other.powerKw ?? 0].toSorted((a, b) => a - b);
      return other.from <= year && year <= other.to && high > low * 1.05 && isBorneOut(other);
    });
    if (!hasRival) return false;
  }
  return true;
}

test('a European power that is answered is one that an official list or a sourced fact has of that engine, within 3 %', () => {
  const families = Map.groupBy(ratings, ({ make, model }) => `${make}|${model}`);
  const alone = ratings.filter((row) => {
    if (isBorneOut(row)) return false;
    const family = families.get(`${row.make}|${row.model}`) ?? [];
    return !isContested(
      row,
      family.filter((other) => isOfEngine(row, other)),
    );
  });
  expect(
    alone.map(({ make, model, generation, cc, powerKw }) => `${make} ${model} ${generation} ${cc}: ${powerKw}`),
  ).toEqual([]);
});
