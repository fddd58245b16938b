import { randomNumbers } from '../lab/random.ts';

/** The parameters of a generated list of recalls or of type approvals. */
export interface TypeList {
  records: number;
  /** The share of records with another's years or pattern. */
  noise: number;
  /** The share of lines that are cut or have a field too many. */
  damaged: number;
  seed: number;
}

/** Vehicles of one model are numbered one after the other: so many in each year from the first on. */
const [FIRST_YEAR, YEARS, SERIALS_A_YEAR] = [2001, 12, 8_000];
const CODE = 'ABCDEFGHJKLMNPRSTUVWXY123456789';
/** No output may contain it. */
const REMARK = 'GEHEIM';

const RECALLS = 'Launch Date,Recalls Number,Make,Concern,Model,VIN Start,VIN End,Build Start,Build End';
const MAKES = ['CITROËN', 'CITROEN', 'Citroën ', 'CITRÖEN'];

/** Returns the year in which the vehicle of a generated recall with such a VIN was built. */
export function builtOf(vin: string): number {
  return FIRST_YEAR + Math.floor(Number(vin.slice(11)) / SERIALS_A_YEAR);
}

/**
 * The lines of a generated list of recalls. Two recalls are about each range of VINs, as one defect brings another;
 * some have another's dates, exchanged ends, or letters typed for digits.
 */
export function* recallLines({ records, noise, damaged, seed }: TypeList): Generator<string> {
  const random = randomNumbers(seed);
  const below = (end: number): number => Math.floor(random() * end);
  yield RECALLS;
  for (let record = 0; record < records; record++) {
    const range = Math.floor(record / 2);
    const year = range % YEARS;
    const model = Math.floor(range / YEARS);
    const described = [0, 1, 2].map((digit) => CODE.charAt(Math.floor(model / CODE.length ** digit) % CODE.length));
    const [first, last] = [year * SERIALS_A_YEAR + 5, (year + 1) * SERIALS_A_YEAR - 5];
    const vins = [first, last].map((serial) => `VX77${described.join('')}10M1${String(serial).padStart(6, '0')}`);
    const told = random() < noise ? FIRST_YEAR + below(YEARS) : FIRST_YEAR + year;
    if (random() < noise) vins.reverse();
    const typed = random() < noise ? vins.map((vin) => vin.slice(0, 11) + vin.slice(11).replaceAll('0', 'O')) : vins;
    const make = MAKES[random() < 0.9 ? 0 : below(MAKES.length)] ?? '';
    const dates = [`0${1 + below(9)}/02/${told}`, `2${below(9)}/11/${told}`];
    const line = ['26/06/2006', `R/2010/${record}`, make, REMARK, 'C4', ...typed, ...dates].join(',');
    yield random() < damaged ? cut(line, ',', random()) : line;
  }
}

/** A type of a generated list of approvals. */
export interface TrueType {
  mask: string;
  make: string;
  cc: number;
  powerKw: number;
  gearbox: string;
}

const APPROVALS =
  'typegodkjenningsnr;eu_hovednummer;merkekode;modellbetegnelse;typebetegnelse;kjoretoygruppe;motorytelse;slagvolum;drivstoff;lengde;girkasse;totalvekt;gyldig_fra_unr;drivende_hjul;identitet_anm;ytelsesmaal';
const APPROVED = [
  ['5750', 'Volkswagen', 'WVW'],
  ['5800', 'Volvo', 'YV1'],
  ['3900', 'Mercedes-Benz', 'WDB'],
] as const;
const MODELS: Readonly<Record<string, string>> = { Volkswagen: 'PASSAT', Volvo: 'V70', 'Mercedes-Benz': 'VITO' };
const DIESELS = [
  [1598, 77],
  [1968, 103],
  [2143, 120],
] as const;

/** Returns the types of a generated list of approvals. */
export function trueTypes({ records, seed }: Pick<TypeList, 'records' | 'seed'>): TrueType[] {
  const random = randomNumbers(seed);
  return Array.from({ length: records }, (_, index): TrueType => {
    const [, make, wmi] = APPROVED[index % APPROVED.length] ?? APPROVED[0];
    const [cc, powerKw] = DIESELS[Math.floor(random() * DIESELS.length)] ?? DIESELS[0];
    const described = [0, 1, 2].map((digit) => CODE.charAt(Math.floor(index / CODE.length ** digit) % CODE.length));
    return {
      mask: `${wmi}A${described.join('')}1..P......`,
      make,
      cc,
      powerKw,
      gearbox: random() < 0.5 ? 'Manual' : 'Automatic',
    };
  });
}

/**
 * Generates the lines of a list of Norwegian approvals. Some patterns fix no character, and some codes mean no make.
 */
export function* approvalLines(list: TypeList): Generator<string> {
  const random = randomNumbers(list.seed + 1);
  yield APPROVALS;
  for (const [index, { mask, make, cc, powerKw, gearbox }] of trueTypes(list).entries()) {
    const code = random() < list.noise ? '999' : (APPROVED.find(([, name]) => name === make)?.[0] ?? '');
    const pattern = random() < list.noise ? '?'.repeat(17) : `${mask.slice(0, 11).replaceAll('.', '?')}000001`;
    const box = gearbox === 'Manual' ? 'MANUELL' : 'AUTOMAT';
    const number = `${String(1000 + (index % 9000))}0062011`;
    const line = [
      number,
      '"e1*2007/46*0401*03"',
      code,
      `"${MODELS[make]}"`,
      '"3C"',
      '101',
      `${powerKw},00`,
      cc,
      '2',
      '477',
      `"${box}"`,
      '2140',
      `"${pattern}"`,
      '"FORAN"',
      `"${REMARK} MÅ VÆRE PÅFØRT"`,
      '1',
    ].join(';');
    yield random() < list.damaged ? cut(line, ';', random()) : line;
  }
}

function cut(line: string, delimiter: string, chance: number): string {
  return chance < 0.5 ? line.slice(0, Math.floor(line.length / 3)) : `x${delimiter}${line}`;
}
