import { CAR_REGISTERS } from '../../sources/registers/index.ts';
import { randomNumbers } from '../lab/random.ts';

/** The values of all cars of one pattern of a generated register. */
export interface TruePattern {
  /** 17 characters: the serial number and positions that a register leaves out as points. */
  mask: string;
  make: string;
  model: string;
  fuel: 'Gasoline' | 'Diesel';
  cc: number;
  powerKw: number;
  /** Its cars are built in this year and the three that follow. */
  builtFrom: number;
}

/** The parameters of a generated register. */
export interface RegisterOptions {
  cars: number;
  patterns: number;
  /** The share of cars with a wrong engine. */
  noise: number;
  /** The share of lines that are cut or have a field too many. */
  damaged: number;
  seed: number;
}

/** The parts of a car in a register's own form. */
interface Car extends TruePattern {
  vin: string;
  spelling: string;
  place: string;
  /** The year in which it is built and registered. */
  year: number;
}

interface Form {
  header: string;
  record: (car: Car) => string;
  /** The end of the file. */
  footer?: string;
  /** Returns a damaged record; if absent, a line that is cut or has extra fields. */
  damaged?: (record: string, chance: number) => string;
  vinLength: number;
}

/** The text in the columns about people: no output may contain it. */
export const PRIVATE = 'OSEBNO';

const ENGINES = [
  ['Gasoline', 999, 70],
  ['Gasoline', 1395, 110],
  ['Gasoline', 1798, 132],
  ['Diesel', 1598, 85],
  ['Diesel', 1968, 110],
  ['Diesel', 2993, 190],
] as const;
const MAKES = [
  ['XA1', 'Skoda', 'Octavia', ['SKODA', 'ŠKODA', 'Škoda ', 'SKODA AUTO']],
  ['XA2', 'Volkswagen', 'Passat', ['VOLKSWAGEN', 'VW', 'VOLKSWAGEN,VW', 'Volksvagen']],
  ['XA3', 'Renault', 'Clio', ['RENAULT', 'RENAULT ', 'RENUALT']],
] as const;
/** Patterns begin in one of so many years, and are built for so many; a clerk's slip is any year around them. */
const [FIRST_BUILT, BUILT, YEARS_BUILT, SLIPS] = [1988, 10, 4, 30];
const CODE = 'ABCDEFGHJKLMNPRSTUVWXY123456789';
const YEARS = 'ABCDEFGHJKLM';
/** Numbers of six digits; a fleet of more cars has few of one pattern and number. */
const SERIALS = 1_000_000;

