import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Decoder, openCatalog, withOverlay } from '@marque/decoder';
import { afterAll, describe, expect, test } from 'vitest';

import { ensureCatalog } from '../build.ts';
import { Families } from '../../sources/specs/names.ts';
import { rangePatterns } from './pattern.ts';
import { type ImportedCars, readCarsOf } from './read-cars.ts';
import { patternsText, readPatterns } from './table.ts';
import { overlayOfRegisters } from './teach.ts';

const home = mkdtempSync(join(tmpdir(), 'years-ü-'));
afterAll(() => rmSync(home, { recursive: true }));

const families = new Families([], 'make,pattern,model\n');
const base = openCatalog(ensureCatalog().file);

/** Its letter means 1991 or 2021. */
const KAMAZ = 'XTC532120M0074000';
/** A VIN without a year. */
const PEUGEOT = 'VF33CRFJC00728094';
const MERCEDES = 'WDB2083441T069000';

function years(decoder: Decoder, vin: string): (string | number)[] {
  const open = decoder.candidates(vin).open.find(({ field }) => field === 'modelYear');
  return (open?.candidates ?? []).toSorted((a, b) => Number(a) - Number(b));
}

function withYears(...told: [vin: string, years: string][]): Decoder {
  const patterns = told.map(([vin, value]) => ({
    mask: `${vin.slice(0, 8)}.${vin.slice(9, 11)}......`,
    cars: 100,
    fields: new Map([['years', { value, agree: 100, against: 0 }] as const]),
  }));
  const kept = { register: 'czech', imported: '2026-11-24', patterns: patternsText(patterns) };
  return withOverlay(base, overlayOfRegisters([kept]).bytes);
}

describe('the years of a pattern’s cars', () => {
  test('decide which of two years a letter means', () => {
    expect(base.decode(KAMAZ).modelYear).toBeUndefined();
    expect(withYears([KAMAZ, '2019-2023']).decode(KAMAZ).modelYear).toBe('2021');
    expect(withYears([KAMAZ, '1988-1995']).decode(KAMAZ).modelYear).toBe('1991');
    expect(withYears([KAMAZ, '1988-2023']).decode(KAMAZ).modelYear).toBeUndefined();
  });

  test('are those of the cars alone that agree at each position of the pattern', () => {
    const [czech, other] = [KAMAZ, `${KAMAZ.slice(0, 11)}1${KAMAZ.slice(12)}`];
    const years = { value: '2019-2023', agree: 100, against: 0 };
    const pattern = { mask: 'XTC53212.M00.....', cars: 100, fields: new Map([['years', years] as const]) };
    const kept = { register: 'czech', imported: '2026-11-24', patterns: patternsText([pattern]) };
    const decoder = withOverlay(base, overlayOfRegisters([kept]).bytes);
    expect([czech, other, czech].map((vin) => decoder.decode(vin).modelYear)).toEqual(['2021', undefined, '2021']);
  });

  test('bound the model year if nothing in the VIN gives it, and never are it', () => {
    expect(years(base, PEUGEOT)).toEqual([2000, 2001, 2002, 2003, 2004, 2005, 2006, 2007, 2008]);
    const bounded = withYears([PEUGEOT, '2003-2004']);
    expect(years(bounded, PEUGEOT)).toEqual([2003, 2004]);
    expect(bounded.decode(PEUGEOT)).toEqual(base.decode(PEUGEOT));
    const single = withYears([PEUGEOT, '2003-2003']);
    expect(single.decode(PEUGEOT).modelYear).toBeUndefined();
  });

  test('change nothing if they contradict the VIN', () => {
    expect(years(withYears([PEUGEOT, '2020-2023']), PEUGEOT)).toEqual(years(base, PEUGEOT));
  });
});

const HEADER =
  'Launch Date,Recalls Number,Make,Recalls Model Information,Concern,Defect,Remedy,Vehicle Numbers,Manufacturer Ref,Model,VIN Start,VIN End,Build Start,Build End';

function recall(first: string, last: string, from: string, to: string, model = 'CLK'): string {
  return `26/06/2006,R/2010/184,MERCEDES BENZ,${model},BELT,"It may, at times, not hold.",Check.,1,C079,${model},${first},${last},${from},${to}`;
}

async function importOf(...rows: string[]): Promise<ImportedCars> {
  const file = join(home, 'RecallsFile.csv');
  writeFileSync(file, `${[HEADER, ...rows].join('\r\n')}\r\n`);
  const reading = await readCarsOf('dvsa', [file], { families, folder: join(home, 'waiting') });
  if (reading.kind === 'refused') throw new Error(reading.reason);
  return reading;
}

