import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { hasValidCheckDigit, requiresCheckDigit } from '@marque/decoder';
import { describe, expect, test } from 'vitest';

import { csvRecords } from '../../csv.ts';
import { readLabeled } from '../../labels/labeled.ts';
import { CATALOG_ROOT } from '../../root.ts';
import { EVALUATION, labeledSets } from '../../labels/sets.ts';

const readme = readFileSync(join(EVALUATION, 'README.md'), 'utf8');
const names = readdirSync(EVALUATION).filter((name) => name.endsWith('.jsonl'));

test('every set is measured', () => {
  const measured = labeledSets().map((file) => basename(file));
  expect(names.length).toBeGreaterThan(0);
  expect(measured).toEqual(expect.arrayContaining(names));
});

describe.each(names)('%s', (name) => {
  const cars = readLabeled(join(EVALUATION, name));

  test('has no whole VIN, and none twice', () => {
    expect(cars.map(({ vin }) => vin).filter((vin) => !vin.endsWith('000'))).toEqual([]);
    expect(new Set(cars.map(({ vin }) => vin)).size).toBe(cars.length);
  });

  test('has as many VINs as its README states', () => {
    expect(readme).toContain(`| \`${name}\``);
    const count = new RegExp(String.raw`\| \`${name}\` +\| +([\d,]+) +\|`).exec(readme)?.[1];
    expect(count).toBe(cars.length.toLocaleString('en-US'));
  });

  test('labels every VIN', () => {
    expect(cars.filter(({ expected }) => Object.keys(expected).length === 0)).toEqual([]);
  });
});

test('a VIN of North America has the check digit of its remaining characters', () => {
  const american = readLabeled(join(EVALUATION, 'na.jsonl')).filter(({ vin }) => requiresCheckDigit(vin));
  expect(american.length).toBeGreaterThan(1_000);
  expect(american.filter(({ vin }) => !hasValidCheckDigit(vin))).toEqual([]);
});

test('every verdict on a wrong answer is about a VIN of the sets', () => {
  const file = join(CATALOG_ROOT, 'facts', 'labelled', 'verdicts.csv');
  const starts = new Set(labeledSets().flatMap((set) => readLabeled(set).map(({ vin }) => vin.slice(0, 11))));
  const verdicts = csvRecords(readFileSync(file, 'utf8'), file);
  expect(verdicts.filter(({ vin = '' }) => !starts.has(vin))).toEqual([]);
  const wrongLabels = verdicts.filter(({ verdict }) => verdict === 'label').length;
  expect(readme).toContain(`${wrongLabels} labels`);
});