const FORMS = {
  czech: {
    vinLength: 17,
    header:
      'Datum 1. registrace,Kategorie vozidla,Tovární značka,VIN,Obchodní označení,Výrobce vozidla,"Max. výkon [kW] / [min⁻¹]",Palivo,Zdvihový objem [cm³],Plně elektrické vozidlo,Hybridní vozidlo,Vlastník',
    record: ({ spelling, vin, model, powerKw, fuel, cc, year, place }) =>
      `02.04.${year},M1,${quoted(spelling)},${vin},${model.toUpperCase()},"${spelling.replaceAll('"', '')}, PRAHA",${powerKw} / 4800,${fuel === 'Diesel' ? 'NM' : 'BA 95'},${cc},NE,NE,${place}`,
  },
  denmark: {
    vinLength: 17,
    header: [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<ns:ESStatistikListeModtag_I xmlns:ns="http://skat.dk/dmr/2007/05/31/">',
    ].join('\n'),
    record: danish,
    footer: '</ns:ESStatistikListeModtag_I>',
    // A tag too few damages the document as a whole.
    damaged: (record) => record.replace(/(StelNummer>\w{9})\w+/, '$1'),
  },
  ukraine: {
    vinLength: 17,
    header: 'PERSON;REG_ADDR_KOATUU;BRAND;MODEL;VIN;MAKE_YEAR;KIND;BODY;FUEL;CAPACITY;TOTAL_WEIGHT;POWER_KWT',
    record: ({ spelling, vin, model, powerKw, fuel, cc, year, place }) =>
      `${place};80;${spelling.trim()};${model.toUpperCase()};${vin};${year};ЛЕГКОВИЙ;СЕДАН-B;${fuel === 'Diesel' ? 'ДИЗЕЛЬНЕ ПАЛИВО' : 'БЕНЗИН'};${cc};1900;${powerKw},00`,
  },
  newzealand: {
    vinLength: 11,
    header:
      'OBJECTID,BODY_TYPE,CC_RATING,GROSS_VEHICLE_MASS,MAKE,MODEL,MOTIVE_POWER,POWER_RATING,TLA,TRANSMISSION_TYPE,VEHICLE_YEAR,VIN11',
    record: ({ spelling, vin, model, powerKw, fuel, cc, year, place }) =>
      `1,SALOON,${cc},1900,${quoted(spelling)},${model.toUpperCase()},${fuel === 'Diesel' ? 'DIESEL' : 'PETROL'},${powerKw},${place},MANUAL,${year},${vin}`,
  },
  slovenia: {
    vinLength: 17,
    header:
      'E-VIN;D1-Znamka;D3-Komerc oznaka;J-Kategorija in vrsta vozila (oznaka);X-Oblika nadgradnje (opis);F1-Najvecja tehnicno dovoljena masa;P11-Delovna prostornina;P12-Nazivna moc;P13-Vrsta goriva (oznaka);B-Datum prve registracije vozila;Starost lastnika;Spol lastnika;Obcina',
    record: ({ spelling, vin, model, powerKw, fuel, cc, year, place }) =>
      `${vin};${spelling.trim()};${model.toUpperCase()};M1;AA LIMUZINA;1900;${cc};${powerKw},00;${fuel === 'Diesel' ? 'D' : 'P'};02.04.${year};44;${place};${place}`,
  },
  spain: {
    vinLength: 10,
    header: 'Vehículos matriculados. Letras de la serie de la última matrícula asignada: NSG',
    record: ({ spelling, vin, model, powerKw, fuel, cc, year, place }) =>
      spanish(
        {
          spelling,
          vin: vin.padEnd(21, '*'),
          model,
          kw: `${powerKw}.00`,
          fuel: fuel === 'Diesel' ? '1' : '0',
          cc: String(cc),
          year,
        },
        place,
      ),
  },
} as const satisfies Record<string, Form>;

export type GeneratedRegister = keyof typeof FORMS;

/** Returns the patterns of a fleet; the same for each register of one seed. */
export function truePatterns(
  { patterns, seed }: Pick<RegisterOptions, 'patterns' | 'seed'>,
  register: GeneratedRegister,
) {
  const random = randomNumbers(seed);
  const below = (end: number): number => Math.floor(random() * end);
  return Array.from({ length: patterns }, (_, index): TruePattern => {
    const [wmi, make, model] = MAKES[index % MAKES.length] ?? MAKES[0];
    const [fuel, cc, powerKw] = ENGINES[below(ENGINES.length)] ?? ENGINES[0];
    const described = [3, 0, 1, 2].map((digit) => {
      const first = digit === 3 ? CODE.indexOf('7') : 0;
      return CODE.charAt((first + Math.floor(index / CODE.length ** digit)) % CODE.length);
    });
    const mask = `${wmi}${described.join('')}1.${YEARS.charAt(below(YEARS.length))}${register === 'spain' ? '.' : '1'}......`;
    return { mask, make, model, fuel, cc, powerKw, builtFrom: FIRST_BUILT + (index % BUILT) };
  });
}

/** The lines of a generated register, its header first. Some cars have another's engine, some makes are misspelled. */
export function* registerLines(register: GeneratedRegister, fleet: RegisterOptions): Generator<string> {
  const { header, record, footer, damaged = damagedLine, vinLength }: Form = FORMS[register];
  const truth = truePatterns(fleet, register);
  const random = randomNumbers(fleet.seed + 1);
  yield header;
  for (let car = 0; car < fleet.cars; car++) {
    const pattern = truth[Math.floor(random() * truth.length)] as TruePattern;
    const [fuel, cc, powerKw] =
      random() < fleet.noise
        ? (ENGINES[Math.floor(random() * ENGINES.length)] ?? ENGINES[0])
        : [pattern.fuel, pattern.cc, pattern.powerKw];
    const spellings = MAKES.find(([wmi]) => pattern.mask.startsWith(wmi))?.[3] ?? [pattern.make];
    // The first spelling is the commonest.
    const spelling = random() < 0.9 ? spellings[0] : (spellings[Math.floor(random() * spellings.length)] ?? '');
    const vin = `${pattern.mask.slice(0, 8)}0${pattern.mask.slice(9, 11).replace('.', '1')}${String(car % SERIALS).padStart(6, '0')}`;
    const isSlip = random() < fleet.noise;
    const year = isSlip
      ? FIRST_BUILT + Math.floor(random() * SLIPS)
      : pattern.builtFrom + Math.floor(random() * YEARS_BUILT);
    const line = record({
      ...pattern,
      fuel,
      cc,
      powerKw,
      year,
      vin: vin.slice(0, vinLength),
      spelling,
      place: PRIVATE,
    });
    yield random() < fleet.damaged ? damaged(line, random()) : line;
  }
  if (footer !== undefined) yield footer;
}

