import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Decoder, openCatalog } from '@marque/decoder';
import { beforeAll, describe, expect, test } from 'vitest';

import { readFamilies } from '../../sources/specs/vocabulary.ts';
import { ensureCatalog, type ProjectFacts, readProjectFacts } from '../build.ts';
import { importedTables } from '../imported.ts';
import type { LabeledVin } from '../labels/labeled.ts';
import { specFactsFolder } from '../specs/load.ts';
import { astraFile, type AstraRecord } from '../testing/astra-file.ts';
import { importRegister, type RegisterOutcome } from './register.ts';
import { removeImport } from './maintenance.ts';
import { importVpic } from './vpic.ts';

const home = mkdtempSync(join(tmpdir(), 'imports-'));
/** The makers of the VINs that are decoded here: each import compiles all facts that it is given. */
const MAKERS = /^(?:bmw|honda|renault|skoda|volkswagen)\//;
const MAKES = new Set(['BMW', 'Honda', 'Renault', 'Skoda', 'Volkswagen']);
const project = factsOfMakers(readProjectFacts());
const families = readFamilies(new URL('names.csv', specFactsFolder()), project.world);
/** VINs that answers are compared for. */
const labeled = ['XYR55T1R820000001', 'WVWZZZ1KZ8W000001', '1HGCM82633A004352'].map((vin): LabeledVin => ({
  vin,
  expected: {},
  yearBasis: 'model-year',
}));
const places = { target: join(home, 'marque.catalog'), folder: join(home, 'imports'), project, families, labeled };

/** A VIN with an unknown code of its maker: only the import identifies it. */
const UNKNOWN = 'XYZAB1C9800000001';
/** A Volkswagen Passat whose VIN does not give the body. */
const PASSAT = 'WVWZZZ3CZ8E000001';
/** A Škoda Octavia whose VIN gives the model and not the weights. */
const OCTAVIA = 'TMBJJ7NE8H0123456';

const APPROVAL: AstraRecord = {
  Typengenehmigungsnummer: '1SA123',
  '03 Fahrzeugklasse': 'M1',
  '04 Marke': 'ŠKODA',
  '04 Typ': 'Octavia 1.4 TSI',
  '06 Vorziffer': 'XYZAB1C..........',
  '07 Karosserieform': 'Cabriolet',
  '17 Achsantrieb': 'V',
  '18 Getriebe 1': 'm6',
  '26 Bauart Treibstoff': 'B',
  '27 Hubraum': '1395',
  '28 Leistung kW': '110',
  '40 Länge von': '4670',
  '52 Leergewicht von': '1345',
  '53 Garantiegewicht von': '1842',
};

const OCTAVIA_APPROVAL: AstraRecord = {
  ...APPROVAL,
  '06 Vorziffer': 'TMB.J7NE.........',
  '04 Typ': 'Octavia 2.0 TDI',
  '07 Karosserieform': 'Stationswagen',
  '26 Bauart Treibstoff': 'D',
  '27 Hubraum': '1968',
  '40 Länge von': '',
  '53 Garantiegewicht von': '1855',
};

const PASSAT_APPROVAL: AstraRecord = {
  Typengenehmigungsnummer: '',
  '03 Fahrzeugklasse': 'M1',
  '04 Marke': 'VW',
  '04 Typ': 'Passat Variant 2.0 TDI',
  '06 Vorziffer': 'WVWZZZ3CZ........',
  '07 Karosserieform': 'Stationswagen',
};

const APPROVALS: readonly AstraRecord[] = [
  APPROVAL,
  // A second type of the same pattern: another gearbox, a weight within reach, a power that is not.
  {
    ...APPROVAL,
    Typengenehmigungsnummer: '1SA124',
    '18 Getriebe 1': 'm5',
    '28 Leistung kW': '85',
    '52 Leergewicht von': '1365',
  },
  // A pattern that fixes more gives the same for fewer cars.
  { ...APPROVAL, Typengenehmigungsnummer: '1SA125', '04 Typ': 'Fabia', '06 Vorziffer': 'XYZAB1C98........' },
  { ...OCTAVIA_APPROVAL, Typengenehmigungsnummer: '1SA126' },
  // Approvals of an Octavia whose engine the VIN rules out, and of another model.
  { ...OCTAVIA_APPROVAL, Typengenehmigungsnummer: '1SA127', '27 Hubraum': '1598', '53 Garantiegewicht von': '2100' },
  { ...OCTAVIA_APPROVAL, Typengenehmigungsnummer: '1SA128', '04 Typ': 'Superb', '06 Vorziffer': 'TMB.J7NE8........' },
  // Fixes too little to identify a model by itself.
  { ...APPROVAL, Typengenehmigungsnummer: '1SA129', '06 Vorziffer': 'XYWAB............' },
  // Estates of a model that its VIN gives, and a body that it never had.
  { ...PASSAT_APPROVAL, Typengenehmigungsnummer: '1VC001' },
  { ...PASSAT_APPROVAL, Typengenehmigungsnummer: '1VC002', '07 Karosserieform': 'Pick-up' },
];

