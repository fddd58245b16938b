import { describe, expect, test } from 'vitest';

import { fileOf, read, table, tablesOf, three } from '../testing/registers.ts';

describe('the Finnish register', () => {
  const HEADER =
    'ajoneuvoluokka;ensirekisterointipvm;ajoneuvoryhma;ajoneuvonkaytto;variantti;versio;kayttoonottopvm;vari;' +
    'ovienLukumaara;korityyppi;ohjaamotyyppi;istumapaikkojenLkm;omamassa;teknSuurSallKokmassa;tieliikSuurSallKokmassa;' +
    'ajonKokPituus;ajonLeveys;ajonKorkeus;kayttovoima;iskutilavuus;suurinNettoteho;sylintereidenLkm;ahdin;sahkohybridi;' +
    'merkkiSelvakielinen;mallimerkinta;vaihteisto;vaihteidenLkm;kaupallinenNimi;voimanvalJaTehostamistapa;' +
    'tyyppihyvaksyntanro;yksittaisKayttovoima;kunta;Co2;matkamittarilukema;alue;valmistenumero2;jarnro';
  const CLIO =
    'M1;2003-08-08;;01;;536;20030808;2;;AB;;5;955;;1420;3770;1640;1420;01;1140;43;4;;;Renault;' +
    '2D CLIO HATCHBACK 1.2-CB0FCF/247;;;CLIO;05;;01;609;143;92938;283;VF1CB0FCF2;8';
  const MOPED = 'MUU;;21;01;;;19670000;;;;;1;210;;;;;;01;590;;;;;BMW;R60/590;;;;;;01;049;;;027;;1';
  const FAMILY = { make: 'Renault', model: 'Clio', fuel: 'Gasoline', cc: 1140, cylinders: 4, powerKw: 43 };
  const SIZES = { lengthMm: 3770, widthMm: 1640, heightMm: 1420, curbKg: 880 };

  test('give variants by year, and types by the first ten characters of the VIN', async () => {
    const { specs, approvals } = await tablesOf('traficom', fileOf(table(HEADER, [MOPED, ...three(CLIO)])));
    expect(specs).toEqual([{ ...FAMILY, from: 2002, to: 2003, ...SIZES }]);
    expect(approvals).toEqual([{ mask: 'VF1CB0FCF2.......', ...FAMILY, bodies: 'hatchback|suv|van', ...SIZES }]);
  });

  test('reads the same from each release: its dates, letters, line ends and names of columns differ', async () => {
    const newer = HEADER.replace(';Co2;', ';NEDC_Co2;WLTP_Co2;').replace(';alue;', ';');
    const record = CLIO.replace(';143;', ';143;;')
      .replace(';283;', ';')
      .replace('2003-08-08', '08.08.2003')
      .replace('20030808', '08.08.2003');
    const [first, second] = await Promise.all([
      tablesOf('traficom', fileOf(table(HEADER, three(CLIO)))),
      tablesOf('traficom', fileOf(`\uFEFF${table(newer.toUpperCase(), three(record), '\n')}`)),
    ]);
    expect(second.approvals).toEqual(first.approvals);
    const citroen = CLIO.replace('Renault', 'CITROËN').replace('CLIO;05', 'C4;05');
    for (const encoding of ['latin1', 'utf8'] as const) {
      const { approvals } = await tablesOf('traficom', fileOf(Buffer.from(table(HEADER, three(citroen)), encoding)));
      expect(approvals).toMatchObject([{ make: 'Citroen', model: 'C4' }]);
    }
  });

  test('count a file once: another one of the same content is refused', async () => {
    const [file, same] = [fileOf(table(HEADER, three(CLIO))), fileOf(table(HEADER, three(CLIO)))];
    const reason = `${same} has the same content as ${file}, and would count twice: give one of them only.`;
    expect(await read('traficom', file, same)).toEqual({ kind: 'refused', reason });
  });

  test('give nothing that options change from car to car, and nothing of a single car', async () => {
    const heavier = CLIO.replace(';955;', ';1055;');
    const { approvals } = await tablesOf('traficom', fileOf(table(HEADER, [CLIO, CLIO, heavier, heavier])));
    expect(approvals).toMatchObject([{ lengthMm: 3770 }]);
    expect(approvals[0]).not.toHaveProperty('curbKg');
    expect(await read('traficom', fileOf(table(HEADER, [CLIO])))).toMatchObject({ kind: 'refused' });
  });

  test('leaves the fuel and the power of hybrids open: mild ones are marked like full ones', async () => {
    const hybrid = CLIO.replace(';43;4;;;', ';43;4;;true;');
    const { approvals } = await tablesOf('traficom', fileOf(table(HEADER, three(hybrid))));
    expect(approvals[0]).not.toHaveProperty('fuel');
    expect(approvals[0]).not.toHaveProperty('powerKw');
  });
});

