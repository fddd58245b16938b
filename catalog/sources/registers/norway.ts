import { defined } from '../specs/epa.ts';
import { number, register } from './register.ts';

/** Makes by their codes, as far as patterns of approvals name the maker too. */
const MAKES: ReadonlyMap<string, string> = new Map([
  ['1230', 'Audi'],
  ['1400', 'BMW'],
  ['2001', 'Nissan'],
  ['2600', 'Ford'],
  ['3240', 'Isuzu'],
  ['3390', 'Hyundai'],
  ['3900', 'Mercedes-Benz'],
  ['4011', 'Mitsubishi'],
  ['4350', 'Opel'],
  ['5000', 'Saab'],
  ['5750', 'Volkswagen'],
  ['5800', 'Volvo'],
]);

/** Before it gasoline is not a hybrid's; the codes of hybrids are not described. */
const FIRST_HYBRID = 2000;
const HEAVIEST_KG = 3500;
const KW = '1';
/** Positions 12 to 17 say from which number on a type is built. */
const SERIAL_AT = 11;
const VIN = 17;
/**
 * Positions 4 to 9. Norway approves vehicles sold there: a pattern that leaves more of them open has engines of other
 * markets too.
 */
const DESCRIPTOR = [3, 9] as const;
const LEAST_DESCRIBED = 5;

export const norway = register({
  title: 'Norwegian type approvals',
  publisher: 'Norwegian Public Roads Administration (Statens vegvesen)',
  market: 'europe',
  licence: 'Norwegian Licence for Open Government Data (NLOD)',
  url: 'https://www.vegvesen.no/om-oss/om-organisasjonen/apne-data/',
  columns: {
    approval: ['typegodkjenningsnr'],
    make: ['merkekode'],
    name: ['modellbetegnelse'],
    group: ['kjoretoygruppe'],
    masks: ['gyldig_fra_unr'],
    power: ['motorytelse'],
    unit: ['ytelsesmaal'],
    cc: ['slagvolum'],
    fuel: ['drivstoff'],
    gearbox: ['girkasse'],
    driven: ['drivende_hjul'],
    length: ['lengde'],
    gross: ['totalvekt'],
  },
  required: ['approval', 'make', 'name', 'masks', 'power', 'cc', 'fuel'],
  fewest: 1,
  format: { isExact: true },
  notTaken: [
    'Patterns that fix less than five of positions 4 to 9: cars of other markets match them, with engines that Norway has not approved.',
    'Makes whose code no pattern confirms: the list of codes is not published with the file.',
    'Fuel and power of gasoline cars approved since 2000: how hybrids are filed is not described.',
    'The own weight: it is marked as approximate.',
  ],
  read(text) {
    const gross = number(text('gross'));
    if (!/^[13]\d\d$/.test(text('group')) || gross === undefined || gross > HEAVIEST_KG) {
      return 'neither a car nor a light van';
    }
    const make = MAKES.get(text('make'));
    if (make === undefined) return 'a make whose code is not known';
    const mask = maskOf(text('masks'));
    if (mask === undefined) return 'no VIN pattern, or one that fixes too little to tell an engine';
    // The last four digits of the number are the year of the approval.
    const year = Number(text('approval').slice(-4));
    const fuel = fuelOf(text('fuel'), year);
    return {
      make,
      model: text('name'),
      masks: [mask],
      values: defined({
        fuel,
        cc: number(text('cc')),
        powerKw: fuel === undefined || text('unit') !== KW ? undefined : number(text('power')),
        gearbox: gearboxOf(text('gearbox')),
        drive: driveOf(text('driven')),
        lengthMm: number(text('length'), 10),
        grossKg: gross,
      }),
    };
  },
});

function maskOf(pattern: string): string | undefined {
  const mask = pattern.toUpperCase().replaceAll('?', '.');
  const described = mask.slice(...DESCRIPTOR).replaceAll(/[.Z]/g, '');
  if (mask.length !== VIN || described.length < LEAST_DESCRIBED) return undefined;
  return mask.slice(0, SERIAL_AT).padEnd(VIN, '.');
}

function fuelOf(code: string, year: number): string | undefined {
  if (code === '2') return 'Diesel';
  return code === '1' && year < FIRST_HYBRID ? 'Gasoline' : undefined;
}

function gearboxOf(word: string): string | undefined {
  if (/^MANUELL/i.test(word)) return 'Manual';
  return /^AUTOMAT/i.test(word) ? 'Automatic' : undefined;
}

function driveOf(word: string): string | undefined {
  if (/^FORAN$/i.test(word)) return 'Front-wheel drive';
  if (/^BAK$/i.test(word)) return 'Rear-wheel drive';
  return /^ALLE$/i.test(word) ? 'All-wheel drive' : undefined;
}
