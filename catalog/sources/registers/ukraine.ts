import { defined } from '../specs/epa.ts';
import { bodiesOfUkrainian } from './bodies.ts';
import { builtBetween, number, register } from './register.ts';

/** Words for fuels that mean a single one: "petrol or gas" is a conversion, "electric or petrol" any hybrid. */
const FUELS: ReadonlyMap<string, string> = new Map([
  ['БЕНЗИН', 'Gasoline'],
  ['ДИЗЕЛЬНЕ ПАЛИВО', 'Diesel'],
  ['ДИЗЕЛЬНЕ', 'Diesel'],
  ['ЕЛЕКТРО', 'Electric'],
]);

const HYBRID = /ЕЛЕКТРО.+АБО|АБО.+ЕЛЕКТРО|ГІБРИД/;

export const ukraine = register({
  title: 'Ukrainian vehicle registrations (MVS)',
  publisher: 'Ministry of Internal Affairs of Ukraine',
  market: 'europe',
  licence: 'CC BY 4.0',
  url: 'https://data.gov.ua/dataset/06779371-308f-42d7-895e-5a39833375f0',
  format: { otherwise: 'windows-1251' },
  columns: {
    vin: ['VIN'],
    make: ['BRAND'],
    name: ['MODEL'],
    year: ['MAKE_YEAR'],
    kind: ['KIND'],
    body: ['BODY'],
    fuel: ['FUEL'],
    cc: ['CAPACITY'],
    gross: ['TOTAL_WEIGHT'],
    power: ['POWER_KWT'],
  },
  required: ['vin', 'make', 'name', 'kind', 'fuel', 'cc'],
  fewest: 20,
  notTaken: [
    'Fuel and power of hybrids: plug-in and full ones have one word. Gasoline or gas: such a car was converted.',
    'The own weight: it is copied from papers of many countries, with and without the driver.',
    'Persons, places, operations, plates and colors: they are a vehicle’s or its owner’s own.',
  ],
  read(text) {
    if (text('kind').toUpperCase() !== 'ЛЕГКОВИЙ') return 'no passenger car';
    const fuel = text('fuel').toUpperCase();
    const hybrid = HYBRID.test(fuel);
    return {
      make: text('make'),
      model: text('name'),
      vin: text('vin'),
      ...builtBetween(Number(text('year')), Number(text('year'))),
      bodies: bodiesOfUkrainian(text('body').toUpperCase()),
      values: defined({
        fuel: hybrid ? undefined : FUELS.get(fuel),
        cc: number(text('cc')),
        powerKw: hybrid ? undefined : number(text('power')),
        grossKg: number(text('gross')),
      }),
    };
  },
});
