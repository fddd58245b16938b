import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { openSpecs } from '@marque/decoder/format';
import { describe, expect, test } from 'vitest';

import { Families } from '../../sources/specs/names.ts';
import type { RegisterName } from '../../sources/specs/registers.ts';
import type { SpecRow } from '../specs/columns.ts';
import { importRegister, readRegister } from './register.ts';

const families = new Families(
  [
    { make: 'Skoda', model: 'Octavia', badges: [] },
    { make: 'Citroen', model: 'C4', badges: [] },
    { make: 'Honda', model: 'Civic', badges: [] },
  ],
  'make,pattern,model\n',
);

function fileOf(header: string, records: readonly string[], encoding: BufferEncoding = 'utf8'): string {
  const file = join(mkdtempSync(join(tmpdir(), 'register-')), 'register.csv');
  writeFileSync(file, Buffer.from(`${[header, ...records].join('\r\n')}\r\n`, encoding));
  return file;
}

async function rowsOf(name: RegisterName, file: string): Promise<SpecRow[]> {
  const reading = await readRegister(name, file, families);
  return reading.kind === 'read' ? reading.rows : [];
}

const three = (record: string): string[] => Array<string>(3).fill(record);

const TRAFICOM =
  'ajoneuvoluokka;kayttoonottopvm;omamassa;teknSuurSallKokmassa;ajonKokPituus;ajonLeveys;ajonKorkeus;kayttovoima;' +
  'iskutilavuus;suurinNettoteho;sylintereidenLkm;sahkohybridi;merkkiSelvakielinen;vaihteisto;vaihteidenLkm;kaupallinenNimi';
const OCTAVIA = 'M1;20170301;1345;1842;4670;1814;1461;01;1395;110;4;false;Skoda;1;6;OCTAVIA';

describe('an imported register', () => {
  test('answers for its cars in the catalog that is compiled with it', async () => {
    const file = fileOf(TRAFICOM, [
      ...three(OCTAVIA),
      OCTAVIA.replace('M1', 'L3'),
      OCTAVIA.replace('Skoda', 'Nobody'),
      OCTAVIA.replace(';110;', ';140;'),
    ]);
    const target = join(dirname(file), 'marque.catalog');
    const folder = join(dirname(file), 'imports');
    expect(await importRegister('traficom', file, { target, folder, families })).toEqual({
      kind: 'imported',
      file: target,
      records: 6,
      variants: 1,
      refused: [
        { reason: 'a make or model that no VIN is read as', records: 1 },
        { reason: 'neither a car nor a light van', records: 1 },
      ],
    });
    const octavia = { make: 'Skoda', model: 'Octavia', modelYear: 2017, fuelType: 'Gasoline', displacementCc: 1395 };
    const answers = openSpecs(readFileSync(target))(octavia, 'europe');
    expect(answers.find(({ field }) => field === 'powerKw')).toMatchObject({
      value: 110,
      source: 'Finnish vehicle register (Traficom)',
      basis: 'registered',
    });
  });

  test('is read in the letters of its country, without what no vehicle measures', async () => {
    const record = 'M1;20150101;1;9999999;1;1789;1489;02;1560;88;4;false;CITRO\xCBN;1;6;C4';
    expect(await rowsOf('traficom', fileOf(TRAFICOM, three(record), 'latin1'))).toEqual([
      {
        make: 'Citroen',
        model: 'C4',
        from: 2014,
        to: 2015,
        fuel: 'Diesel',
        cc: 1560,
        cylinders: 4,
        gearbox: 'Manual, 6-speed',
        powerKw: 88,
        widthMm: 1789,
        heightMm: 1489,
      },
    ]);
  });

  test('is taken from the Netherlands in centimetres', async () => {
    const header =
      'merk,handelsbenaming,voertuigsoort,datum_eerste_toelating,cilinderinhoud,wielbasis,lengte,massa_ledig_voertuig';
    const file = fileOf(header, three('SKODA,OCTAVIA,Personenauto,20170301,1395,269,467,1245'));
    expect(await rowsOf('rdw', file)).toEqual([
      {
        make: 'Skoda',
        model: 'Octavia',
        from: 2016,
        to: 2017,
        cc: 1395,
        wheelbaseMm: 2690,
        lengthMm: 4670,
        curbKg: 1245,
      },
    ]);
  });

  test('is taken from the EEA without the driver’s weight and without the power of a hybrid’s engine', async () => {
    const file = fileOf('Mk,Cn,Ft,Fm,ec (cm3),ep (KW),m (kg),W (mm),year', [
      ...three('HONDA,CIVIC,petrol,M,1498,134,1398,2697,2019'),
      ...three('HONDA,CIVIC,petrol,H,1993,105,1517,2735,2022'),
    ]);
    const civic = { make: 'Honda', model: 'Civic' };
    expect(await rowsOf('eea', file)).toEqual([
      { ...civic, from: 2018, to: 2019, fuel: 'Gasoline', cc: 1498, powerKw: 134, wheelbaseMm: 2697, curbKg: 1323 },
      { ...civic, from: 2021, to: 2022, fuel: 'Hybrid', cc: 1993, wheelbaseMm: 2735, curbKg: 1442 },
    ]);
  });

  test('is taken from Canada by model year', async () => {
    const file = fileOf('MAKE,MODEL,MYR,OL,OW,OH,WB,CW', ['HONDA,CIVIC 4DR SEDAN,2015,456,175,144,267,1250']);
    expect(await rowsOf('cvs', file)).toMatchObject([
      { model: 'Civic', from: 2015, to: 2015, lengthMm: 4560, curbKg: 1250 },
    ]);
  });

  test('is refused whole where the file is another one or none', async () => {
    expect(await readRegister('eea', fileOf('make,model', ['HONDA,CIVIC']), families)).toMatchObject({
      reason: expect.stringMatching(/lacks the columns Mk, Cn, Ft, ec \(cm3\), ep \(KW\), year\.$/) as string,
    });
    expect(await readRegister('rdw', '/nowhere/rdw.csv', families)).toEqual({
      kind: 'refused',
      reason: 'There is no file /nowhere/rdw.csv.',
    });
  });
});
