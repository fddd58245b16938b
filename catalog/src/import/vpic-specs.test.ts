import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Decoder, openCatalog } from '@marque/decoder';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openNpmPackage } from '../../sources/vpic/npm-package.ts';
import { type DumpTable, writeVpicDump } from '../testing/vpic-dump.ts';
import { importVpic } from './vpic.ts';

const VIN = '1HGCM82633A004352';
const [HONDA, ACURA, ACCORD, CAR] = [474, 475, 1861, 2];
const [TRIM, CURB_WEIGHT, ABS, NOTE, DOORS, BED] = [38, 54, 86, 114, 14, 3];

/** Specifications by schema: their cars, and their patterns as [isKey, element, attribute]. */
const SCHEMAS: {
  make?: number;
  model?: number;
  years?: number[];
  held?: boolean;
  pattern: [isKey: boolean, element: number, attribute: string][];
}[] = [
  {
    years: [2002, 2003],
    pattern: [
      [true, TRIM, 'ex-v6'],
      [false, ABS, '1'],
      [false, CURB_WEIGHT, '3331'],
    ],
  },
  {
    pattern: [
      [false, CURB_WEIGHT, '3250'],
      [false, NOTE, 'Two keys'],
      [false, DOORS, '9'],
      [false, BED, '4'],
    ],
  },
  {
    pattern: [
      [false, NOTE, 'Two keys'],
      [false, NOTE, 'Spare wheel'],
    ],
  },
  { years: [2004], pattern: [[false, NOTE, 'another year']] },
  { make: ACURA, pattern: [[false, NOTE, 'another make']] },
  { model: 27_165, pattern: [[false, NOTE, 'another model']] },
  { held: true, pattern: [[false, NOTE, 'not yet checked by NHTSA']] },
  {
    pattern: [
      [true, TRIM, 'LX'],
      [false, NOTE, 'another trim'],
    ],
  },
];

const TABLES: DumpTable[] = [
  {
    name: 'vehiclespecschema',
    columns: ['id', 'makeid', 'vehicletypeid', 'tobeqced'],
    rows: SCHEMAS.map(({ make = HONDA, held = false }, id) => [id, make, CAR, held ? 't' : 'f']),
  },
  {
    name: 'vehiclespecschema_model',
    columns: ['id', 'vehiclespecschemaid', 'modelid'],
    rows: SCHEMAS.map(({ model = ACCORD }, id) => [id, id, model]),
  },
  {
    name: 'vehiclespecschema_year',
    columns: ['id', 'vehiclespecschemaid', 'year'],
    rows: SCHEMAS.flatMap(({ years = [] }, id) => years.map((year) => [year * 100 + id, id, year])),
  },
  {
    name: 'vspecschemapattern',
    columns: ['id', 'schemaid'],
    rows: SCHEMAS.map((_, id) => [1000 + id, id]),
  },
  {
    name: 'vehiclespecpattern',
    columns: ['id', 'vspecschemapatternid', 'iskey', 'elementid', 'attributeid'],
    rows: SCHEMAS.flatMap(({ pattern }, id) =>
      pattern.map(([isKey, element, attribute], at) => [
        id * 10 + at,
        1000 + id,
        isKey ? 't' : 'f',
        element,
        attribute,
      ]),
    ),
  },
  { name: 'abs', columns: ['id', 'name'], rows: [[1, 'Standard']] },
  {
    name: 'vinexception',
    columns: ['id', 'vin', 'checkdigit'],
    rows: [
      [1, '1HGCM82603A004352', 't'],
      [2, '1HGCM82613A004352', 'f'],
      [3, '1HGCM826!3A004352', 't'],
    ],
  },
  {
    name: 'defaultvalue',
    columns: ['id', 'elementid', 'vehicletypeid', 'defaultvalue'],
    rows: [
      [1, 4, CAR, '0'],
      [2, 61, CAR, '7'],
    ],
  },
  { name: 'vindescriptor', columns: ['id', 'descriptor', 'modelyear'], rows: [[1, '1HGCM827*3A', 2002]] },
  {
    name: 'errorcode',
    columns: ['id', 'name', 'additionalerrortext', 'weight'],
    rows: [
      [0, '0 - clean', null, 0],
      [1, '1 - check digit', null, -5],
    ],
  },
];

/** vPIC's tables are all that is looked at. */
const NO_FACTS = { regions: [], wmis: [], world: [], specs: { sources: [], driveCodes: [] } };

let folder: string;
let decoder: Decoder;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marque-specs-'));
  const [file, target] = [join(folder, 'dump.sql'), join(folder, 'marque.catalog')];
  await writeVpicDump(file, openNpmPackage(), { wmis: ['1HG'], tables: TABLES });
  const outcome = await importVpic(file, { target, known: [], project: NO_FACTS });
  if (outcome.kind === 'refused') throw new Error(outcome.reason);
  decoder = openCatalog(target, { now: () => Date.UTC(2026, 10, 1) });
});

afterAll(() => rmSync(folder, { recursive: true }));

const valuesOf = (vin: string, element: number): [value: string, id?: number][] =>
  decoder
    .vpic(vin)
    .flatMap(([id, value, valueId]) => (id !== element ? [] : [valueId === undefined ? [value] : [value, valueId]]));

test('a download with specifications of models is not a reduced set', () => {
  expect(decoder.info.sources).toContainEqual(expect.not.objectContaining({ reduced: true }));
  expect(decoder.vpicFacts.emptyGroups()).not.toContain('Active Safety System');
  expect(decoder.info.sources.some(({ reduced }) => reduced)).toBe(false);
});

test('specifications fill fields that the VIN lacks, by make, model, year and key, with the number of a value that is looked up', () => {
  expect(valuesOf(VIN, ABS)).toEqual([['Standard', 1]]);
  expect(valuesOf('1HGCM82634A004352', ABS)).toEqual([]);
});

test('specifications replace nothing, come before defaults, and of two values the first in the order of texts counts', () => {
  expect(valuesOf(VIN, DOORS)).toEqual([['2']]);
  expect(valuesOf(VIN, BED)).toHaveLength(1);
  expect(valuesOf(VIN, CURB_WEIGHT)).toEqual([['3250']]);
});

test('of elements that may have several values every one is given once', () => {
  expect(valuesOf(VIN, NOTE)).toEqual([['Two keys'], ['Spare wheel']]);
});

test('a VIN whose wrong check digit NHTSA accepts is clean; others keep their error', () => {
  const ERROR_CODE = 143;
  expect(valuesOf('1HGCM82603A004352', ERROR_CODE)).toEqual([['0']]);
  expect(valuesOf('1HGCM82613A004352', ERROR_CODE)).toEqual([['1']]);
  expect(valuesOf('1HGCM82623A004352', ERROR_CODE)).toEqual([['1']]);
});

test("the download's own defaults, fixed years and texts of errors are taken in place of ours", () => {
  expect(valuesOf(VIN, 4)).toEqual([['Not Applicable', 0]]);
  expect(valuesOf(VIN, 61)).toEqual([['7']]);
  expect(valuesOf(VIN, 116)).toEqual([]);
  expect(valuesOf('1HGCM82763A004352', 29)).toEqual([['2002']]);
  expect(valuesOf(VIN, 191)).toEqual([['0 - clean']]);
});
