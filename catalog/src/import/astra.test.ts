import { execFile } from 'node:child_process';
import { createWriteStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import type { RegisterName } from '../../sources/registers/index.ts';
import type { ApprovalRow } from '../approvals/columns.ts';
import { astraFile, astraHeader, astraLine, type AstraRecord } from '../testing/astra-file.ts';
import { fileOf, folder, read, tablesOf } from '../testing/registers.ts';

const LEGACY: AstraRecord = {
  Typengenehmigungsnummer: '1SC603',
  '03 Fahrzeugklasse': 'M1',
  '04 Marke': 'SUBARU',
  '04 Typ': 'Legacy 2.0 4WD',
  '06 Vorziffer': 'JF1BG5...........',
  '07 Karosserieform': 'Stationswagen',
  '12 Fahrgestellnummer': 'rechts an der Spritzwand',
  '17 Achsantrieb': 'V+H',
  '18 Getriebe 1': 'm5',
  '26 Bauart Treibstoff': 'B',
  '27 Hubraum': '1994',
  '28 Leistung kW': '85',
  '40 Länge von': '4680',
  '40 Länge bis': '4680',
  '44 Abstand Achse 1-2 von': '2630',
  '52 Leergewicht von': '1405',
  '52 Leergewicht bis': '1440',
  '53 Garantiegewicht von': '1860',
};
const LEGACY_ROW = {
  mask: 'JF1BG5...........',
  make: 'Subaru',
  model: 'Legacy',
  bodies: 'wagon|suv|van',
  fuel: 'Gasoline',
  cc: 1994,
  drive: 'All-wheel drive',
  gearbox: 'Manual, 5-speed',
  powerKw: 85,
  lengthMm: 4680,
  wheelbaseMm: 2630,
  curbKg: 1330,
  grossKg: 1860,
};

async function approvalsOf(...records: AstraRecord[]): Promise<ApprovalRow[]> {
  return (await tablesOf('astra', fileOf(astraFile(records)))).approvals;
}

async function reasonOf(name: RegisterName, ...paths: string[]): Promise<string> {
  const reading = await read(name, ...paths);
  return reading.kind === 'refused' ? reading.reason : 'read';
}

function urlOf(path: string): string {
  return JSON.stringify(new URL(path, import.meta.url).href);
}

describe('the Swiss type approvals', () => {
  test('give a type by its VIN pattern', async () => {
    const reading = await tablesOf('astra', fileOf(astraFile([LEGACY]), 'TG-Automobil.txt'));
    expect(reading).toMatchObject({ records: 1, taken: 1, refused: [], specs: [], approvals: [LEGACY_ROW] });
  });

  test('are written in the letters of Windows, with a quotation mark anywhere', async () => {
    const skoda = {
      ...LEGACY,
      '04 Marke': 'ŠKODA',
      '04 Typ': 'Octavia "Édition"',
      '06 Vorziffer': 'TMBDX41U.........',
    };
    expect(await approvalsOf(skoda)).toMatchObject([{ make: 'Skoda', model: 'Octavia', mask: 'TMBDX41U.........' }]);
  });

  test('may have several patterns and several gearboxes: one that is not understood stays open', async () => {
    const record = { ...LEGACY, '06 Vorziffer': 'JF1BG5L0.........  / JF1BG5L1.........', '18 Getriebe 2': 's7a' };
    const approvals = await approvalsOf(record);
    expect(approvals.map(({ mask, gearbox }) => [mask, gearbox])).toEqual([
      ['JF1BG5L0.........', 'Manual, 5-speed'],
      ['JF1BG5L0.........', undefined],
      ['JF1BG5L1.........', 'Manual, 5-speed'],
      ['JF1BG5L1.........', undefined],
    ]);
  });

  test('leave open values that the source leaves open, a wide range or a hybrid, and give the possible bodies', async () => {
    const [row] = await approvalsOf({
      ...LEGACY,
      '07 Karosserieform': 'Limousine',
      '04 Marke': 'HONDA',
      '04 Typ': 'Civic',
      '26 Bauart Treibstoff': 'C',
      '52 Leergewicht bis': '1605',
    });
    expect(row).toEqual({
      mask: 'JF1BG5...........',
      make: 'Honda',
      model: 'Civic',
      bodies: 'sedan|hatchback',
      cc: 1994,
      drive: 'All-wheel drive',
      gearbox: 'Manual, 5-speed',
      lengthMm: 4680,
      wheelbaseMm: 2630,
      grossKg: 1860,
    });
  });

  test('are reported with the records that were skipped, the reason, and their lines', async () => {
    const reading = await tablesOf(
      'astra',
      fileOf(
        astraFile([
          LEGACY,
          { ...LEGACY, '03 Fahrzeugklasse': 'N3' },
          { ...LEGACY, '06 Vorziffer': '' },
          { ...LEGACY, '06 Vorziffer': 'JF1BG5' },
          { ...LEGACY, '06 Vorziffer': 'siehe Bemerkungen' },
          { ...LEGACY, '06 Vorziffer': 'WAUZZZ...........' },
          { ...LEGACY, '04 Typ': 'Mondkalb' },
          { ...LEGACY, '03 Fahrzeugklasse': 'O4' },
        ]),
      ),
    );
    expect(reading.taken).toBe(1);
    expect(reading.refused).toEqual([
      { reason: 'a VIN pattern that is not 17 characters and dots after a maker', records: 2, lines: ['5', '6'] },
      { reason: 'neither a car nor a light van', records: 2, lines: ['3', '9'] },
      { reason: 'a VIN pattern that fixes too little to tell a model', records: 1, lines: ['7'] },
      { reason: 'a make or model that no VIN is read as', records: 1, lines: ['8'] },
      { reason: 'no VIN pattern', records: 1, lines: ['4'] },
    ]);
  });

  test('are read from the successor of the list too', async () => {
    const header =
      'chTypeApprovalNumber;versionNo;makeName;commercialName;vehicleCategoryCode;chVinPrefix;chFuelType;engineCapacity;' +
      'maximumNetPower;chMassOfTheVehicleInRunningOrderMinimum;technicallyPermissibleMaximumLadenMassMinimum;' +
      'gearboxEmissions1.chGearboxType';
    const record = '1SC603;2;SUBARU;Legacy 2.0 4WD;M1;JF1BG5...........;B;1994;85;1405;1860;m5';
    const quoted = [header, record].map((line) =>
      line
        .split(';')
        .map((cell) => `"${cell}"`)
        .join(';'),
    );
    const { mask, make, model, fuel, cc, gearbox, powerKw, curbKg, grossKg } = LEGACY_ROW;
    const { approvals } = await tablesOf('astra', fileOf(`\uFEFF${quoted.join('\n')}\n`, 'TAS_Automobil.csv'));
    expect(approvals).toEqual([{ mask, make, model, fuel, cc, gearbox, powerKw, curbKg, grossKg }]);
  });

  test('are read within 96 MiB of heap, however large the file', async () => {
    const file = join(folder, 'large.txt');
    const to = createWriteStream(file);
    to.write(astraHeader());
    for (let index = 0; index < 40_000; index++) {
      const serial = index.toString(36).toUpperCase().replaceAll(/[IOQ]/g, 'X').padStart(4, '0');
      to.write(
        astraLine({
          ...LEGACY,
          '06 Vorziffer': `JF1BG5${serial}.......`,
          '28 Leistung kW': String(60 + (index % 100)),
          'Bemerkungen Z1': 'x'.repeat(1200),
        }),
      );
    }
    to.end();
    await finished(to);
    expect(statSync(file).size).toBeGreaterThan(60_000_000);
    const script = `import { readRegister } from ${urlOf('read-register.ts')};
      import { Families } from ${urlOf('../../sources/specs/names.ts')};
      const families = new Families([{ make: 'Subaru', model: 'Legacy', badges: [] }], 'make,pattern,model\\n');
      const shares = [];
      const reading = await readRegister('astra', [${JSON.stringify(file)}], () => families, (share) => shares.push(share));
      const rising = shares.every((share, index) => index === 0 || share >= shares[index - 1]);
      console.log(JSON.stringify([reading.taken, shares.length > 100, rising, shares.at(-1)]));`;
    const words = ['--max-old-space-size=96', '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    expect(JSON.parse(stdout)).toEqual([40_000, true, true, 1]);
  });
});

describe('a file is refused, and nothing is taken from it,', () => {
  test('if columns are missing, which are named', async () => {
    const file = fileOf(astraFile([LEGACY], ['06 Vorziffer', '27 Hubraum']), 'less.txt');
    expect(await reasonOf('astra', file)).toMatch(/is no astra table: it lacks the columns 06 Vorziffer, 27 Hubraum\./);
    const other = fileOf('make;model\nHONDA;CIVIC\n');
    expect(await reasonOf('eea', other)).toMatch(
      /lacks the columns Mk, Cn, .* Its first line begins with make \| model\.$/,
    );
  });

  test('if it is of another register, which is named', async () => {
    const file = fileOf(astraFile([LEGACY]), 'other.txt');
    expect(await reasonOf('rdw', file)).toMatch(
      /It seems to be of Swiss type approvals \(ASTRA\): import it as astra\.$/,
    );
  });

  test('if it is cut short, damaged, empty or missing', async () => {
    const packed = gzipSync(astraFile(Array.from({ length: 50 }, () => LEGACY)));
    expect(await reasonOf('astra', fileOf(packed.subarray(0, -20), 'cut.txt.gz'))).toMatch(/damaged or cut short/);
    expect(await reasonOf('astra', fileOf('', 'empty.txt'))).toMatch(/is empty\.$/);
    expect(await reasonOf('astra', '/nowhere/TG-Automobil.txt')).toMatch(/^A file cannot be read: ENOENT/);
    const endless = fileOf('x'.repeat(3_000_000), 'endless.txt');
    expect(await reasonOf('astra', endless)).toMatch(/has no end of the record that starts on line 1/);
  });
});
