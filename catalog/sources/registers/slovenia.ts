import { defined } from '../specs/epa.ts';
import { bodiesOfCode } from './bodies.ts';
import { number, register, registeredIn, yearOf } from './register.ts';

const DIESEL = 'D';

export const slovenia = register({
  title: 'Slovenian vehicle register',
  publisher: 'Ministry of Infrastructure of the Republic of Slovenia',
  market: 'europe',
  licence: 'CC BY 4.0',
  url: 'https://podatki.gov.si/dataset/evidenca-registriranih-vozil-presek-stanja',
  format: { otherwise: 'windows-1250' },
  columns: {
    vin: ['E-VIN', 'E-Identifikacijska številka vozila (VIN)'],
    make: ['D1-Znamka', 'D.1-Znamka'],
    name: ['D3-Komerc oznaka', 'D.3-Komerc. oznaka'],
    class: ['J-Kategorija in vrsta vozila (oznaka)'],
    body: ['X-Oblika nadgradnje (opis)'],
    gross: ['F1-Najvecja tehnicno dovoljena masa'],
    cc: ['P11-Delovna prostornina'],
    power: ['P12-Nazivna moc'],
    fuel: ['P13-Vrsta goriva (oznaka)'],
    length: ['Y1-Dolzina'],
    registered: ['B-Datum prve registracije vozila'],
  },
  required: ['vin', 'make', 'class', 'cc', 'power', 'fuel'],
  fewest: 20,
  notTaken: [
    'Fuel and power of all but diesels: how hybrids are filed is not described.',
    'The mass of the vehicle: whether it counts the driver is not described.',
    'Age, sex and municipality of owners and users: those columns are never read.',
  ],
  read(text) {
    if (!/^[MN]1G?$/.test(text('class'))) return 'neither a car nor a light van';
    const diesel = text('fuel').toUpperCase() === DIESEL;
    return {
      make: text('make'),
      model: text('name'),
      vin: text('vin'),
      ...registeredIn(yearOf(text('registered'))),
      bodies: bodiesOfCode(/\b(A[A-F])\b/.exec(text('body'))?.[1] ?? ''),
      values: defined({
        fuel: diesel ? 'Diesel' : undefined,
        cc: number(text('cc')),
        powerKw: diesel ? number(text('power')) : undefined,
        lengthMm: number(text('length')),
        grossKg: number(text('gross')),
      }),
    };
  },
});