describe('the Dutch register', () => {
  const HEADER =
    'Kenteken,Voertuigsoort,Merk,Handelsbenaming,Vervaldatum APK,Datum tenaamstelling,Bruto BPM,Inrichting,' +
    'Aantal zitplaatsen,Aantal cilinders,Cilinderinhoud,Massa ledig voertuig,Toegestane maximum massa voertuig,' +
    'Massa rijklaar,Datum eerste toelating,Lengte,Breedte,Wielbasis,Hoogte voertuig';
  const MURANO =
    '85XXXN,Personenauto,NISSAN,NISSAN MURANO,20240106,20111126,18921,stationwagen,5,6,3498,1833,2380,1933,' +
    '20081206,484,0,283,';
  const WANTED = {
    make: 'Nissan',
    model: 'Murano',
    from: 2007,
    to: 2008,
    cc: 3498,
    cylinders: 6,
    lengthMm: 4840,
    wheelbaseMm: 2830,
    curbKg: 1833,
    grossKg: 2380,
  };

  test('is read from the download and from the interface, in centimeters', async () => {
    expect((await tablesOf('rdw', fileOf(table(HEADER, three(MURANO))))).specs).toEqual([WANTED]);
    const header = HEADER.toLowerCase().replaceAll(' ', '_');
    const quoted = three(MURANO).map((record) =>
      record
        .split(',')
        .map((cell) => `"${cell}"`)
        .join(','),
    );
    expect((await tablesOf('rdw', fileOf(table(header, quoted, '\n')))).specs).toEqual([WANTED]);
  });

  test('may have commas in its thousands', async () => {
    const record = MURANO.replace(',3498,', ',"3,498",');
    expect((await tablesOf('rdw', fileOf(table(HEADER, three(record))))).specs).toEqual([WANTED]);
  });

  test('leaves campers out: their weight and length are not the model’s', async () => {
    const camper = MURANO.replace('stationwagen', 'kampeerwagen');
    const { refused } = await tablesOf('rdw', fileOf(table(HEADER, [camper, ...three(MURANO)])));
    expect(refused).toEqual([{ reason: 'converted: a camper, ambulance or the like', records: 1, lines: ['2'] }]);
  });
});

/** Returns a record of the EEA's newer form, with what matters in its columns. */
function eeaRecord(mass: string, wheelbase: string, fuel: string, rest: string): string {
  return `1,DE,,,,,,,FK,,,HONDA,CIVIC,M1,M1,1,${mass},,,,${wheelbase},,,${fuel},${rest}`;
}

