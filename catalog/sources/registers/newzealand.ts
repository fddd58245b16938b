import { defined } from '../specs/epa.ts';
import { bodiesOfKiwi } from './bodies.ts';
import { number, register, registeredIn } from './register.ts';

const FUELS: ReadonlyMap<string, string> = new Map([
  ['PETROL', 'Gasoline'],
  ['DIESEL', 'Diesel'],
  ['ELECTRIC', 'Electric'],
]);

/** VINs that the country gives to vehicles that came without one. */
const ASSIGNED = '7A8';

export const newzealand = register({
  title: 'New Zealand vehicle fleet (NZTA)',
  publisher: 'NZ Transport Agency Waka Kotahi',
  market: 'europe',
  licence: 'CC BY 4.0',
  url: 'https://opendata-nzta.opendata.arcgis.com/',
  columns: {
    vin: ['VIN11'],
    make: ['MAKE'],
    name: ['MODEL'],
    kind: ['VEHICLE_TYPE'],
    body: ['BODY_TYPE'],
    cc: ['CC_RATING'],
    power: ['POWER_RATING'],
    gross: ['GROSS_VEHICLE_MASS'],
    fuel: ['MOTIVE_POWER'],
    gearbox: ['TRANSMISSION_TYPE'],
    // The year of manufacture, or else of first registration anywhere.
    year: ['VEHICLE_YEAR'],
  },
  required: ['vin', 'make', 'name', 'cc', 'power', 'fuel'],
  fewest: 20,
  vinLengths: [11],
  notTaken: [
    'Fuel and power of hybrids, and of what else is neither plain petrol, diesel nor electric.',
    'VINs that begin with 7A8: the country gives them to imports that have none.',
    'Gearboxes in other words than manual and automatic.',
    'Places and status of owners and their vehicles: they are not read.',
  ],
  read(text) {
    if (/CYCLE|MOPED|TRAILER|TRACTOR|BUS|MACHINE|ATV/i.test(`${text('kind')} ${text('body')}`))
      return 'no passenger car';
    if (text('vin').startsWith(ASSIGNED)) return 'a VIN that New Zealand gave to an import';
    const fuel = FUELS.get(text('fuel').toUpperCase());
    return {
      make: text('make'),
      model: text('name'),
      vin: text('vin'),
      ...registeredIn(Number(text('year'))),
      bodies: bodiesOfKiwi(text('body').toUpperCase()),
      values: defined({
        fuel,
        cc: number(text('cc')),
        powerKw: fuel === undefined ? undefined : number(text('power')),
        gearbox: gearboxOf(text('gearbox')),
        grossKg: number(text('gross')),
      }),
    };
  },
});

function gearboxOf(text: string): string | undefined {
  if (/^manual$/i.test(text)) return 'Manual';
  return /^auto(?:matic)?$/i.test(text) ? 'Automatic' : undefined;
}
