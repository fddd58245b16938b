import { defined } from '../specs/epa.ts';
import { bodiesOfWord } from './bodies.ts';
import { DRIVER_KG, geared, less, number, register } from './register.ts';

/**
 * Codes of "Bauart Treibstoff". Hybrids (C, F, R) are left out: the code is the same for mild, full and plug-in ones,
 * and the power beside it may be the engine's alone.
 */
const FUELS: ReadonlyMap<string, string> = new Map([
  ['B', 'Gasoline'],
  ['D', 'Diesel'],
  ['E', 'Electric'],
  ['J', 'Ethanol'],
  ['K', 'Flex fuel'],
  ['L', 'LPG'],
  ['M', 'Methanol'],
  ['N', 'CNG'],
  ['W', 'Hydrogen'],
  ['X', 'Hydrogen'],
  ['Y', 'Gasoline/CNG'],
  ['Z', 'Gasoline/LPG'],
]);

const HYBRIDS = /^[CFR]$/;

/**
 * Patterns for which the source writes several with a stroke between blanks; the newer list parts them in other ways.
 */
const ALTERNATIVES = /\s*[/,;|]\s*|\s+/;

export const astra = register({
  title: 'Swiss type approvals (ASTRA)',
  publisher: 'Federal Roads Office ASTRA, Switzerland',
  market: 'europe',
  licence: 'Open Government Data of the Swiss Confederation (EMBAG, article 10), with attribution',
  url: 'https://opendata.astra.admin.ch/ivzod/2000-Typengenehmigungen_TG_TARGA/2200-Basisdaten_TG_ab_1995/TG-Automobil.txt',
  // Names of TG-Automobil.txt, then of TAS_Automobil.csv, its successor.
  columns: {
    approval: ['Typengenehmigungsnummer', 'chTypeApprovalNumber'],
    class: ['03 Fahrzeugklasse', 'vehicleCategoryCode'],
    make: ['04 Marke', 'makeName'],
    name: ['04 Typ', 'commercialName'],
    masks: ['06 Vorziffer', 'chVinPrefix'],
    body: ['07 Karosserieform'],
    drive: ['17 Achsantrieb'],
    gearbox1: ['18 Getriebe 1', 'gearboxEmissions1.chGearboxType'],
    gearbox2: ['18 Getriebe 2', 'gearboxEmissions2.chGearboxType'],
    gearbox3: ['18 Getriebe 3', 'gearboxEmissions3.chGearboxType'],
    gearbox4: ['18 Getriebe 4', 'gearboxEmissions4.chGearboxType'],
    fuel: ['26 Bauart Treibstoff', 'chFuelType'],
    cc: ['27 Hubraum', 'engineCapacity'],
    power: ['28 Leistung kW', 'maximumNetPower'],
    lengthFrom: ['40 Länge von', '40 Laenge von'],
    lengthTo: ['40 Länge bis', '40 Laenge bis'],
    widthFrom: ['41 Breite von'],
    widthTo: ['41 Breite bis'],
    heightFrom: ['42 Höhe von', '42 Hoehe von'],
    heightTo: ['42 Höhe bis', '42 Hoehe bis'],
    wheelbaseFrom: ['44 Abstand Achse 1-2 von'],
    wheelbaseTo: ['44 Abstand Achse 1-2 bis'],
    emptyFrom: ['52 Leergewicht von', 'chMassOfTheVehicleInRunningOrderMinimum'],
    emptyTo: ['52 Leergewicht bis', 'chMassOfTheVehicleInRunningOrderMaximum'],
    grossFrom: ['53 Garantiegewicht von', 'technicallyPermissibleMaximumLadenMassMinimum'],
    grossTo: ['53 Garantiegewicht bis', 'technicallyPermissibleMaximumLadenMassMaximum'],
  },
  required: ['approval', 'class', 'make', 'name', 'masks', 'fuel', 'cc', 'power'],
  fewest: 1,
  notTaken: [
    'Fuel and power of hybrids: mild, full and plug-in ones have one code.',
    'Gearboxes other than manual and automatic with a number: the letters are not explained.',
  ],
  read(text) {
    if (!/^[MN]1G?$/.test(text('class'))) return 'neither a car nor a light van';
    if (text('masks') === '') return 'no VIN pattern';
    const hybrid = HYBRIDS.test(text('fuel'));
    const gearboxes = [text('gearbox1'), text('gearbox2'), text('gearbox3'), text('gearbox4')].filter(
      (code) => code !== '',
    );
    return {
      make: text('make'),
      model: text('name'),
      masks: text('masks').toUpperCase().split(ALTERNATIVES),
      bodies: bodiesOfWord(text('body')),
      gearboxes: [...new Set(gearboxes.map(gearboxOf))],
      values: defined({
        fuel: FUELS.get(text('fuel')),
        cc: number(text('cc')),
        powerKw: hybrid ? undefined : number(text('power')),
        drive: driveOf(text('drive')),
        lengthMm: narrow(text('lengthFrom'), text('lengthTo')),
        widthMm: narrow(text('widthFrom'), text('widthTo')),
        heightMm: narrow(text('heightFrom'), text('heightTo')),
        wheelbaseMm: narrow(text('wheelbaseFrom'), text('wheelbaseTo')),
        // The Swiss empty weight counts the driver, as the European mass in running order does (VTS, article 7).
        curbKg: less(narrow(text('emptyFrom'), text('emptyTo')), DRIVER_KG),
        grossKg: narrow(text('grossFrom'), text('grossTo')),
      }),
    };
  },
});

/** The largest ratio of the ends of a range for one number to represent it. */
const NARROW = 1.05;

function narrow(from: string, to: string): number | undefined {
  const low = number(from);
  const high = number(to) ?? low;
  return low === undefined || high === undefined || high > low * NARROW || high < low ? undefined : low;
}

/**
 * Decodes a gearbox: "m5" is five gears by hand, "a8" an automatic of eight; the meaning of other letters is unknown.
 */
function gearboxOf(code: string): string {
  const [, kind, speeds = ''] = /^([ma])(\d{1,2})$/i.exec(code) ?? [];
  if (kind === undefined) return '';
  return geared(kind.toLowerCase() === 'm' ? 'Manual' : 'Automatic', speeds) ?? '';
}

/** Returns the driven axles in letters or words: V and H are front and rear. */
function driveOf(text: string): string | undefined {
  if (/^(?:v|vorne?|front)$/i.test(text)) return 'Front-wheel drive';
  if (/^(?:h|hinten|heck)$/i.test(text)) return 'Rear-wheel drive';
  return /^(?:v\s*[+/&,u]?\s*h|a|allrad|4x4|vorne? (?:und|\+) hinten)$/i.test(text) ? 'All-wheel drive' : undefined;
}
