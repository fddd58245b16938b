import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CatalogFormatError, withOverlay } from '@marque/decoder';
import { beforeAll, expect, test } from 'vitest';

import type { LabeledVin } from '../../labels/labeled.ts';
import { worldCatalog } from '../../testing/world-catalog.ts';
import { loadWorld } from '../../world/load.ts';
import { learn } from './learn.ts';
import { compileOverlay, type Overlay } from './overlay.ts';
import { catalogFleet } from './testing/catalog-fleet.ts';
import { writeLearned } from './write.ts';

const MAKERS = ['skoda', 'mazda', 'seat', 'suzuki'];
const LEFT_OUT = 'skoda/';
const CARS = 20_000;
const UNSEEN = 2_000;

const whole = loadWorld().filter(({ id }) => MAKERS.some((maker) => id.startsWith(`${maker}/`)));
const known = whole.filter(({ id }) => !id.startsWith(LEFT_OUT));
const all = worldCatalog(whole);
const base = worldCatalog(known);

let overlay: Overlay;

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'marque-overlay-'));
  writeLearned(folder, learn(catalogFleet(whole, all, { cars: CARS, wrongShare: 0.01 }), known, base));
  overlay = compileOverlay(folder, known, '2026-11-22');
});

/** Cars of the same types that the overlay was not learned from, all labeled right. */
function unseen(): LabeledVin[] {
  const cars = [...catalogFleet(whole, all, { cars: CARS + UNSEEN, typesOf: CARS, wrongShare: 0 })];
  return cars.slice(CARS);
}

/** Counts the kinds of cars: a kind of which the fleet has many counts once, since it alone proves no pattern. */
function kindsOf(cars: readonly { vin: string }[]): number {
  return new Set(cars.map(({ vin }) => vin.slice(0, 8))).size;
}

test('a maker that the catalog lacks comes back from labeled cars, and their wrong labels do not', () => {
  const decoder = withOverlay(base, overlay.bytes);
  const cars = unseen().map(({ vin, expected }) => ({ vin, model: expected.model, make: expected.manufacturer }));
  const lost = cars.filter(({ vin }) => base.decode(vin).model === undefined);
  const back = lost.filter(({ vin }) => decoder.decode(vin).model !== undefined);
  const wrong = back.filter(({ vin, model, make }) => {
    const report = decoder.decode(vin);
    return report.model !== model || report.manufacturer !== make;
  });
  expect(lost.length).toBeGreaterThan(UNSEEN / 20);
  expect(kindsOf(back) / kindsOf(lost)).toBeGreaterThan(0.8);
  expect(kindsOf(wrong) / kindsOf(back)).toBeLessThan(0.02);
});

test("the catalog's answers stay as they were", () => {
  const decoder = withOverlay(base, overlay.bytes);
  const changed = unseen().filter(({ vin }) => {
    const [before, after] = [base.decode(vin), decoder.decode(vin)];
    return before.model !== undefined && (before.model !== after.model || before.manufacturer !== after.manufacturer);
  });
  expect(changed).toEqual([]);
});

test('the catalog under it has another version, and lists it among its sources', () => {
  const decoder = withOverlay(base, overlay.bytes);
  expect(decoder.info.hash).not.toBe(base.info.hash);
  expect(decoder.info.sources).toContainEqual(expect.objectContaining({ id: 'learned', imported: '2026-11-22' }));
  expect(decoder.info.worldRows).toBe(base.info.worldRows + overlay.rows);
});

test('a folder without rows, and bytes that are not an overlay, are refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'marque-overlay-'));
  expect(() => compileOverlay(folder, known, '2026-11-22')).toThrow('holds no rows');
  expect(() => compileOverlay(join(folder, 'none'), known, '2026-11-22')).toThrow('There is no folder');
  expect(() => withOverlay(base, new Uint8Array(64))).toThrow(CatalogFormatError);
});

test('a row that no layout takes is refused, as are a column that comes twice and one of JavaScript', () => {
  const header = 'positions,code,layout,model,confidence,source';
  const row = '4-5,BM,nolayout,Mazda3,B,LEARNED';
  expect(() => compileOne(header, row)).toThrow('mazda/learned.csv:2: no layout of mazda takes this row');
  expect(() => compileOne(`${header},model`, `${row},Mazda6`)).toThrow('two columns are called "model": remove one');
  expect(() => compileOne(`${header},__proto__`, `${row},x`)).toThrow('no column is called "__proto__"');
});

/** Compiles a folder whose one table has a header and a row. */
function compileOne(header: string, row: string): Overlay {
  const folder = mkdtempSync(join(tmpdir(), 'marque-overlay-'));
  mkdirSync(join(folder, 'mazda'));
  writeFileSync(join(folder, 'mazda', 'learned.csv'), `${header}\n${row}\n`);
  return compileOverlay(folder, known, '2026-11-22');
}
