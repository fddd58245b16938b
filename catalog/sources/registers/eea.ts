import { defined } from '../specs/epa.ts';
import { squash } from '../specs/names.ts';
import { DRIVER_KG, less, number, register, sinceYearBefore } from './register.ts';

/** Fuels by the words that countries have reported, without case and signs. */
const FUELS: ReadonlyMap<string, string> = new Map([
  ['petrol', 'Gasoline'],
  ['diesel', 'Diesel'],
  ['electric', 'Electric'],
  ['petrolelectric', 'Plug-in hybrid'],
  ['dieselelectric', 'Plug-in hybrid'],
  ['lpg', 'Gasoline/LPG'],
  ['ng', 'Gasoline/CNG'],
  ['ngbiomethane', 'Gasoline/CNG'],
  ['e85', 'Flex fuel'],
  ['hydrogen', 'Hydrogen'],
]);

/** Fuel mode of a hybrid that is not charged from outside. */
const NOT_CHARGED = 'H';

export const eea = register({
  title: 'Monitoring of CO2 emissions from passenger cars (European Environment Agency)',
  publisher: 'European Environment Agency',
  market: 'europe',
  licence: 'CC BY 4.0',
  url: 'https://www.eea.europa.eu/en/datahub/datahubitem-view/fa8b1229-3db6-495d-b18e-9c9b3267c02b',
  columns: {
    make: ['Mk'],
    name: ['Cn'],
    fuel: ['Ft'],
    mode: ['Fm'],
    cc: ['ec (cm3)'],
    power: ['ep (KW)'],
    mass: ['m (kg)'],
    wheelbase: ['W (mm)'],
    year: ['year'],
    registrations: ['r'],
  },
  required: ['make', 'name', 'fuel', 'cc', 'power'],
  fewest: 3,
  notTaken: [
    'Power of hybrids: it is the engine’s alone.',
    'Emissions and consumption: the report has no field for them.',
  ],
  read(text, file) {
    const year = Number(text('year')) || file.year;
    if (year < 2010) return 'no year since 2010, neither in a column "year" nor in the name of the file';
    const name = FUELS.get(squash(text('fuel')));
    if (name === undefined) return 'no known fuel';
    const hybrid = text('mode').toUpperCase() === NOT_CHARGED && /^(?:Gasoline|Diesel|Plug-in hybrid)$/.test(name);
    const fuel = hybrid ? 'Hybrid' : name;
    return {
      make: text('make'),
      model: text('name'),
      years: sinceYearBefore(year),
      vehicles: number(text('registrations')) ?? 1,
      values: defined({
        fuel,
        cc: number(text('cc')),
        // The power of a hybrid's engine is not the car's.
        powerKw: hybrid || fuel === 'Plug-in hybrid' ? undefined : number(text('power')),
        wheelbaseMm: number(text('wheelbase')),
        curbKg: less(number(text('mass')), DRIVER_KG),
      }),
    };
  },
});
