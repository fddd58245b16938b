import { defined } from '../specs/epa.ts';
import { bodiesOfCode, bodiesOfCzech } from './bodies.ts';
import { DRIVER_KG, euroNorm, less, number, register, registeredIn, yearOf } from './register.ts';

/** The year of first registration from which the operating mass includes the driver; around 2000 both occur. */
const DRIVER_COUNTED = 2005;

export const czech = register({
  title: 'Czech vehicle register (RSV)',
  publisher: 'Ministry of Transport of the Czech Republic',
  market: 'europe',
  licence: 'Open data of the Czech Republic (act 106/1999), with attribution',
  url: 'https://download.dataovozidlech.cz/',
  format: { otherwise: 'windows-1250' },
  columns: {
    registered: ['Datum 1. registrace'],
    class: ['Kategorie vozidla'],
    make: ['Tovární značka'],
    maker: ['Výrobce vozidla'],
    name: ['Obchodní označení'],
    vin: ['VIN'],
    power: ['Max. výkon [kW] / [min⁻¹]'],
    fuel: ['Palivo'],
    electric: ['Plně elektrické vozidlo'],
    hybrid: ['Hybridní vozidlo'],
    cc: ['Zdvihový objem [cm³]'],
    euro: ['Stupeň plnění emisní úrovně'],
    body: ['Druh vozidla 2. ř.'],
    kind: ['Druh (typ)'],
    sizes: ['Celková délka/šířka/výška [mm]'],
    wheelbase: ['Rozvor [mm]'],
    operating: ['Provozní hmotnost'],
    gross: ['Největší technicky přípustná/povolená hmotnost [kg]'],
    axles: ['Počet náprav - z toho poháněných'],
  },
  required: ['registered', 'class', 'make', 'vin', 'power', 'cc', 'hybrid'],
  fewest: 20,
  notTaken: [
    'Fuel and power of hybrids: mild, full and plug-in ones cannot be told apart for certain.',
    'The operating mass of cars first registered before 2005: some count the driver, some do not.',
    'Type of the engine, variant and version: the report has no field for them.',
    'Purpose, status, plates’ kind and inspections: they are a vehicle’s own.',
  ],
  read(text) {
    if (!/^[MN]1G?$/.test(text('class'))) return 'neither a car nor a light van';
    const year = yearOf(text('registered'));
    const [length = '', width = '', height = ''] = text('sizes').split('/');
    const hybrid = text('hybrid').toUpperCase() === 'ANO';
    const make = text('make').replace(/^\.$/, '');
    return {
      // Half of the cars have a point for their make; their manufacturer has a seat behind the name.
      make: make === '' ? (text('maker').split(',')[0] ?? '') : make,
      model: text('name').replace(/^\.$/, ''),
      vin: text('vin'),
      ...registeredIn(year),
      bodies: bodiesOf(text('body'), text('kind')),
      values: defined({
        fuel: hybrid ? undefined : fuelOf(text('fuel'), text('electric').toUpperCase() === 'ANO'),
        cc: number(text('cc')),
        powerKw: hybrid ? undefined : number((text('power').split('/')[0] ?? '').trim()),
        drive: driveOf(text('axles')),
        emissions: euroNorm(text('euro')),
        lengthMm: number(length.trim()),
        widthMm: number(width.trim()),
        heightMm: number(height.trim()),
        wheelbaseMm: number(text('wheelbase')),
        curbKg: year >= DRIVER_COUNTED ? less(number(text('operating')), DRIVER_KG) : undefined,
        grossKg: number((text('gross').split('/')[0] ?? '').trim()),
      }),
    };
  },
});

/**
 * Returns the fuel: "BA 95 B" is gasoline (benzín), "NM" diesel (nafta motorová); a second fuel is written behind the
 * first.
 */
function fuelOf(text: string, electric: boolean): string | undefined {
  if (electric) return 'Electric';
  if (/^BA(?: |$)/.test(text) && !/LPG|CNG|E85|\+|\//.test(text)) return 'Gasoline';
  return text === 'NM' ? 'Diesel' : undefined;
}

/** Returns the driven wheels: "2/ -1 ZADNÍ" is two axles, one of them driven, the rear. */
function driveOf(text: string): string | undefined {
  const [, axles, driven, which = ''] = /^(\d)\/\s*-?\s*(\d)\s*(\p{L}*)/u.exec(text) ?? [];
  if (axles !== '2') return undefined;
  if (driven === '2') return 'All-wheel drive';
  if (driven !== '1') return undefined;
  if (/^PŘEDN/i.test(which)) return 'Front-wheel drive';
  return /^ZADN/i.test(which) ? 'Rear-wheel drive' : undefined;
}

function bodiesOf(code: string, word: string): readonly string[] {
  const [, european] = /^(A[A-F])(?:\W|$)/.exec(code) ?? [];
  return european === undefined ? bodiesOfCzech(word === '.' || word === '' ? code : word) : bodiesOfCode(european);
}
