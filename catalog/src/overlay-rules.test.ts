import { withOverlay } from '@marque/decoder';
import { OVERLAY, writeContainer } from '@marque/decoder/format';
import { expect, test } from 'vitest';

import type { Sections } from './binary/sections.ts';
import { StringTable } from './binary/string-table.ts';
import { worldCatalog } from './testing/world-catalog.ts';
import { compileWmis } from './wmi/wmis.ts';
import { compileWorld } from './world/compile.ts';
import { loadWorld } from './world/load.ts';
import type { VinLayout } from './world/model.ts';
import { factsFolder } from './world/testing/facts-folder.ts';

const HEADER = 'positions,code,from,to,make,model,body,fuel,confidence,source';

function layouts(rows: readonly string[], wmi = 'ZZA', name = 'row'): readonly VinLayout[] {
  const yaml = `about: x
layouts:
  - {name: ${name}, about: x, make: Acme, wmis: [${wmi}], year: position-10, check_digit: none, tables: [models.csv]}
`;
  return loadWorld(factsFolder([HEADER, ...rows, ''].join('\n'), { 'acme/layouts.yaml': yaml }));
}

/** Returns a decoder of a catalog with the rows, with those of an overlay over it. */
function overlaid(base: readonly VinLayout[], over: readonly VinLayout[]) {
  return withOverlay(worldCatalog(base), overlayOf(over));
}

function overlayOf(over: readonly VinLayout[]): Uint8Array {
  const strings = new StringTable();
  const sections: Sections = new Map();
  compileWmis([], [], compileWorld(over, strings, sections), strings, sections);
  const meta = { kind: OVERLAY, hash: 'abc', worldRows: 1, sources: '[]' };
  return writeContainer(meta, new Map([...strings.sections(), ...sections]));
}

const ROCKET = layouts(['4-5,AB,,,,Rocket,,Diesel,B,BOOK']);

test('an overlay adds rows to a layout of the catalog, by its name', () => {
  const decoder = overlaid(ROCKET, layouts(['4-5,CD,,,,Anvil,,,B,BOOK']));
  expect(decoder.decode('ZZACD000041000001')).toMatchObject({ manufacturer: 'Acme', model: 'Anvil' });
  expect(decoder.decode('ZZAAB000041000001')).toMatchObject({ model: 'Rocket', specs: { fuelType: 'Diesel' } });
});

test('an overlay adds a layout, and the WMI that only it has', () => {
  const decoder = overlaid(ROCKET, layouts(['4-5,AB,,,,Anvil,,,B,BOOK'], 'ZZB', 'other'));
  expect(decoder.decode('ZZBAB000041000001')).toMatchObject({ manufacturer: 'Acme', model: 'Anvil' });
  expect(decoder.decode('ZZAAB000041000001').model).toBe('Rocket');
  expect(worldCatalog(ROCKET).decode('ZZBAB000041000001').model).toBeUndefined();
});

test("a row of an overlay that contradicts the catalog's is not answered, however many positions it fixes", () => {
  const decoder = overlaid(ROCKET, layouts(['4-5,AB,,,,Anvil,,Diesel,B,BOOK', '4-6,ABC,,,,Anvil,,,B,BOOK']));
  expect(decoder.decode('ZZAAB000041000001')).toMatchObject({ model: 'Rocket', specs: { fuelType: 'Diesel' } });
  expect(decoder.decode('ZZAABC00041000001')).toMatchObject({ model: 'Rocket', specs: { fuelType: 'Diesel' } });
  expect(decoder.explain('ZZAABC00041000001').report.model).toBe('Rocket');
  expect(decoder.candidates('ZZAABC00041000001').report.model).toBe('Rocket');
});

test('an overlay over another one keeps the answers of both', () => {
  const first = withOverlay(worldCatalog(ROCKET), overlayOf(layouts(['4-6,ABC,,,,,wagon,,B,BOOK'])));
  const second = withOverlay(first, overlayOf(layouts(['4-6,ABC,,,,Anvil,,,B,BOOK', '4-7,ABCD,,,,,sedan,,B,BOOK'])));
  for (const vin of ['ZZAABC00041000001', 'ZZAABCD0041000001']) {
    expect(second.decode(vin)).toMatchObject({ model: 'Rocket', bodyStyleNormalized: 'wagon' });
  }
});

test('a position at which only a row of the overlay looks distinguishes VINs in the cache of reports', () => {
  const decoder = overlaid(ROCKET, layouts(['4-5+12,AB7,,,,,wagon,,B,BOOK']));
  expect(decoder.decode('ZZAAB000041000001').bodyStyleNormalized).toBe('unknown');
  expect(decoder.decode('ZZAAB000041700001').bodyStyleNormalized).toBe('wagon');
  expect(decoder.decode('ZZAAB000041000001').bodyStyleNormalized).toBe('unknown');
});

test('a position at which only a layout of the overlay looks distinguishes VINs of its own WMI', () => {
  const decoder = overlaid(
    ROCKET,
    layouts(['4-5,AB,,,,Anvil,,,B,BOOK', '4-5+12,AB7,,,,Anvil Plus,,,B,BOOK'], 'ZZB', 'other'),
  );
  expect(decoder.decode('ZZBAB000041000001').model).toBe('Anvil');
  expect(decoder.decode('ZZBAB000041700001').model).toBe('Anvil Plus');
});