const HEADER =
  'ajoneuvoluokka;kayttoonottopvm;korityyppi;omamassa;teknSuurSallKokmassa;ajonKokPituus;ajonLeveys;ajonKorkeus;kayttovoima;' +
  'iskutilavuus;suurinNettoteho;merkkiSelvakielinen;vaihteisto;vaihteidenLkm;kaupallinenNimi;valmistenumero2';
const REGISTERED = 'M1;20170301;AC;1345;1842;4670;1814;1461;01;1395;110;Skoda;1;6;OCTAVIA;XYR55T1R82';

function factsOfMakers({ world, specs, ...others }: ProjectFacts): ProjectFacts {
  const sources = specs.sources.map((source) => ({
    ...source,
    rows: source.rows.filter(({ make }) => MAKES.has(make)),
  }));
  return { ...others, world: world.filter(({ id }) => MAKERS.test(id)), specs: { ...specs, sources } };
}

function write(name: string, bytes: string | Buffer): string {
  const file = join(home, name);
  writeFileSync(file, bytes);
  return file;
}

/** Returns the files that an import has left in place. */
function state(): string[] {
  return [places.target, join(places.folder, 'list.csv')].map((file) => hash('sha256', readFileSync(file)));
}

let before: Decoder;
let approvals: Decoder;
let both: Decoder;

let outcomes: RegisterOutcome[];

beforeAll(async () => {
  before = openCatalog(ensureCatalog().file);
  const now = new Date('2026-11-20T23:00:00Z');
  const astra = write('TG-Automobil.txt', astraFile(APPROVALS));
  outcomes = [await importRegister('astra', [astra], { ...places, now })];
  approvals = openCatalog(places.target);
  const traficom = write('traficom.csv', `${[HEADER, REGISTERED, REGISTERED, REGISTERED].join('\n')}\n`);
  outcomes.push(await importRegister('traficom', [traficom], { ...places, now }));
  both = openCatalog(places.target);
}, 300_000);

test('an import reports the number of records it used', () => {
  const { target: file } = places;
  expect(outcomes).toEqual([
    { kind: 'imported', file, records: 9, taken: 9, variants: 0, approvals: 9, refused: [] },
    { kind: 'imported', file, records: 3, taken: 3, variants: 1, approvals: 1, refused: [], impact: expect.anything() },
  ]);
});

test('an import reports the fields for which the share of European VINs with an answer rises', () => {
  const [, traficom] = outcomes;
  const impact = traficom?.kind === 'imported' ? traficom.impact : undefined;
  expect(impact).toMatchObject({ vins: 2, changed: 0, changes: [] });
  expect(impact?.gains).toContainEqual({ field: 'specs.powerKw', before: 0, after: 1 });
  expect(impact?.gains).toContainEqual({ field: 'model', before: 1, after: 2 });
});

describe('a VIN that matches imported patterns', () => {
  test('has a model where no reading knows one: that of the pattern that fixes most', () => {
    expect(before.decode(UNKNOWN)).not.toHaveProperty('model');
    expect(approvals.decode(UNKNOWN)).toMatchObject({
      manufacturer: 'Skoda',
      model: 'Fabia',
      bodyStyle: 'Convertible',
    });
  });

  test('has no model from a pattern that fixes little', () => {
    expect(approvals.decode('XYWAB000000000001')).not.toHaveProperty('model');
  });

  test('has the model of the pattern that fits it, after any earlier decodes', () => {
    for (const ninth of ['9', '8', '0', '9', '8']) {
      const vin = `XYZAB1C9${ninth}00000001`.slice(0, 17);
      const model = ninth === '8' ? 'Fabia' : 'Octavia';
      expect(approvals.decode(vin).model).toBe(model);
      expect(approvals.explain(vin).report.model).toBe(model);
    }
  });

  test('has what all its types agree on, and nothing that they do not', () => {
    const report = approvals.decode('XYZAB1C0000000001');
    expect(report).toMatchObject({ model: 'Octavia', bodyStyleNormalized: 'cabrio' });
    expect(report.specs).toEqual({
      engine: '1.4 L, gasoline',
      fuelType: 'Gasoline',
      transmission: 'Manual',
      driveType: 'Front-wheel drive',
      displacementCc: 1395,
    });
    expect(report.technicalSpecs).toMatchObject({ lengthMm: 4670, curbWeightKg: 1270, grossWeightKg: 1842 });
  });

  test('keeps all values decoded from its own VIN: types of another model are left out', () => {
    const [known, now] = [before.decode(OCTAVIA), approvals.decode(OCTAVIA)];
    expect(known).toMatchObject({ model: 'Octavia' });
    const specs = { ...known.specs, transmission: 'Manual, 6-speed' };
    const technicalSpecs = { ...known.technicalSpecs, curbWeightKg: 1270, grossWeightKg: 1855 };
    expect(now).toEqual({ ...known, specs, technicalSpecs });
  });

  test('has one of the bodies that its reading left possible, not another', () => {
    const possible = ['Sedan', 'Station wagon'];
    expect(before.decode(PASSAT)).toMatchObject({ model: 'Passat', possibleBodyStyles: possible });
    expect(approvals.decode(PASSAT)).toMatchObject({ model: 'Passat', bodyStyle: 'Station wagon' });
    expect(approvals.decode(PASSAT)).not.toHaveProperty('possibleBodyStyles');
  });

  test('has evidence: the source, the pattern, and how many types it allows', () => {
    const { fields } = approvals.explain('XYZAB1C0000000001');
    expect(fields.find(({ field }) => field === 'specs.displacementCc')?.rows).toEqual([
      {
        value: '1395',
        source: 'Swiss type approvals (ASTRA)',
        row: 'XYZAB1C.......... · all 2 types that the VIN allows',
        positions: [1, 2, 3, 4, 5, 6, 7],
        confidence: 'B',
      },
    ]);
  });
});