function damagedLine(line: string, chance: number): string {
  return chance < 0.5 ? line.slice(0, Math.floor(line.length / 3)) : `;,${line},;`;
}

function quoted(text: string): string {
  return text.includes(',') ? `"${text}"` : text;
}

function element(name: string, ...content: (string | number)[]): string {
  return `<ns:${name}>${content.join('')}</ns:${name}>`;
}

function danish({ spelling, vin, model, powerKw, fuel, cc, year, place }: Car): string {
  const text = spelling.replaceAll('&', '&amp;');
  return element(
    'Statistik',
    element('KoeretoejIdent', 1002601198110653),
    element('KoeretoejArtNavn', 'Personbil'),
    element('RegistreringNummerNummer', place),
    element(
      'KoeretoejOplysningGrundStruktur',
      element('KoeretoejOplysningFoersteRegistreringDato', `${year}-12-08+01:00`),
      element('KoeretoejOplysningStelNummer', vin),
      element('KoeretoejOplysningTekniskTotalVaegt', 1900),
      element('KoeretoejOplysningAkselAntal', 2),
      element('KoeretoejOplysningTraekkendeAksler', '1'),
      element('KoeretoejOplysningKommentar', place),
      '\n',
      element(
        'KoeretoejBetegnelseStruktur',
        element('KoeretoejMaerkeTypeNavn', text),
        element('Model', element('KoeretoejModelTypeNavn', model.toUpperCase())),
      ),
      element('KarrosseriTypeStruktur', element('KarrosseriTypeNavn', 'Sedan')),
      element('KoeretoejNormStruktur', element('NormTypeStruktur', element('NormTypeNavn', 'Euro 3'))),
      element(
        'KoeretoejMotorStruktur',
        element('KoeretoejMotorSlagVolumen', `${cc}.0`),
        element('KoeretoejMotorStoersteEffekt', `${powerKw}.0`),
        element(
          'KoeretoejDrivmiddelSamlingStruktur',
          element('DrivkraftTypeStruktur', element('DrivkraftTypeNavn', fuel === 'Diesel' ? 'Diesel' : 'Benzin')),
        ),
      ),
    ),
  );
}

function spanish(
  car: { spelling: string; vin: string; model: string; kw: string; fuel: string; cc: string; year: number },
  place: string,
): string {
  const texts: Readonly<Record<string, string>> = {
    MARCA_ITV: car.spelling,
    MODELO_ITV: car.model.toUpperCase(),
    BASTIDOR_ITV: car.vin,
    COD_TIPO: '40',
    COD_PROPULSION_ITV: car.fuel,
    CILINDRADA_ITV: car.cc,
    KW_ITV: car.kw,
    MASA_ORDEN_MARCHA_ITV: '1420',
    MASA_MAXIMA_TECNICA_ADMISIBLE_ITV: '1900',
    CATEGORIA_HOMOLOGACION_EUROPEA_ITV: 'M1',
    CARROCERIA: 'AA',
    NIVEL_EMISIONES_EURO_ITV: '=6EB',
    FEC_PRIM_MATRICULACION: `0204${car.year}`,
  };
  // Fields without a name are skipped: they contain places and owners.
  return (CAR_REGISTERS.spain.layout ?? [])
    .map(([name, width]) => (texts[name] ?? (name === '' ? place : '')).padEnd(width).slice(0, width))
    .join('');
}
