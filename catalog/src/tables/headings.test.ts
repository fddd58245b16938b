import { expect, test } from 'vitest';

import { findLayout, isVinColumnName } from './index.ts';

const VIN = '1HGCM82633A004352';

/** Headings of the column of VINs, by language. */
const HEADINGS: Readonly<Record<string, readonly string[]>> = {
  English: [
    'VIN',
    'vin_number',
    'VIN No.',
    'Vehicle Identification Number',
    'Chassis number',
    'Chassis No',
    'vehicleVin',
    'VIN (17)',
  ],
  German: [
    'FIN',
    'Fahrgestellnummer',
    'Fahrzeug-Ident.-Nr.',
    'Fahrzeugidentifizierungsnummer',
    'FgstNr',
    'Fahrgestell-Nr.',
  ],
  French: ['N° de série', 'Numéro de châssis', 'N° châssis', 'Numéro d’identification du véhicule'],
  Spanish: ['Número de bastidor', 'Bastidor', 'N.º de chasis', 'NIV'],
  Italian: ['Numero di telaio', 'Telaio', 'N. telaio'],
  Portuguese: ['Chassi', 'Número do chassi', 'N.º de quadro VIN'],
  Dutch: ['Chassisnummer', 'VIN-nummer'],
  Swedish: ['Chassinummer'],
  Danish: ['Stelnummer', 'Stelnr.'],
  Norwegian: ['Understellsnummer'],
  Finnish: ['Valmistenumero', 'Alustanumero'],
  Icelandic: ['Verksmiðjunúmer'],
  Polish: ['Numer VIN', 'Nr nadwozia', 'Numer nadwozia'],
  Czech: ['VIN kód', 'Číslo karoserie'],
  Slovak: ['Číslo podvozku VIN'],
  Hungarian: ['Alvázszám'],
  Romanian: ['Serie șasiu', 'Număr identificare'],
  Croatian: ['Broj šasije'],
  Slovenian: ['Številka šasije'],
  Estonian: ['Tehasetähis', 'VIN-tähis'],
  Latvian: ['Šasijas numurs'],
  Lithuanian: ['Kėbulo numeris'],
  Turkish: ['Şasi Numarası', 'Şase No'],
  Greek: ['Αριθμός πλαισίου'],
  Russian: ['Номер кузова', 'ВИН', 'VIN номер'],
  Ukrainian: ['Номер кузову', 'VIN-код'],
  Bulgarian: ['Номер на шаси'],
  Chinese: ['车架号', '车辆识别代号', '車身號碼'],
  Japanese: ['車台番号'],
  Korean: ['차대번호'],
  Arabic: ['رقم الهيكل'],
  Hebrew: ['מספר שלדה'],
  Thai: ['หมายเลขตัวถัง'],
  Vietnamese: ['Số khung'],
};

const TABLE = Object.entries(HEADINGS).flatMap(([language, names]) => names.map((name) => [language, name] as const));

test.each(TABLE)('in %s, "%s" names the column of VINs, and is never one', (_, name) => {
  expect(isVinColumnName(name)).toBe(true);
  // Two columns are alike: the name decides.
  const rows = [
    ['No', 'Other', name],
    ['1', 'WVWZZZ1KZCW000001', VIN],
  ];
  expect(findLayout(rows, '')).toMatchObject({ column: 2, columnName: name, firstRow: 1 });
  // None of its cells is a VIN: it is found all the same, and its name is not a row.
  expect(findLayout([[name], ['x']], '')).toMatchObject({ column: 0, firstRow: 1 });
});

test.each([
  'Chassis type',
  'Vinyl',
  'Covin',
  'Final price',
  'Date de fin',
  'Model',
  'VIN: 1HGCM82633A004352',
  '',
  '-',
  '---',
  '…',
])('"%s" does not name the column of VINs', (name) => expect(isVinColumnName(name)).toBe(false));