describe('imports', () => {
  test('add up: the catalog has the data of each source, and names them with their days', () => {
    expect(both.decode(UNKNOWN)).toEqual(approvals.decode(UNKNOWN));
    expect(both.decode('XYR55T1R820000001')).toMatchObject({ model: 'Octavia', specs: { powerKw: 110 } });
    expect(both.info).toMatchObject({ approvalRows: 10 });
    expect(both.info.sources.slice(1)).toEqual([
      { id: 'astra', title: 'Swiss type approvals (ASTRA)', imported: '2026-11-20' },
      { id: 'traficom', title: 'Finnish vehicle register (Traficom)', imported: '2026-11-20' },
    ]);
  });

  test('leave every other VIN as it was', () => {
    for (const vin of ['1HGCM82633A004352', 'WVWZZZ1KZ8W000001', 'WBAVP11000A000001', 'VF1CB0FCF28000001']) {
      expect(both.decode(vin)).toEqual(before.decode(vin));
    }
  });

  test('that are previewed change nothing, and report the answers of the catalog they would change', async () => {
    const kept = state();
    const other = REGISTERED.replace('OCTAVIA', 'FABIA').replace(';110;', ';85;');
    const file = write('next.csv', `${[HEADER, other, other, other].join('\n')}\n`);
    const preview = await importRegister('traficom', [file], { ...places, preview: true });
    expect(preview).toMatchObject({ kind: 'imported', records: 3, variants: 1 });
    const mask = 'XYR55T1R82.......';
    expect(preview.kind === 'imported' && preview.impact?.changes).toEqual([
      { mask, field: 'model', before: 'Octavia', after: 'Fabia', patterns: 1 },
      { mask, field: 'powerKw', before: '110', after: '85', patterns: 1 },
    ]);
    expect(state()).toEqual(kept);
  }, 180_000);

  test('are listed with their records and fields', () => {
    const [astra, traficom] = importedTables(places.folder);
    expect(astra).toMatchObject({ id: 'astra', imported: '2026-11-20', records: 9 });
    // Two approvals give only the body.
    expect(astra?.fields).toContainEqual({ field: 'cc', rows: 7 });
    expect(traficom).toMatchObject({ id: 'traficom', records: 3 });
    // One row of a variant, one of a type.
    expect(traficom?.fields).toContainEqual({ field: 'powerKw', rows: 2 });
  });

  test('that are refused change nothing', async () => {
    const kept = state();
    const file = write('strange.txt', 'a\tb\n1\t2\n');
    expect(await importRegister('astra', [file], places)).toMatchObject({ kind: 'refused' });
    expect(state()).toEqual(kept);
  });

  test('are taken out again one by one: a removal or an import beside another one is refused', async () => {
    expect(await removeImport('rdw', places)).toEqual({ kind: 'refused', reason: 'Nothing was imported as rdw.' });
    const traficom = join(home, 'traficom.csv');
    const [removed, ...others] = await Promise.all([
      removeImport('astra', places),
      removeImport('traficom', places),
      importRegister('traficom', [traficom], places),
      importVpic(traficom, places),
    ]);
    expect(removed).toEqual({ kind: 'rebuilt', file: places.target });
    for (const other of others) {
      expect(other).toEqual({ kind: 'refused', reason: expect.stringContaining('is under way') });
    }
    const left = openCatalog(places.target);
    expect(left.decode(UNKNOWN)).toEqual(before.decode(UNKNOWN));
    expect(left.decode('XYR55T1R820000001')).toEqual(both.decode('XYR55T1R820000001'));
    expect(left.info.sources.map(({ id }) => id)).toEqual(['vpic', 'traficom']);
  }, 180_000);
});