function decoderOf({ patterns }: ImportedCars): Decoder {
  const text = patternsText(patterns);
  expect(patternsText(readPatterns(text))).toBe(text);
  return withOverlay(base, overlayOfRegisters([{ register: 'dvsa', imported: '2026-11-24', patterns: text }]).bytes);
}

function numbered(serial: string): string {
  return `${MERCEDES.slice(0, 11)}${serial}`;
}

const CLK = recall('WDB2083441T068000', 'WDB2083441T069500', '10/01/2002', '20/05/2002');

describe('ranges of VINs of recalls', () => {
  test('bound the years of the vehicles within them, and of no others', async () => {
    const imported = await importOf(CLK, recall('WDB2083441T069501', 'WDB2083441T071000', '21/05/2002', '20/01/2003'));
    expect(imported).toMatchObject({ records: 2, cars: 2, refused: [] });
    const decoder = decoderOf(imported);
    expect(years(base, MERCEDES)).toEqual([2000, 2001, 2002, 2003]);
    for (const inside of ['068000', '069000', '069500']) {
      expect(years(decoder, numbered(inside))).toEqual([2002, 2003]);
      expect(decoder.decode(numbered(inside)).modelYear).toBeUndefined();
    }
    expect(years(decoder, numbered('071000'))).toEqual([2002, 2003]);
    for (const outside of ['067999', '071001']) {
      expect(years(decoder, numbered(outside))).toEqual(years(base, numbered(outside)));
    }
    // Another engine of the same series has its own numbers.
    expect(years(decoder, 'WDB2083651T069000')).toEqual(years(base, 'WDB2083651T069000'));
  });

  test('count once, however many models they are listed for', async () => {
    const other = recall('WDB2083441T068000', 'WDB2083441T069500', '10/01/2002', '20/05/2002', 'SLK');
    expect(await importOf(CLK, other)).toMatchObject({ records: 2, cars: 1, twice: 1 });
  });

  test('are left out where two recalls contradict each other', async () => {
    const imported = await importOf(CLK, recall('WDB2083441T068000', 'WDB2083441T069500', '10/01/1999', '20/05/1999'));
    expect(years(decoderOf(imported), MERCEDES)).toEqual(years(base, MERCEDES));
    const overlapping = await importOf(CLK, recall('WDB2083441T068500', 'WDB2083441T069600', '1/1/1999', '2/2/1999'));
    expect(years(decoderOf(overlapping), MERCEDES)).toEqual(years(base, MERCEDES));
  });

  test('are skipped for a reason where they are none that can be used', async () => {
    const { refused } = await importOf(
      CLK,
      recall('', '', '10/01/2002', '20/05/2002'),
      recall('WDB2083441T068000', 'WDB2083441T069500', '', ''),
      recall('WDB2083441T068000', 'WDB2083441T069500', '20/05/2002', '10/01/2001'),
      recall('WDB2083441T068000', 'WDB2083441T069500', '20/05/1996', '10/01/2003'),
      recall('VF7******AZ025918', 'VF7******AZ030421', '24/02/2010', '27/05/2010'),
      recall('740405', '872978', '11/11/2015', '24/01/2018'),
      recall('SALLAAA345A000001', 'SALLAAA149A513325', '27/01/2004', '26/06/2009'),
      recall('WDB2083441T069500', 'WDB2083441T068000', '10/01/2002', '20/05/2002'),
      recall('WDB2083441T069500', 'WDB2083441T069500', '10/01/2002', '20/05/2002'),
      recall('ZFA20000002984527', 'ZFA20000002A85925', '13/01/2016', '07/04/2016'),
    );
    expect(refused.map(({ reason, lines }) => `${lines.join(',')} ${reason}`).toSorted()).toEqual([
      '10 a range of VINs whose ends are exchanged',
      '11 a single VIN',
      '12 a range of serial numbers with letters',
      '3 no range of VINs',
      '4 no dates of building',
      '5 dates of building whose ends are exchanged',
      '6 dates of building too far apart to tell a year',
      '7 a range of VINs with characters left out',
      '8 a range of VINs of other than 17 characters',
      '9 a range of VINs over several models, plants or years',
    ]);
  });

  test('are read with the letters that clerks type for digits, and over the turn of position 12', () => {
    expect(rangePatterns('WDB2O83441T068OOO', 'WDB2083441T0695OO')).toEqual(['WDB20834.1T0@68000-69500']);
    expect(rangePatterns('WDB2083441T168000', 'WDB2083441T300500')).toEqual([
      'WDB20834.1T1@68000-99999',
      'WDB20834.1T2@00000-99999',
      'WDB20834.1T3@00000-00500',
    ]);
    expect(rangePatterns('WBAAA11010FH50692', 'WBAAA11040FH73446')).toEqual(['WBAAA110.0FH@50692-73446']);
  });
});
