import { defined } from '../specs/epa.ts';
import { bodiesOfCode } from './bodies.ts';
import { DRIVER_KG, geared, less, number, register, sinceYearBefore, yearOf } from './register.ts';

/** Codes of "kayttovoima" of the vehicle register. */
const FUELS: ReadonlyMap<string, string> = new Map([
  ['01', 'Gasoline'],
  ['02', 'Diesel'],
  ['04', 'Electric'],
  ['13', 'CNG'],
  ['38', 'Gasoline/CNG'],
  ['39', 'Plug-in hybrid'],
  ['40', 'Flex fuel'],
  ['44', 'Plug-in hybrid'],
]);

/** Codes of "vaihteisto": by hand, automatic, stepless; the others are of motorcycles or unclear. */
const GEARBOXES: ReadonlyMap<string, string> = new Map([
  ['1', 'Manual'],
  ['2', 'Automatic'],
  ['3', 'Automatic, CVT'],
]);

/** Characters of a VIN that the register publishes. */
const KEPT_CHARACTERS = 10;

export const traficom = register({
  title: 'Finnish vehicle register (Traficom)',
  publisher: 'Finnish Transport and Communications Agency Traficom',
  market: 'europe',
  licence: 'CC BY 4.0',
  url: 'https://opendata.traficom.fi/Content/Ajoneuvorekisteri.zip',
  columns: {
    class: ['ajoneuvoluokka'],
    firstUse: ['kayttoonottopvm'],
    make: ['merkkiSelvakielinen'],
    name: ['kaupallinenNimi'],
    vin: ['valmistenumero2'],
    body: ['korityyppi'],
    fuel: ['kayttovoima'],
    hybrid: ['sahkohybridi'],
    cc: ['iskutilavuus'],
    cylinders: ['sylintereidenLkm'],
    power: ['suurinNettoteho'],
    gearbox: ['vaihteisto'],
    speeds: ['vaihteidenLkm'],
    length: ['ajonKokPituus'],
    width: ['ajonLeveys'],
    height: ['ajonKorkeus'],
    ownMass: ['omamassa'],
    grossMass: ['teknSuurSallKokmassa'],
  },
  required: ['class', 'firstUse', 'make', 'name', 'power', 'cc', 'vin'],
  fewest: 3,
  notTaken: [
    'Fuel and power of hybrids: mild ones are marked like full ones.',
    'Place, color, use and mileage: they are a vehicle’s or its owner’s own.',
  ],
  read(text) {
    if (!/^[MN]1G?$/.test(text('class'))) return 'neither a car nor a light van';
    const year = yearOf(text('firstUse'));
    if (year < 1990) return 'no date of first use since 1990';
    const fuel = FUELS.get(text('fuel'));
    // The register marks mild hybrids as it marks full ones: their fuel and their engine's power are not the car's.
    const hybrid = text('hybrid') === 'true' || fuel === 'Plug-in hybrid';
    const vin = text('vin').toUpperCase();
    return {
      make: text('make'),
      model: text('name'),
      years: sinceYearBefore(year),
      masks: vin.length === KEPT_CHARACTERS ? [vin.padEnd(17, '.')] : [],
      bodies: bodiesOfCode(text('body')),
      values: defined({
        fuel: hybrid && fuel !== 'Plug-in hybrid' ? undefined : fuel,
        cc: number(text('cc')),
        cylinders: number(text('cylinders')),
        gearbox: geared(GEARBOXES.get(text('gearbox')), text('speeds')),
        powerKw: hybrid ? undefined : number(text('power')),
        lengthMm: number(text('length')),
        widthMm: number(text('width')),
        heightMm: number(text('height')),
        curbKg: less(number(text('ownMass')), DRIVER_KG),
        grossKg: number(text('grossMass')),
      }),
    };
  },
});