describe('the EEA', () => {
  const CIVIC = { make: 'Honda', model: 'Civic' };

  test('is read without the driver’s weight and without the power of a hybrid’s engine', async () => {
    const header =
      'ID,Country,VFN,Mp,Mh,Man,MMS,Tan,T,Va,Ve,Mk,Cn,Ct,Cr,r,m (kg),Mt,Enedc (g/km),Ewltp (g/km),W (mm),At1 (mm),' +
      'At2 (mm),Ft,Fm,ec (cm3),ep (KW),z (Wh/km),IT,Ernedc (g/km),Erwltp (g/km),De,Vf,Status,year';
    const { specs } = await tablesOf(
      'eea',
      fileOf(
        table(header, [
          ...three(eeaRecord('1398', '2697', 'petrol', 'M,1498,134,,,,,,,F,2019')),
          ...three(eeaRecord('1517', '2735', 'PETROL', 'H,1993,105,,,,,,,P,2022')),
        ]),
      ),
    );
    expect(specs).toEqual([
      { ...CIVIC, from: 2018, to: 2019, fuel: 'Gasoline', cc: 1498, powerKw: 134, wheelbaseMm: 2697, curbKg: 1323 },
      { ...CIVIC, from: 2021, to: 2022, fuel: 'Hybrid', cc: 1993, wheelbaseMm: 2735, curbKg: 1442 },
    ]);
  });

  test('is read in its older form, which counts registrations and has the year in the name of the file alone', async () => {
    const header =
      'ID\tMS\tMP\tMh\tMAN\tMMS\tT\tVa\tVe\tMk\tCn\tCt\tCr\tr\tm (kg)\tTPMLM (kg)\te (g/km)\tw (mm)\tat1 (mm)\tat2 (mm)\tFt\tFm\t' +
      'ec (cm3)\tz (Wh/km)\tIT\tEr (g/km)\tTAN\tep (KW)';
    const record =
      '1\tDE\t\tHONDA\t\t\tFK\t\t\tHONDA\tCIVIC\tM1\tM1\t812\t1345\t\t129\t2595\t\t\tPetrol\tM\t1798\t\t\t\t\t104';
    const text = table(header, [record]);
    for (const bytes of [Buffer.from(text), Buffer.from(`\uFEFF${text}`, 'utf16le')]) {
      const { specs } = await tablesOf('eea', fileOf(bytes, `CO2_passenger_cars_2014_${bytes.length}.txt`));
      expect(specs).toEqual([
        { ...CIVIC, from: 2013, to: 2014, fuel: 'Gasoline', cc: 1798, powerKw: 104, wheelbaseMm: 2595, curbKg: 1270 },
      ]);
    }
    expect(await read('eea', fileOf(text, 'cars.txt'))).toMatchObject({
      reason: expect.stringContaining('no year since 2010, neither in a column "year" nor in the name') as string,
    });
  });
});

describe('the Canadian specifications', () => {
  const NAMES = [
    'Make',
    'Model',
    'MYR',
    'OL',
    'OW',
    'OH',
    'WB',
    'CW',
    'A',
    'B',
    'C',
    'D',
    'E',
    'F',
    'G',
    'TWF',
    'TWR',
    'WD',
  ];
  const civic = (year: string, wheelbase = '267'): string[] => [
    'HONDA',
    'CIVIC 4DR SEDAN',
    year,
    '456',
    '175',
    '144',
    wheelbase,
    '1250',
    ...NAMES.slice(8).map(() => ''),
  ];
  const answer = (...cars: string[][]): string =>
    JSON.stringify({
      Count: cars.length,
      Message: 'Results returned successfully',
      Results: cars.map((car) => ({ Specs: NAMES.map((Name, index) => ({ Name, Value: car[index] })) })),
    });
  const CIVIC = { model: 'Civic', lengthMm: 4560, widthMm: 1750, heightMm: 1440, wheelbaseMm: 2670, curbKg: 1250 };

  test('are read from NHTSA’s answers, several years at once, and from a table', async () => {
    const years = ['2014', '2015'].map((year) => fileOf(answer(civic(year)), `cvs-${year}.json`));
    expect((await tablesOf('cvs', ...years)).specs).toMatchObject([{ ...CIVIC, from: 2014, to: 2015 }]);
    const csv = fileOf(table(NAMES.join(',').toUpperCase(), [civic('2015').join(',')]));
    expect((await tablesOf('cvs', csv)).specs).toMatchObject([{ ...CIVIC, from: 2015, to: 2015 }]);
  });

  test('are distinguished from those in inches', async () => {
    const { refused } = await tablesOf('cvs', fileOf(answer(civic('2015', '105'), civic('2015')), 'inches.json'));
    expect(refused).toEqual([{ reason: 'in inches: download it with units=Metric', records: 1, lines: ['1'] }]);
  });

  test.each(['', '{"Results": [', '[]', '{"Results": [{"make": 1}]}'])('are refused where JSON is %j', async (text) => {
    expect(await read('cvs', fileOf(text, 'wrong.json'))).toMatchObject({ kind: 'refused' });
  });
});
