import { defined } from '../specs/epa.ts';
import { bodiesOfDanish } from './bodies.ts';
import { DRIVER_KG, euroNorm, less, number, register, registeredIn, SEVERAL, yearOf } from './register.ts';

/** The year of the first hybrid on sale in Europe: a gasoline car registered before burns nothing else. */
const FIRST_HYBRID = 2000;
/** The largest ratio of a type's least and greatest mass in running order for one number to represent it. */
const NARROW = 1.05;

export const denmark = register({
  title: 'Danish vehicle register (DMR)',
  publisher: 'Motorstyrelsen',
  market: 'europe',
  licence: 'As its publisher states it; none is stated beside the download',
  url: 'https://motorst.dk/erhverv/motorregistret-for-virksomheder/om-motorregistret',
  record: 'Statistik',
  columns: {
    kind: ['KoeretoejArtNavn'],
    vin: ['KoeretoejOplysningStelNummer'],
    make: ['KoeretoejMaerkeTypeNavn'],
    name: ['KoeretoejModelTypeNavn'],
    registered: ['KoeretoejOplysningFoersteRegistreringDato'],
    fuel: ['DrivkraftTypeNavn'],
    plugIn: ['KoeretoejMotorPlugInHybrid'],
    cc: ['KoeretoejMotorSlagVolumen'],
    cylinders: ['KoeretoejMotorCylinderAntal'],
    power: ['KoeretoejMotorStoersteEffekt'],
    axles: ['KoeretoejOplysningAkselAntal'],
    driven: ['KoeretoejOplysningTraekkendeAksler'],
    wheelbase: ['KoeretoejOplysningAkselAfstand'],
    running: ['KoeretoejOplysningKoereklarVaegtMinimum'],
    runningMost: ['KoeretoejOplysningKoereklarVaegtMaksimum'],
    gross: ['KoeretoejOplysningTekniskTotalVaegt'],
    euro: ['NormTypeNavn'],
    body: ['KarrosseriTypeNavn'],
  },
  required: ['kind', 'vin', 'make', 'cc', 'power', 'fuel'],
  fewest: 20,
  notTaken: [
    'Fuel and power of gasoline cars since 2000, and of cars with two fuels: how the early hybrids are filed is not described.',
    'Power of electric cars: it may be that of 30 minutes.',
    'The own weight: what it counts has changed. The mass in running order, less the driver, is taken.',
    'The model year: importers write it as they sell, often years after. That of first registration bounds it.',
    'The number of gears: the kind of the gearbox is not told.',
    'Plates, inspections, distances, permits and leasing: they are a vehicle’s or its owner’s own.',
  ],
  read(text) {
    if (!/^(?:Personbil|Varebil)$/.test(text('kind'))) return 'neither a car nor a van';
    const year = yearOf(text('registered').slice(0, 'YYYY-MM-DD'.length));
    const fuel = fuelOf(text('fuel'), text('plugIn') === 'true', year);
    return {
      make: text('make'),
      model: text('name'),
      vin: text('vin'),
      ...registeredIn(year),
      bodies: bodiesOfDanish(text('body')),
      values: defined({
        fuel,
        cc: number(text('cc')),
        cylinders: number(text('cylinders')),
        powerKw: fuel === undefined || fuel === 'Electric' ? undefined : number(text('power')),
        drive: driveOf(text('axles'), text('driven')),
        emissions: fuel === 'Electric' ? undefined : euroNorm(text('euro')),
        wheelbaseMm: number(text('wheelbase')),
        curbKg: less(runningOf(text('running'), text('runningMost')), DRIVER_KG),
        grossKg: number(text('gross')),
      }),
    };
  },
});

function fuelOf(text: string, plugIn: boolean, year: number): string | undefined {
  if (plugIn || text.includes(SEVERAL)) return undefined;
  if (text === 'Diesel') return 'Diesel';
  if (text === 'El') return 'Electric';
  return text === 'Benzin' && year > 0 && year < FIRST_HYBRID ? 'Gasoline' : undefined;
}

/** Returns the driven ones of two axles by their numbers: "1, 2". */
function driveOf(axles: string, driven: string): string | undefined {
  if (axles !== '2') return undefined;
  const which = driven.replaceAll(/\s/g, '');
  if (which === '1') return 'Front-wheel drive';
  if (which === '2') return 'Rear-wheel drive';
  return which === '1,2' ? 'All-wheel drive' : undefined;
}

function runningOf(least: string, most: string): number | undefined {
  const [low, high] = [number(least), number(most)];
  return low === undefined || (high !== undefined && (high < low || high > low * NARROW)) ? undefined : low;
}
